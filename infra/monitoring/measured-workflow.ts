import type { Duration } from 'aws-cdk-lib';
import {
  type IMetric,
  MathExpression,
  type MathExpressionOptions,
  Metric,
  type MetricOptions,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { OLDEST_UNFINISHED } from '../../state-machine/recovery/running-states';
import { DeadLetterQueue } from '../private/dead-letter-queue';
import { Dispatcher } from '../private/dispatcher';
import type { IWorkflowSource } from '../sources/source';
import { type LogCount, namespaceOf, type RefusalCount, START_RETRIES } from './log-counts';

/** The parts of a workflow that metrics and alarms are about. Sources that are added later are not among them. */
export interface MeasuredParts {
  readonly sources: readonly IWorkflowSource[];
  /** The Express state machines of the sources. */
  readonly dispatchers: readonly StateMachine[];
  /** Where events are kept that could not be delivered, started or read: those of the sources. */
  readonly deadLetterQueues: readonly IQueue[];
  /** The package's own functions, which redrive, and start from queues. */
  readonly functions: readonly LambdaFunction[];
  /** The longest that an execution takes which is well; undefined where nobody knows, as of a chain. */
  readonly longestRun: Duration | undefined;
}

/**
 * The metrics of a workflow. None costs a transition or an invocation; those that are counted in the log need
 * `metrics: true`, and throw an Error without it. The statistic is the sum over five minutes, unless said otherwise.
 *
 * Every delivery of a source is counted by `metricDeliveries`, and ends as one of: stopped by its name, not started, in
 * progress, another `Idempotency.*` error, completed, answered by the record, failed in its step, answered by a stored
 * failure, or died. An end after a redrive counts once more, as does the redrive, and the end of what recovery starts.
 *
 * CloudWatch gets metrics and logs of Step Functions by best effort: late, or never.
 *
 * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/monitoring.md
 */
export abstract class MeasuredWorkflow extends Construct {
  /** The state machine that runs the business step. */
  abstract readonly stateMachine: StateMachine;
  /** What brings dead executions to their end; undefined where nobody does. */
  abstract readonly recovery:
    | { readonly stateMachine: StateMachine; readonly search: StateMachine; readonly searchEvery: Duration }
    | undefined;
  protected abstract readonly longestRun: Duration | undefined;
  /** Whether the log is counted. */
  protected abstract readonly isLogCounted: boolean;
  /** What starts the workflow, in the order in which it was added. */
  protected readonly sources: IWorkflowSource[] = [];

  /** Of the sources that have been added. */
  get measuredParts(): MeasuredParts {
    const all = this.node.findAll();
    return {
      sources: [...this.sources],
      dispatchers: all.flatMap(one => (one instanceof Dispatcher ? [one.stateMachine] : [])),
      deadLetterQueues: [
        ...all.filter(one => one instanceof DeadLetterQueue),
        ...this.sources.flatMap(({ deadLetterQueues = [] }) => deadLetterQueues),
      ],
      functions: all.filter(one => one instanceof LambdaFunction),
      longestRun: this.longestRun,
    };
  }

  /** What came through the sources; without sources, or of Express workflows, every execution. */
  metricDeliveries(props?: MathExpressionOptions): MathExpression {
    const { dispatchers } = this.measuredParts;
    const started = dispatchers.length > 0 ? dispatchers : [this.stateMachine];
    return this.total(
      'deliveries',
      started.map(machine => machine.metricStarted()),
      { label: 'Deliveries', ...props },
    );
  }

  /** Executions of the workflow that began, whoever started them. */
  metricStarted(props?: MetricOptions): Metric {
    return this.stateMachine.metricStarted({ label: 'Started', ...props });
  }

  /**
   * Deliveries of sources that started nothing: an execution under the name of their key was running, or its record is
   * finished. Too low by the executions that something else started, such as `startOnce`.
   *
   * @throws Error where the workflow has no dispatcher: without sources, and of Express workflows; with recovery also
   * without `metrics`, as what that starts is counted in the log
   */
  metricStoppedByName(props?: MathExpressionOptions): MathExpression {
    const ended = this.dispatchersFor('metricStoppedByName').map(machine => machine.metricSucceeded());
    const recoveries = this.recovery ? [this.metricRecoveries()] : [];
    const started = [this.metricStarted()];
    return this.difference('stoppedByName', [...ended, ...recoveries], started, {
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
    return this.total('notStarted', this.dispatchersFor('metricNotStarted').flatMap(ends), {
      label: 'Not started',
      ...props,
    });
  }

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

  /** Deliveries that ended with `Idempotency.MissingKey`. */
  metricMissingKey(props?: MetricOptions): Metric {
    return this.counted('MissingKey', props);
  }

  /** Deliveries that ended with `Idempotency.InDoubt`: the one that parked the key, and those that found it parked. */
  metricInDoubt(props?: MetricOptions): Metric {
    return this.counted('InDoubt', props);
  }

  /** Deliveries that parked their key, or found at that moment that another one had. */
  metricParked(props?: MetricOptions): Metric {
    return this.counted('Parked', props);
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

  /** Executions that took an unfinished or failed record over to run the step as its next attempt, or tried to. */
  metricTakeovers(props?: MetricOptions): Metric {
    return this.counted('Takeovers', props);
  }

  /** Dead executions that went on where they had stopped, whoever brought them back. */
  metricRedrives(props?: MetricOptions): Metric {
    return this.stateMachine.metric('ExecutionsRedriven', {
      statistic: Stats.SUM,
      label: 'Redrives',
      ...props,
    });
  }

  /** Executions that recovery has started, each for one that had died. */
  metricRecoveries(props?: MetricOptions): Metric {
    return this.counted('Recoveries', props);
  }

  /**
   * Executions of recovery that failed: each stands for an event that is left to a person.
   *
   * @throws Error without recovery
   */
  metricRecoveryGivenUp(props?: MathExpressionOptions): MathExpression {
    if (!this.recovery) throw new Error('`metricRecoveryGivenUp` needs `recovery`: Recovery.automatic()');
    const { stateMachine, search } = this.recovery;
    return this.total('givenUp', [stateMachine, search].flatMap(ends), {
      label: 'Recovery given up',
      ...props,
    });
  }

  /**
   * For how long the oldest unfinished key has been so, in seconds: what has been running for longest, an execution
   * from its start on, or a recovery from when its execution had died. 0 where nothing runs. The search of recovery
   * puts it, each time (`searchEvery`); the statistic is the maximum over that time. Too low where more than 100,000
   * executions run: then it is the age of the oldest of the latest 100,000.
   *
   * @throws Error without recovery, and without `metrics`
   */
  metricOldestUnfinished(props?: MetricOptions): Metric {
    if (!this.recovery) throw new Error('`metricOldestUnfinished` needs `recovery`: Recovery.automatic()');
    const { searchEvery } = this.recovery;
    return this.counted(OLDEST_UNFINISHED, {
      statistic: Stats.MAXIMUM,
      period: searchEvery,
      label: 'Oldest unfinished [s]',
      ...props,
    });
  }

  /** Calls of the dispatchers that failed or were throttled, each of which is tried again. */
  metricStartRetries(props?: MetricOptions): Metric {
    return this.counted(START_RETRIES, props);
  }

  /**
   * Messages that wait in the dead-letter queues of the sources: the most at any time of the period.
   *
   * @throws Error where no source has one
   */
  metricDeadLetters(props?: MathExpressionOptions): MathExpression {
    const { deadLetterQueues } = this.measuredParts;
    if (deadLetterQueues.length === 0) {
      throw new Error('`metricDeadLetters` needs a source with a dead-letter queue');
    }
    const waiting = deadLetterQueues.map(queue =>
      queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    );
    return this.total('deadLetters', waiting, { label: 'Dead letters', ...props });
  }

  private counted(metricName: LogCount | typeof OLDEST_UNFINISHED, props?: MetricOptions): Metric {
    if (!this.isLogCounted) {
      throw new Error(
        `${this.node.path}: the metric ${metricName} is one of the workflow's own, which CloudWatch bills: give the ` +
          'workflow `metrics`: true',
      );
    }
    const namespace = namespaceOf(this.stateMachine);
    return new Metric({ namespace, metricName, statistic: Stats.SUM, ...props });
  }

  private total(id: string, metrics: readonly IMetric[], props: MathExpressionOptions): MathExpression {
    return this.difference(id, metrics, [], props);
  }

  /** A sum without others. A metric without data counts as 0. */
  private difference(
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
  private metricId(name: string): string {
    return `${name}_${this.node.addr.slice(-8)}`;
  }

  private dispatchersFor(method: string): readonly StateMachine[] {
    const { dispatchers } = this.measuredParts;
    if (dispatchers.length > 0) return dispatchers;
    throw new Error(`\`${method}\` needs a source, and a STANDARD workflow: nothing else has a dispatcher`);
  }
}

/** How often a state machine did not do what it is for. */
function ends(machine: StateMachine): IMetric[] {
  return [machine.metricFailed(), machine.metricTimedOut()];
}
