import { isJsonObject, type Json, jsonOr } from '../json/json';

/** An event of a log group, and whose it is. */
export interface LoggedEvent {
  readonly executionArn: string;
  /** In the form of `get-execution-history`; its time in epoch milliseconds. */
  readonly event: Json;
}

/**
 * Reads what Step Functions writes to a log group for one event: JSON in which numbers are texts, and the details of
 * all types are in `details`. Undefined if the line is something else.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
 */
export function loggedEvent(line: string): LoggedEvent | undefined {
  const value = jsonOr(line, undefined);
  if (!isJsonObject(value)) return undefined;
  const { id, type, details, previous_event_id: previous, event_timestamp: timestamp } = value;
  const executionArn = value['execution_arn'];
  if (typeof executionArn !== 'string' || typeof type !== 'string') return undefined;
  const event = {
    id: Number(id),
    ...(previous !== undefined && { previousEventId: Number(previous) }),
    type,
    timestamp: Number(timestamp),
    ...(isJsonObject(details) && { [memberOf(type)]: details }),
  };
  return { executionArn, event };
}

// All types of states share the details of their entry and exit.
function memberOf(type: string): string {
  const name = /State(?:Entered|Exited)$/.exec(type)?.[0] ?? type;
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}EventDetails`;
}
