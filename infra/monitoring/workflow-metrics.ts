import type { Duration } from 'aws-cdk-lib';
import {
  type IMetric,
  type MathExpression,
  type MathExpressionOptions,
  Metric,
  type MetricOptions,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { OLDEST_UNFINISHED } from '../../state-machine/recovery/running-states';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { Dispatcher } from '../nested/dispatcher';
import { SourceRule } from '../nested/source-rule';
import { SourceSchedule } from '../nested/source-schedule';
import type { IWorkflowSource } from '../sources/source';
import { WorkflowWithLogMetrics } from './log-metrics';

/** The parts of a workflow that metrics and alarms are about. Sources that are added later are not among them. */
export interface MeasuredParts {
  readonly sources: readonly IWorkflowSource[];
  /** The Express state machines of the sources. */
  readonly dispatchers: readonly StateMachine[];
  /** Where events are kept that could not be delivered, started or read: those of the sources. */
  readonly deadLetterQueues: readonly IQueue[];
  /** The rules and schedules of the sources, whose events have a dead-letter queue. */
  readonly rules: readonly (SourceRule | SourceSchedule)[];
  /** The pipes of the sources. */
  readonly pipes: readonly CfnPipe[];
  /** The package's own functions, which redrive, and start from queues. */
  readonly functions: readonly LambdaFunction[];
  /** Whether failures are sent somewhere (`onFailure`). */
  readonly hasDestination: boolean;
  /** The longest that an execution takes which is well; undefined where nobody knows, as of a chain. */
  readonly longestRun: Duration | undefined;
}

/**
 * The metrics of a workflow. None costs a delivery a transition or an invocation; those that are counted in the log
 * need `metrics: true`, and throw an Error without it. The statistic is the sum over five minutes, unless said
 * otherwise.
 *
 * Every delivery of a source is counted by `metricDeliveries`, and ends as one of: stopped by its name, not started, in
 * progress, another `Idempotency.*` error, completed, answered by the record, failed in its step, answered by a stored
 * failure, or died. An end after a redrive counts once more, as does the redrive, and the end of what recovery starts.
 *
 * CloudWatch gets metrics and logs of Step Functions by best effort: late, or never.
 *
 * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/monitoring.md
 */
export abstract class WorkflowWithMetrics extends WorkflowWithLogMetrics {
  /** What brings dead executions to their end; undefined where nobody does. */
  abstract readonly recovery:
    | {
        readonly stateMachine: StateMachine;
        readonly search: StateMachine;
        readonly searchEvery: Duration;
        readonly redelivery: StateMachine | undefined;
      }
    | undefined;
  protected abstract readonly longestRun: Duration | undefined;
  /** What starts the workflow, in the order in which it was added. */
  protected readonly sources: IWorkflowSource[] = [];

  /** Of the sources that have been added. */
  get metricParts(): MeasuredParts {
    const all = this.node.findAll();
    return {
      sources: [...this.sources],
      dispatchers: all.flatMap(one => (one instanceof Dispatcher ? [one.stateMachine] : [])),
      deadLetterQueues: [
        ...all.filter(one => one instanceof DeadLetterQueue),
        ...this.sources.flatMap(({ deadLetterQueues = [] }) => deadLetterQueues),
      ],
      rules: all.filter(one => one instanceof SourceRule || one instanceof SourceSchedule),
      pipes: all.filter(one => one instanceof CfnPipe),
      functions: all.filter(one => one instanceof LambdaFunction),
      hasDestination: this.hasDestination,
      longestRun: this.longestRun,
    };
  }

  /** What came through the sources; without sources, or of Express workflows, every execution. */
  metricDeliveries(props?: MathExpressionOptions): MathExpression {
    const { dispatchers } = this.metricParts;
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
    if (this.recovery?.redelivery) recoveries.push(this.metricRedeliveries());
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

  /** Dead executions that went on where they had stopped, whoever brought them back. */
  metricRedrives(props?: MetricOptions): Metric {
    return this.stateMachine.metric('ExecutionsRedriven', {
      statistic: Stats.SUM,
      label: 'Redrives',
      ...props,
    });
  }

  /**
   * Executions of recovery that failed: each stands for an event that is left to a person.
   *
   * @throws Error without recovery
   */
  metricRecoveryGivenUp(props?: MathExpressionOptions): MathExpression {
    if (!this.recovery)
      throw new Error('`metricRecoveryGivenUp` needs `recovery`: Recovery.automatic() on the workflow');
    const { stateMachine, search, redelivery } = this.recovery;
    return this.total('givenUp', [stateMachine, search, redelivery ?? []].flat().flatMap(ends), {
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
    if (!this.recovery)
      throw new Error('`metricOldestUnfinished` needs `recovery`: Recovery.automatic() on the workflow');
    const { searchEvery } = this.recovery;
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
   * @throws Error where no source has one
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
    return this.total('deadLetters', waiting, { label: 'Dead letters', ...props });
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
    return this.total('lost', lost, { label: 'Events lost', ...props });
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
    return this.total('pipeFailures', pipes.flatMap(pipeFailures), { label: 'Pipe failures', ...props });
  }

  /** State transitions of a Standard workflow that were put off, as the account makes more than its quota. */
  metricTransitionsThrottled(props?: MetricOptions): Metric {
    return this.stateMachine.metricThrottled({ label: 'Transitions throttled', ...props });
  }

  private dispatchersFor(method: string): readonly StateMachine[] {
    const { dispatchers } = this.metricParts;
    if (dispatchers.length > 0) return dispatchers;
    throw new Error(
      `\`${method}\` needs a STANDARD workflow with a source, because only such a workflow has a dispatcher`,
    );
  }
}

/**
 * How often a pipe could not hand its records over.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-monitoring.html
 */
export function pipeFailures(pipe: CfnPipe): Metric[] {
  return ['ExecutionFailed', 'ExecutionTimeout', 'ExecutionThrottled'].map(
    metricName =>
      new Metric({
        namespace: 'AWS/EventBridge/Pipes',
        metricName,
        dimensionsMap: { PipeName: pipe.ref },
        statistic: Stats.SUM,
      }),
  );
}

/** How often a state machine did not do what it is for. */
function ends(machine: StateMachine): IMetric[] {
  return [machine.metricFailed(), machine.metricTimedOut()];
}
