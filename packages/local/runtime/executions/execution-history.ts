import type { EventDetails, HistoryEvent, HistoryEventType } from '../../engine/index';
import { type PageRequest, pageOf } from '../requests/pages';

/** What GetExecutionHistory takes. */
export interface HistoryRequest extends PageRequest {
  readonly executionArn: string;
  readonly reverseOrder?: boolean;
  /** @default true */
  readonly includeExecutionData?: boolean;
}

/** One page of a history. @throws StatesError `ValidationException`, `InvalidToken` as `pageOf`. */
export function historyPage(
  history: readonly HistoryEvent[],
  request: HistoryRequest,
): { events: readonly ApiHistoryEvent[]; nextToken?: string } {
  const { items, ...more } = pageOf(history, request, { isNewestFirst: request.reverseOrder ?? false });
  const includeData = request.includeExecutionData ?? true;
  return { events: items.map(event => toApiEvent(event, includeData)), ...more };
}

/**
 * An event as GetExecutionHistory returns it, except that `timestamp` is epoch milliseconds: with its details in a
 * member that is named by the event's type, as `taskSucceededEventDetails`.
 */
export interface ApiHistoryEvent extends Pick<HistoryEvent, 'id' | 'previousEventId' | 'type' | 'timestamp'> {
  readonly [details: `${string}EventDetails`]: ApiEventDetails;
}

interface ApiEventDetails extends EventDetails {
  readonly inputDetails?: Truncation;
  readonly outputDetails?: Truncation;
  readonly assignedVariablesDetails?: Truncation;
}

interface Truncation {
  readonly truncated: boolean;
}

/** An event in the form of the API; without input and output where `includeData` is false (`includeExecutionData`). */
export function toApiEvent(event: HistoryEvent, includeData: boolean): ApiHistoryEvent {
  const { id, previousEventId, type, timestamp, ...details } = event;
  const head = { id, previousEventId, type, timestamp };
  const member = detailsMember(type);
  return member === undefined ? head : { ...head, [member]: toApiDetails(details, includeData) };
}

/** Marks each text of data as complete, since nothing is truncated here. Task parameters are always included. */
function toApiDetails({ input, output, ...details }: EventDetails, includeData: boolean): ApiEventDetails {
  return {
    ...details,
    ...(includeData && input !== undefined && { input, inputDetails: COMPLETE }),
    ...(includeData && output !== undefined && { output, outputDetails: COMPLETE }),
    ...(details.assignedVariables && { assignedVariablesDetails: COMPLETE }),
  };
}

const COMPLETE: Truncation = { truncated: false };

/** Event types that have no details. */
const BARE =
  /^(LambdaFunctionStarted|MapRun(Succeeded|Aborted)|(Task|Wait|Parallel|Map)StateAborted|(Parallel|Map)State(Succeeded|Failed)|ParallelStateStarted)$/;

/** The name of the member that an event's details are in; undefined where it has none. */
function detailsMember(type: HistoryEventType): `${string}EventDetails` | undefined {
  if (BARE.test(type)) return undefined;
  // All types of states share the details of their entry and exit.
  const name = /State(Entered|Exited)$/.exec(type)?.[0] ?? type;
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}EventDetails`;
}
