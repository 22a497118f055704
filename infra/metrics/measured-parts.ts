import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { ResolvedTime } from '../../state-machine/template/resolved-time';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { Dispatcher } from '../nested/dispatcher';
import { SourceRule } from '../nested/source-rule';
import { SourceSchedule } from '../nested/source-schedule';
import type { IWorkflowSource } from '../sources/workflow-source';

/** The parts of a workflow that metrics and alarms are about. Sources that are added later are not among them. */
export interface MeasuredParts {
  readonly sources: readonly IWorkflowSource[];
  /** The Express state machines of the sources that start executions. */
  readonly dispatchers: readonly StateMachine[];
  /** The queues of events that could not be delivered, started or read: those of the sources. */
  readonly deadLetterQueues: readonly IQueue[];
  /** The rules and schedules of the sources, whose events have a dead-letter queue. */
  readonly rules: readonly (SourceRule | SourceSchedule)[];
  /** The pipes of the sources. */
  readonly pipes: readonly CfnPipe[];
  /** The package's own functions, which redrive, and start from queues. */
  readonly functions: readonly LambdaFunction[];
  /** Whether failures are sent somewhere (`onFailure`). */
  readonly hasDestination: boolean;
  /** The longest that a healthy execution takes; undefined if that is unknown, as for a chain. */
  readonly longestRun: ResolvedTime | undefined;
}

/** The parts within a workflow, and what is known of it. */
export function measuredParts(
  workflow: Construct,
  given: Pick<MeasuredParts, 'sources' | 'hasDestination' | 'longestRun'>,
): MeasuredParts {
  const all = workflow.node.findAll();
  return {
    ...given,
    dispatchers: all.flatMap(one => (one instanceof Dispatcher && one.starts ? [one.stateMachine] : [])),
    deadLetterQueues: [
      ...all.filter(one => one instanceof DeadLetterQueue),
      ...given.sources.flatMap(({ deadLetterQueues = [] }) => deadLetterQueues),
    ],
    rules: all.filter(one => one instanceof SourceRule || one instanceof SourceSchedule),
    pipes: all.filter(one => one instanceof CfnPipe),
    functions: all.filter(one => one instanceof LambdaFunction),
  };
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
