import type { Recorded } from '../../runtime/executor/ports';
import type { MetricDatum } from '../local-service';

type HistoryEvent = Recorded['events'][number];

/** Values that are kept; of more, the oldest are forgotten. */
const DATA_MAX = 100_000;

/**
 * The metrics of Step Functions about executions, in the namespace AWS/States. They are kept in memory alone.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html
 */
export class ExecutionMetrics {
  readonly #data: MetricDatum[] = [];

  /** All values, in the order in which they came. */
  get data(): readonly MetricDatum[] {
    return this.#data;
  }

  record({ machine, execution, events }: Recorded): void {
    const dimensions = { StateMachineArn: machine.arn };
    for (const event of events) {
      for (const [metricName, value] of valuesOf(event, execution)) {
        this.#data.push({
          namespace: 'AWS/States',
          metricName,
          dimensions,
          timestamp: event.timestamp,
          value,
        });
      }
    }
    // Now and then, as an array is dear to cut.
    if (this.#data.length > 1.1 * DATA_MAX) this.#data.splice(0, this.#data.length - DATA_MAX);
  }
}

const ENDS: Readonly<Partial<Record<HistoryEvent['type'], string>>> = {
  ExecutionSucceeded: 'Succeeded',
  ExecutionFailed: 'Failed',
  ExecutionAborted: 'Aborted',
  ExecutionTimedOut: 'TimedOut',
};

function valuesOf(
  { type, timestamp }: HistoryEvent,
  { startedAt, redriveCount }: Recorded['execution'],
): readonly (readonly [string, number])[] {
  if (type === 'ExecutionStarted') return [['ExecutionsStarted', 1]];
  if (type === 'ExecutionRedriven') return [['ExecutionsRedriven', 1]];
  const end = ENDS[type];
  if (end === undefined) return [];
  return [
    [`Executions${end}`, 1],
    ...(redriveCount > 0 ? [[`RedrivenExecutions${end}`, 1] as const] : []),
    ['ExecutionTime', timestamp - startedAt],
  ];
}
