import {
  type IMetric,
  MathExpression,
  type MathExpressionOptions,
  Metric,
  type MetricOptions,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { OLDEST_UNFINISHED } from '../../state-machine/recovery/running-states';
import { type LogCount, namespaceOf, type RefusalCount, START_RETRIES } from './log-counts';

/** The metrics of a workflow that are counted in its log: each throws an Error without `metrics: true`. */
export abstract class WorkflowWithLogMetrics extends Construct {
  /** The state machine that runs the business step. */
  abstract readonly stateMachine: StateMachine;
  /** Whether the log is counted. */
  protected abstract readonly isLogCounted: boolean;
  /** Whether failures are sent somewhere (`onFailure`). */
  protected abstract readonly hasDestination: boolean;

  /** Executions that ran the step and recorded its result. */
  metricCompleted(props?: MathExpressionOptions): MathExpression {
    const otherwise = [this.counted('ResultsElsewhere'), this.counted('LostClaims')];
    return this.difference('completed', [this.counted('Finalized')], otherwise, {
      label: 'Completed',
      ...props,
    });
  }

  /** Executions that were answered with the result of an earlier one. Most duplicates are stopped by their name. */
  metricAnsweredByRecord(props?: MathExpressionOptions): MathExpression {
    const ends = [this.counted('Succeeded'), this.counted('ResultsElsewhere'), this.counted('LostClaims')];
    return this.difference('answered', ends, [this.counted('Finalized')], {
      label: 'Answered by the record',
      ...props,
    });
  }

  /** Executions that were answered with the error of an earlier one (`OnFailed.returnStoredFailure()`). */
  metricStoredFailures(props?: MetricOptions): Metric {
    return this.counted('StoredFailures', props);
  }

  /** Executions that came to their step. A redrive that runs the step again counts in `metricRedrives` alone. */
  metricStepRuns(props?: MetricOptions): Metric {
    return this.counted('StepRuns', props);
  }

  /** Executions that ended with the error of their step. */
  metricStepFailures(props?: MetricOptions): Metric {
    return this.counted('StepFailures', props);
  }

  /** Steps that failed, in percent of those that ran; no data where none ran. */
  metricStepFailureRate(props?: MathExpressionOptions): MathExpression {
    const [failures, runs] = [this.metricId('failures'), this.metricId('runs')];
    return new MathExpression({
      expression: `100 * FILL(${failures}, 0) / ${runs}`,
      usingMetrics: { [failures]: this.metricStepFailures(), [runs]: this.metricStepRuns() },
      label: 'Step failures [%]',
      ...props,
    });
  }

  /** Duplicates that ended with `Idempotency.InProgress`. */
  metricInProgress(props?: MetricOptions): Metric {
    return this.counted('InProgress', props);
  }

  /** Deliveries that ended with `Idempotency.PayloadMismatch`. */
  metricPayloadMismatch(props?: MetricOptions): Metric {
    return this.counted('PayloadMismatch', props);
  }

  /** Deliveries that ended with `Idempotency.InvalidEvent`. */
  metricInvalidEvent(props?: MetricOptions): Metric {
    return this.counted('InvalidEvent', props);
  }

  /** Deliveries that ended with `Idempotency.InDoubt`: the one that held the key, and those that found it held. */
  metricInDoubt(props?: MetricOptions): Metric {
    return this.counted('InDoubt', props);
  }

  /** Deliveries that held their key for review, or found at that moment that another one had. */
  metricHeld(props?: MetricOptions): Metric {
    return this.counted('Held', props);
  }

  /** Deliveries that ended with this error, or with any of the workflow's own. */
  metricRefused(error?: RefusalCount, props?: MetricOptions): Metric {
    return this.counted(error ?? 'Refused', props);
  }

  /** Executions that ended before they could say what became of their key: aborted, timed out, out of retries. */
  metricDied(props?: MathExpressionOptions): MathExpression {
    const ends = [this.counted('Failed'), this.counted('CutOff')];
    const told = [this.counted('Refused'), this.counted('StepFailures'), this.counted('StoredFailures')];
    return this.difference('died', ends, told, { label: 'Died', ...props });
  }

  /**
   * Notices of a failure, a doubt or a refusal that were sent to the destination `onFailure`.
   *
   * @throws Error without one
   */
  metricNoticesSent(props?: MetricOptions): Metric {
    this.requireDestination('metricNoticesSent');
    return this.counted('NoticesSent', props);
  }

  /**
   * Executions that ended owing a notice: the destination has refused it for hours. A redrive sends it. An execution
   * that was stopped, or whose time was over, while it sent counts in `metricDied` alone.
   *
   * @throws Error as `metricNoticesSent`
   */
  metricNoticesUnsent(props?: MathExpressionOptions): MathExpression {
    this.requireDestination('metricNoticesUnsent');
    const [failed, told] = [this.counted('Failed'), this.counted('Refused')];
    const own = [this.counted('StepFailures'), this.counted('StoredFailures')];
    // A step's own error may have the name of one of the destination: but then the workflow has told of it.
    const died = this.difference('diedFailed', [failed], [told, ...own], {});
    const unsent = this.metricId('unsent');
    return new MathExpression({
      expression: `IF(${died.expression} >= 1, FILL(${unsent}, 0), 0)`,
      usingMetrics: { ...died.usingMetrics, [unsent]: this.counted('NoticesUnsent') },
      label: 'Notices unsent',
      ...props,
    });
  }

  private requireDestination(method: string): void {
    if (!this.hasDestination)
      throw new Error(
        `\`${method}\` needs \`onFailure\`, because only then notices are sent; set it on the workflow`,
      );
  }

  /** Executions that took an unfinished or failed record over to run the step as its next attempt, or tried to. */
  metricTakeovers(props?: MetricOptions): Metric {
    return this.counted('Takeovers', props);
  }

  /** Executions that were started again as their step had failed (`redeliverFailed`). */
  metricRedeliveries(props?: MetricOptions): Metric {
    return this.counted('Redeliveries', props);
  }

  /** Executions that recovery has started, each for one that had died. */
  metricRecoveries(props?: MetricOptions): Metric {
    return this.counted('Recoveries', props);
  }

  /** Calls of the dispatchers that failed or were throttled, each of which is tried again. */
  metricStartRetries(props?: MetricOptions): Metric {
    return this.counted(START_RETRIES, props);
  }

  protected counted(metricName: LogCount | typeof OLDEST_UNFINISHED, props?: MetricOptions): Metric {
    if (!this.isLogCounted) {
      throw new Error(
        `${this.node.path} needs \`metrics\`: true for the metric ${metricName}, which is counted in its log. ` +
          'Set it on the workflow; CloudWatch bills these metrics',
      );
    }
    const namespace = namespaceOf(this.stateMachine);
    return new Metric({ namespace, metricName, statistic: Stats.SUM, ...props });
  }

  protected total(id: string, metrics: readonly IMetric[], props: MathExpressionOptions): MathExpression {
    return this.difference(id, metrics, [], props);
  }

  /** A sum without others. A metric without data counts as 0. */
  protected difference(
    id: string,
    plus: readonly IMetric[],
    minus: readonly IMetric[],
    props: MathExpressionOptions,
  ): MathExpression {
    const terms = [...plus, ...minus].map((metric, index) => {
      const sign = index >= plus.length ? ' - ' : index > 0 ? ' + ' : '';
      return { id: this.metricId(`${id}${index}`), metric, sign };
    });
    return new MathExpression({
      expression: terms.map(term => `${term.sign}FILL(${term.id}, 0)`).join(''),
      usingMetrics: Object.fromEntries(terms.map(term => [term.id, term.metric])),
      ...props,
    });
  }

  /** A name within expressions that no other has in a graph, not even that of another workflow. */
  protected metricId(name: string): string {
    return `${name}_${this.node.addr.slice(-8)}`;
  }
}
