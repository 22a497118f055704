import { type HistoryFileEvent, loggedEvent, readHistory } from '../../history/index';
import { toApiEvent } from '../../runtime/executions/execution-history';
import type { Recorded } from '../../runtime/executor/ports';

type HistoryEvent = Recorded['events'][number];

/**
 * An event of a log group.
 *
 * @example
 * const lines = stack.logs.events('/aws/vendedlogs/orders').map(({ message }) => message);
 */
export interface LogEvent {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** One line of JSON. */
  readonly message: string;
}

/** Events that are kept of each log group; of more, the oldest are forgotten. */
const EVENTS_MAX = 100_000;

/**
 * What state machines log, Standard and Express ones, by the level of their logging configuration. It is kept in memory
 * alone: a log ends with its process.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
 */
export class ExecutionLog {
  readonly #groups = new Map<string, LogEvent[]>();

  /** The events of a log group, by its name or ARN, oldest first; empty where nothing was logged there. */
  events(logGroup: string): readonly LogEvent[] {
    return this.#groups.get(nameOf(logGroup)) ?? [];
  }

  /** The log of an execution, each event in the form of `get-execution-history`, oldest first. */
  history(executionArn: string): readonly HistoryFileEvent[] {
    const inJson = JSON.stringify(executionArn);
    const lines = [...this.#groups.values()].flatMap(events =>
      events.flatMap(({ message }) => (message.includes(inJson) ? [{ message }] : [])),
    );
    const own = lines.filter(({ message }) => loggedEvent(message)?.executionArn === executionArn);
    const read = readHistory(JSON.stringify({ events: own }));
    return read.kind === 'history' ? read.events : [];
  }

  /** Logs what the configuration of the machine says. */
  record({ machine, execution, events }: Recorded): void {
    const { level, includeExecutionData, destinations = [] } = machine.loggingConfiguration;
    const { logGroupArn } = destinations[0]?.cloudWatchLogsLogGroup ?? {};
    if (level === 'OFF' || logGroupArn === undefined) return;
    const group = this.#group(nameOf(logGroupArn));
    for (const event of events) {
      if (!isLogged[level](event)) continue;
      const message = lineOf(event, execution, includeExecutionData);
      group.push({ timestamp: event.timestamp, message });
    }
    // Now and then, as an array is dear to cut.
    if (group.length > 1.1 * EVENTS_MAX) group.splice(0, group.length - EVENTS_MAX);
  }

  #group(name: string): LogEvent[] {
    const known = this.#groups.get(name) ?? [];
    this.#groups.set(name, known);
    return known;
  }
}

/** The ARN of a log group ends in `:*`, or not. */
function nameOf(logGroup: string): string {
  return logGroup.replace(/^arn:[^:]*:logs:[^:]*:[^:]*:log-group:/, '').replace(/:\*$/, '');
}

/** As the service's table of levels has it. */
const isLogged: Readonly<Record<'ALL' | 'ERROR' | 'FATAL', (event: HistoryEvent) => boolean>> = {
  ALL: () => true,
  ERROR: ({ type }) => /(?:Failed|Aborted|TimedOut)$/.test(type) || type === 'FailStateEntered',
  FATAL: ({ type }) => /^Execution(?:Failed|Aborted|TimedOut)$/.test(type),
};

/** One event as a line: numbers are texts, and without execution data there is no input and no output. */
function lineOf(
  event: HistoryEvent,
  { arn, redriveCount }: Recorded['execution'],
  includeData: boolean,
): string {
  const { id, previousEventId, type, timestamp, ...members } = toApiEvent(event, includeData);
  const [details = {}] = Object.values(members);
  return JSON.stringify({
    id: String(id),
    type,
    details,
    previous_event_id: String(previousEventId),
    event_timestamp: String(timestamp),
    execution_arn: arn,
    redrive_count: String(redriveCount),
  });
}
