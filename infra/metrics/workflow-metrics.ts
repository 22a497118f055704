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
import { OLDEST_UNFINISHED } from '../../state-machine/recovery/running-states';
import type { ResolvedTime } from '../../state-machine/template/resolved-time';
import type { IdempotentWorkflowProps } from '../idempotent-workflow-props';
import type { WorkflowRecovery } from '../nested/workflow-recovery';
import type { IWorkflowSource } from '../sources/workflow-source';
import { type LogCount, namespaceOf, type RejectionCount, START_RETRIES } from './log-counts';
import { type MeasuredParts, measuredParts, pipeFailures } from './measured-parts';
import { difference, total } from './metric-math';

/**
 * The metrics of a workflow. None costs a delivery a transition or an invocation; those that are counted in the log
 * need `metrics: true`, and throw an Error without it. The statistic is the sum over five minutes, unless said
 * otherwise.
 *
 * `metricDeliveries` counts every delivery of a source. A delivery ends as one of: stopped by its name, not started, in
 * progress, another `Idempotency.*` error, completed, answered by the record, failed in its step, answered by a stored
 * failure, or ended early. An end after a redrive counts once more, as does the redrive, and the end of what recovery
 * starts.
 *
 * CloudWatch gets metrics and logs of Step Functions by best effort: late, or never.
 *
 * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/monitoring.md
 */
export abstract class WorkflowMetrics extends Construct {
  /** The state machine that runs the business step. */
  abstract readonly stateMachine: StateMachine;
  /** Completes keys whose execution ended early; undefined without recovery. */
  abstract readonly recovery: WorkflowRecovery | undefined;
  /** The longest that a healthy execution takes; undefined if that is unknown, as for a chain. */
  protected abstract readonly longestRun: ResolvedTime | undefined;
  /** What starts the workflow, in the order in which it was added. */
  protected readonly sources: IWorkflowSource[] = [];

  constructor(
    scope: Construct,
    id: string,
    protected readonly props: IdempotentWorkflowProps,
  ) {
    super(scope, id);
  }

  /** Of the sources that have been added. */
  get metricParts(): MeasuredParts {
    const hasDestination = this.props.onFailure !== undefined;
    return measuredParts(this, { sources: [...this.sources], hasDestination, longestRun: this.longestRun });
  }

  /** What came through the sources; without sources, or of Express workflows, every execution. */
  metricDeliveries(props?: MathExpressionOptions): MathExpression {
    const { dispatchers } = this.metricParts;
    const started = dispatchers.length > 0 ? dispatchers : [this.stateMachine];
    return total(
      this.namesOf('deliveries'),
      started.map(machine => machine.metricStarted()),
      { label: 'Deliveries', ...props },
    );
  }

  /** Executions of the workflow that began, from any source. */
  metricStarted(props?: MetricOptions): Metric {
    return this.stateMachine.metricStarted({ label: 'Started', ...props });
  }

  /**
   * Deliveries of sources that started nothing: an execution under the name of their key was running, or its record is
   * finished. Too low by the executions that something else started, such as `startOnce`. Also too low by one for each
   * delivery whose start was not answered, if the execution failed or was stopped before the retry started another one.
   *
   * @throws Error if the workflow has no dispatcher: without sources, and of Express workflows; with recovery also
   * without `metrics`, as what that starts is counted in the log
   */
  metricStoppedByName(props?: MathExpressionOptions): MathExpression {
    const ended = this.dispatchersFor('metricStoppedByName').map(machine => machine.metricSucceeded());
    const recoveries = this.recovery ? [this.metricRecoveries()] : [];
    if (this.recovery?.redelivery) recoveries.push(this.metricRedeliveries());
    const started = [this.metricStarted()];
    return difference(this.namesOf('stoppedByName'), [...ended, ...recoveries], started, {
      label: 'Stopped by name',
      ...props,
    });
  }

  /**
   * Deliveries of sources that could not be started: they are in a dead-letter queue, or back in their queue.
   *
   * @throws Error as `metricStoppedByName`
   */
  metricNotStarted(props?: MathExpressionOptions): MathExpression {
    return total(this.namesOf('notStarted'), this.dispatchersFor('metricNotStarted').flatMap(ends), {
      label: 'Not started',
      ...props,
    });
  }

  /** Redrives of ended executions: each resumes where it stopped. */
  metricRedrives(props?: MetricOptions): Metric {
    return this.stateMachine.metric('ExecutionsRedriven', {
      statistic: Stats.SUM,
      label: 'Redrives',
      ...props,
    });
  }

  /**
   * Executions of recovery that failed: an operator must decide about the event of each.
   *
   * @throws Error without recovery
   */
  metricRecoveryGivenUp(props?: MathExpressionOptions): MathExpression {
    const { stateMachine, search, redelivery } = this.recoveryFor('metricRecoveryGivenUp');
    return total(this.namesOf('givenUp'), [stateMachine, search, redelivery ?? []].flat().flatMap(ends), {
      label: 'Recovery given up',
      ...props,
    });
  }

  /**
   * How long the oldest unfinished key has been unfinished, in seconds: the age of the longest execution, from its
   * start on, or of a recovery from the end of its execution. 0 if nothing runs. The search of recovery puts it, each
   * time (`searchEvery`); the statistic is the maximum over that time. Too low if more than 100,000 executions run:
   * then it is the age of the oldest of the latest 100,000.
   *
   * @throws Error without recovery, and without `metrics`
   */
  metricOldestUnfinished(props?: MetricOptions): Metric {
    const { searchEvery } = this.recoveryFor('metricOldestUnfinished');
    return this.counted(OLDEST_UNFINISHED, {
      statistic: Stats.MAXIMUM,
      period: searchEvery,
      label: 'Oldest unfinished [s]',
      ...props,
    });
  }

  /**
   * Messages that wait in the dead-letter queues of the sources: the most at any time of the period.
   *
   * @throws Error if no source has one
   */
  metricDeadLetters(props?: MathExpressionOptions): MathExpression {
    const { deadLetterQueues } = this.metricParts;
    if (deadLetterQueues.length === 0) {
      throw new Error(
        '`metricDeadLetters` needs a source with a dead-letter queue; call it after `startFrom`',
      );
    }
    const waiting = deadLetterQueues.map(queue =>
      queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    );
    return total(this.namesOf('deadLetters'), waiting, { label: 'Dead letters', ...props });
  }

  /**
   * Events that are lost: EventBridge could neither deliver them nor keep them in the dead-letter queue of the source.
   *
   * @throws Error without a source that is a rule
   */
  metricEventsLost(props?: MathExpressionOptions): MathExpression {
    const { rules } = this.metricParts;
    if (rules.length === 0)
      throw new Error(
        '`metricEventsLost` needs an EventBridge rule or a schedule as source; call it after `startFrom`',
      );
    const lost = rules.map(rule => rule.metricLost());
    return total(this.namesOf('lost'), lost, { label: 'Events lost', ...props });
  }

  /**
   * Executions of the sources' pipes that failed, timed out or were throttled. The pipe retries each of them; a pipe
   * that fails continuously hands over no record behind the one that it fails for, and EventBridge may disable it.
   *
   * @throws Error without a source that is a pipe
   */
  metricPipeFailures(props?: MathExpressionOptions): MathExpression {
    const { pipes } = this.metricParts;
    if (pipes.length === 0)
      throw new Error('`metricPipeFailures` needs a pipe as source; call it after `startFrom`');
    return total(this.namesOf('pipeFailures'), pipes.flatMap(pipeFailures), {
      label: 'Pipe failures',
      ...props,
    });
  }

  /** State transitions of a Standard workflow that were put off, as the account makes more than its quota. */
  metricTransitionsThrottled(props?: MetricOptions): Metric {
    return this.stateMachine.metricThrottled({ label: 'Transitions throttled', ...props });
  }

  /** Executions that ran the step and recorded its result. */
  metricCompleted(props?: MathExpressionOptions): MathExpression {
    const otherwise = [this.counted('ResultsElsewhere'), this.counted('LostClaims')];
    return difference(this.namesOf('completed'), [this.counted('Finalized')], otherwise, {
      label: 'Completed',
      ...props,
    });
  }

  /** Executions that were answered with the result of an earlier one. Most duplicates are stopped by their name. */
  metricAnsweredByRecord(props?: MathExpressionOptions): MathExpression {
    const ends = [this.counted('Succeeded'), this.counted('ResultsElsewhere'), this.counted('LostClaims')];
    return difference(this.namesOf('answered'), ends, [this.counted('Finalized')], {
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

  /** Steps that failed, in percent of those that ran; no data if none ran. */
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
  metricRejected(error?: RejectionCount, props?: MetricOptions): Metric {
    return this.counted(error ?? 'Rejected', props);
  }

  /** Executions that ended before they could say what became of their key: aborted, timed out, out of retries. */
  metricInterrupted(props?: MathExpressionOptions): MathExpression {
    const ends = [this.counted('Failed'), this.counted('CutOff')];
    const told = [this.counted('Rejected'), this.counted('StepFailures'), this.counted('StoredFailures')];
    return difference(this.namesOf('interrupted'), ends, told, { label: 'Interrupted', ...props });
  }

  /**
   * Notices of a failure, a doubt or a rejection that were sent to the destination `onFailure`.
   *
   * @throws Error without one
   */
  metricNoticesSent(props?: MetricOptions): Metric {
    this.requireDestination('metricNoticesSent');
    return this.counted('NoticesSent', props);
  }

  /**
   * Executions that ended without sending a notice, which the destination rejected for hours. A redrive sends it. An
   * execution that was stopped, or whose time was over, while it sent counts in `metricInterrupted` alone.
   *
   * @throws Error as `metricNoticesSent`
   */
  metricNoticesUnsent(props?: MathExpressionOptions): MathExpression {
    this.requireDestination('metricNoticesUnsent');
    const [failed, told] = [this.counted('Failed'), this.counted('Rejected')];
    const own = [this.counted('StepFailures'), this.counted('StoredFailures')];
    // A step's own error may have the name of one of the destination: but then the workflow has told of it.
    const interrupted = difference(this.namesOf('interruptedFailed'), [failed], [told, ...own], {});
    const unsent = this.metricId('unsent');
    return new MathExpression({
      expression: `IF(${interrupted.expression} >= 1, FILL(${unsent}, 0), 0)`,
      usingMetrics: { ...interrupted.usingMetrics, [unsent]: this.counted('NoticesUnsent') },
      label: 'Notices unsent',
      ...props,
    });
  }

  /** Executions that took an unfinished or failed record over to run the step as its next attempt, or tried to. */
  metricTakeovers(props?: MetricOptions): Metric {
    return this.counted('Takeovers', props);
  }

  /** Executions that were started again as their step had failed (`redeliverFailed`). */
  metricRedeliveries(props?: MetricOptions): Metric {
    return this.counted('Redeliveries', props);
  }

  /** Executions that recovery has started, each for one that ended early. */
  metricRecoveries(props?: MetricOptions): Metric {
    return this.counted('Recoveries', props);
  }

  /** Calls of the dispatchers that failed or were throttled, each of which is tried again. */
  metricStartRetries(props?: MetricOptions): Metric {
    return this.counted(START_RETRIES, props);
  }

  private dispatchersFor(method: string): readonly StateMachine[] {
    const { dispatchers } = this.metricParts;
    if (dispatchers.length > 0) return dispatchers;
    throw new Error(
      `\`${method}\` needs a STANDARD workflow with a source, because only such a workflow has a dispatcher`,
    );
  }

  private recoveryFor(method: string): WorkflowRecovery {
    if (this.recovery) return this.recovery;
    throw new Error(`\`${method}\` needs \`recovery\`: Recovery.automatic() on the workflow`);
  }

  private namesOf(sum: string): (index: number) => string {
    return index => this.metricId(`${sum}${index}`);
  }

  /** A name within expressions that no other has in a graph, not even that of another workflow. */
  private metricId(name: string): string {
    return `${name}_${this.node.addr.slice(-8)}`;
  }

  private requireDestination(method: string): void {
    if (this.props.onFailure === undefined)
      throw new Error(
        `\`${method}\` needs \`onFailure\`, because only then notices are sent; set it on the workflow`,
      );
  }

  private counted(metricName: LogCount | typeof OLDEST_UNFINISHED, props?: MetricOptions): Metric {
    if (!this.props.metrics) {
      throw new Error(
        `${this.node.path} needs \`metrics\`: true for the metric ${metricName}, which is counted in its log. ` +
          'Set it on the workflow; CloudWatch bills these metrics',
      );
    }
    const namespace = namespaceOf(this.stateMachine);
    return new Metric({ namespace, metricName, statistic: Stats.SUM, ...props });
  }
}

/** How often a state machine did not do what it is for. */
function ends(machine: StateMachine): IMetric[] {
  return [machine.metricFailed(), machine.metricTimedOut()];
}
