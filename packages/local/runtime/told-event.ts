import type { EventDetails, HistoryEvent, HistoryEventType } from '../engine/history';

/**
 * An event as GetExecutionHistory tells it, except that `timestamp` is epoch milliseconds: with its details in a member
 * that is named by the event's type, as `taskSucceededEventDetails`.
 */
export interface ToldEvent extends Pick<HistoryEvent, 'id' | 'previousEventId' | 'type' | 'timestamp'> {
  readonly [details: `${string}EventDetails`]: ToldDetails;
}

interface ToldDetails extends EventDetails {
  readonly inputDetails?: Truncation;
  readonly outputDetails?: Truncation;
  readonly assignedVariablesDetails?: Truncation;
}

interface Truncation {
  readonly truncated: boolean;
}

/** An event with all it says, or without the data of `includeExecutionData: false`. */
export function toldEvent(event: HistoryEvent, includeData: boolean): ToldEvent {
  const { id, previousEventId, type, timestamp, ...details } = event;
  const head = { id, previousEventId, type, timestamp };
  const member = detailsMember(type);
  return member === undefined ? head : { ...head, [member]: toldDetails(details, includeData) };
}

/** Each text of data says that it is all there, as it always is. Task parameters are told in any case. */
function toldDetails({ input, output, ...details }: EventDetails, includeData: boolean): ToldDetails {
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
  /^(LambdaFunctionStarted|(Task|Wait|Parallel|Map)StateAborted|(Parallel|Map)State(Succeeded|Failed)|ParallelStateStarted)$/;

/** The name of the member that an event's details are in; undefined where it has none. */
function detailsMember(type: HistoryEventType): `${string}EventDetails` | undefined {
  if (BARE.test(type)) return undefined;
  // All kinds of states tell their entry and exit in the same way.
  const said = /State(Entered|Exited)$/.exec(type)?.[0] ?? type;
  return `${said.charAt(0).toLowerCase()}${said.slice(1)}EventDetails`;
}
