import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct, Node } from 'constructs';
import { RECOVERY_LASTS } from '../../state-machine/recovery/recovery-states';
import { ResolvedTime } from '../../state-machine/template/resolved-time';
import type { IdempotentWorkflow } from '../idempotent-workflow';
import { pipeFailures } from '../metrics/measured-parts';
import { total } from '../metrics/metric-math';

/** The alarms of a {@link Monitoring}. Each has a section of its name in docs/operations/alarms.md. */
export const ALARM_NAMES = [
  'ClaimLost',
  'DeadLetters',
  'EventsLost',
  'FunctionErrors',
  'InDoubt',
  'Interrupted',
  'NotStarted',
  'NoticesUnsent',
  'OldestRecord',
  'OldestUnfinished',
  'PipeFailures',
  'RecoveryGivenUp',
  'Rejected',
  'StartRetries',
  'StepFailureRate',
  'TableThrottled',
  'TransitionsThrottled',
] as const;

/**
 * The name of one of them.
 *
 * @example
 * new Monitoring(this, 'Monitoring', { workflow, except: ['OldestRecord'] })
 */
export type AlarmName = (typeof ALARM_NAMES)[number];

/** When an alarm fires. */
export interface AlarmDefinition {
  readonly name: AlarmName;
  /** Tells the alarms of one name apart. */
  readonly of?: string;
  /** What it means, in one sentence. */
  readonly says: string;
  readonly metric: IMetric;
  /** From this value on. */
  readonly threshold: number;
  /** Periods in a row that are looked at. @default 1 */
  readonly periods?: number;
  /** In how many of them the metric reaches the threshold. @default - all */
  readonly datapoints?: number;
}

/** From what on alarms fire that are a matter of taste. */
export interface AlarmThresholds {
  readonly stepFailurePercent: number;
  /** For how long a key may be unfinished; undefined: as long as one that is well, and recovery, may take. */
  readonly oldestUnfinished: Duration | undefined;
  /** How old a record of a stream may be when it is read; undefined: of any age. */
  readonly oldestRecord: Duration | undefined;
}

/** Below so many runs in five minutes a rate says nothing. */
const RUNS_MIN = 10;
/** Retries that the SDK and AWS fix automatically stay below this. */
const START_RETRIES_MIN = 10;
const FUNCTION_ERRORS = 3;

/**
 * The alarms that fit a workflow, by its type, delivery and sources. None fires for a duplicate.
 *
 * @throws Error if the log of the workflow is not counted
 */
export function alarmsOf(workflow: IdempotentWorkflow, thresholds: AlarmThresholds): AlarmDefinition[] {
  return [
    ...deadLetters(workflow),
    ...eventsLost(workflow),
    ...pipes(workflow),
    ...oldestRecord(workflow, thresholds.oldestRecord),
    ...(workflow.metricParts.dispatchers.length > 0 ? startAlarms(workflow) : []),
    ...outcomeAlarms(workflow),
    ...noticesUnsent(workflow),
    ...oldestUnfinished(workflow, thresholds.oldestUnfinished),
    stepFailureRate(workflow, thresholds.stepFailurePercent),
    {
      name: 'TableThrottled',
      says: 'DynamoDB throttles requests for the records; throttled requests are retried for hours',
      metric: sum(
        ['WriteThrottleEvents', 'ReadThrottleEvents'].map(name =>
          workflow.table.metric(name, { statistic: Stats.SUM }),
        ),
      ),
      threshold: 1,
      periods: 3,
      datapoints: 2,
    },
    ...transitionsThrottled(workflow),
    ...functionErrors(workflow),
  ];
}

function deadLetters({ metricParts, node }: IdempotentWorkflow): AlarmDefinition[] {
  return metricParts.deadLetterQueues.map(queue => ({
    name: 'DeadLetters',
    of: queue.node.path.startsWith(`${node.path}/`) ? idWithin(node, queue) : queue.node.id,
    says: 'events wait in a dead-letter queue: you must resend or delete them',
    metric: queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    threshold: 1,
  }));
}

function eventsLost({ metricParts, node }: IdempotentWorkflow): AlarmDefinition[] {
  return metricParts.rules.map(rule => ({
    name: 'EventsLost',
    of: idWithin(node, rule),
    says: 'events are lost: EventBridge could neither deliver them nor store them in the dead-letter queue',
    metric: rule.metricLost(),
    threshold: 1,
  }));
}

function pipes({ metricParts, node }: IdempotentWorkflow): AlarmDefinition[] {
  return metricParts.pipes.map(pipe => ({
    name: 'PipeFailures',
    of: idWithin(node, pipe),
    says: 'a pipe fails, times out or is throttled for a quarter of an hour: its records might be blocked',
    metric: sum(pipeFailures(pipe)),
    threshold: 1,
    periods: 3,
  }));
}

function oldestRecord({ metricParts }: IdempotentWorkflow, given: Duration | undefined): AlarmDefinition[] {
  if (!given) return [];
  const measured = metricParts.sources.flatMap(({ id, recordAge }) => (recordAge ? [{ id, recordAge }] : []));
  if (measured.length === 0) {
    throw new Error(
      '`oldestRecord` needs a Source.pipe with a Kinesis stream: AWS measures the age of records only there. Leave it out',
    );
  }
  return measured.map(({ id, recordAge }) => ({
    name: 'OldestRecord',
    of: id.replace(/[^A-Za-z0-9]/g, ''),
    says: `a record of the stream is read more than ${given.toHumanString()} after it was written`,
    metric: recordAge,
    threshold: given.toMilliseconds(),
    periods: 2,
  }));
}

function idWithin(workflow: Node, part: IConstruct): string {
  return part.node.path.slice(workflow.path.length + 1).replace(/[^A-Za-z0-9]/g, '');
}

function startAlarms(workflow: IdempotentWorkflow): AlarmDefinition[] {
  return [
    ...byFives(workflow.metricParts.dispatchers, some => ({
      name: 'NotStarted',
      says: 'events could not be started: they are in a dead-letter queue, or their queue or bus delivers them again',
      metric: sum(some.flatMap(one => [one.metricFailed(), one.metricTimedOut()])),
      threshold: 1,
    })),
    {
      name: 'StartRetries',
      says: 'starts and reads of the dispatchers fail or are throttled for a quarter of an hour',
      metric: workflow.metricStartRetries(),
      threshold: START_RETRIES_MIN,
      periods: 3,
    },
  ];
}

function outcomeAlarms(workflow: IdempotentWorkflow): AlarmDefinition[] {
  const rejected = (['ForeignRecord', 'ResultUnavailable'] as const).map(name =>
    workflow.metricRejected(name),
  );
  return [
    {
      name: 'InDoubt',
      says: 'an execution cannot know whether its step has run: its key is held for review until you release it',
      metric: workflow.metricHeld(),
      threshold: 1,
    },
    {
      name: 'ClaimLost',
      says: 'a step succeeded after another execution had taken over its key: the step might have run twice',
      metric: workflow.metricRejected('ClaimLost'),
      threshold: 1,
    },
    {
      name: 'Rejected',
      says: 'deliveries were rejected permanently: no usable key, another payload, or a wrong setting',
      metric: sum([workflow.metricInvalidEvent(), workflow.metricPayloadMismatch(), ...rejected]),
      threshold: 1,
    },
    workflow.recovery
      ? {
          name: 'RecoveryGivenUp',
          says: 'recovery holds a key for review, could not complete an event, or fails itself',
          metric: workflow.metricRecoveryGivenUp(),
          threshold: 1,
        }
      : {
          name: 'Interrupted',
          says: 'executions ended before their record was finished: you must redrive them or release their keys',
          metric: workflow.metricInterrupted(),
          threshold: 1,
        },
  ];
}

function noticesUnsent(workflow: IdempotentWorkflow): AlarmDefinition[] {
  if (!workflow.metricParts.hasDestination) return [];
  return [
    {
      name: 'NoticesUnsent',
      says: 'a failure is recorded, but its notice could not be sent for hours',
      metric: workflow.metricNoticesUnsent(),
      threshold: 1,
    },
  ];
}

/** An Express workflow has no quota of transitions. */
function transitionsThrottled(workflow: IdempotentWorkflow): AlarmDefinition[] {
  if (workflow.stateMachine.stateMachineType === StateMachineType.EXPRESS) return [];
  return [
    {
      name: 'TransitionsThrottled',
      says: 'Step Functions throttles the transitions of the workflow: the account exceeds its quota',
      metric: workflow.metricTransitionsThrottled(),
      threshold: 1,
      periods: 3,
      datapoints: 2,
    },
  ];
}

/** None if it is unknown how long a healthy execution may take. */
function oldestUnfinished(workflow: IdempotentWorkflow, given: Duration | undefined): AlarmDefinition[] {
  if (!workflow.recovery) return [];
  const { longestRun } = workflow.metricParts;
  // One that was redriven is as old as its first run.
  const longest = given ? ResolvedTime.of(given) : longestRun?.plus(longestRun).plus(RECOVERY_LASTS);
  if (!longest) return [];
  return [
    {
      name: 'OldestUnfinished',
      says: `an event is not completed after ${longest.words}: a call is denied, or the event waits`,
      metric: workflow.metricOldestUnfinished(),
      threshold: longest.count(),
      // A search that comes a little late leaves a period without data.
      periods: 2,
      datapoints: 1,
    },
  ];
}

function stepFailureRate(workflow: IdempotentWorkflow, percent: number): AlarmDefinition {
  return {
    name: 'StepFailureRate',
    says: `the business step fails in at least ${percent} percent of its runs`,
    metric: new MathExpression({
      expression: `IF(runs >= ${RUNS_MIN}, 100 * FILL(failures, 0) / runs, 0)`,
      usingMetrics: { runs: workflow.metricStepRuns(), failures: workflow.metricStepFailures() },
      label: 'Step failures [%]',
    }),
    threshold: percent,
    periods: 3,
    datapoints: 2,
  };
}

function functionErrors({ metricParts }: IdempotentWorkflow): AlarmDefinition[] {
  const period = Duration.minutes(15);
  return byFives(metricParts.functions, some => ({
    name: 'FunctionErrors',
    says: 'a function that starts from a queue, checks its messages or redrives ended executions fails',
    metric: sum(
      some.flatMap(one => [one.metricErrors({ period }), one.metricThrottles({ period })]),
      period,
    ),
    threshold: FUNCTION_ERRORS,
  }));
}

/** An alarm may be about ten metrics (hard limit): one for every five of those that have two. */
function byFives<Part>(
  parts: readonly Part[],
  alarm: (some: readonly Part[]) => AlarmDefinition,
): AlarmDefinition[] {
  const alarms = Math.ceil(parts.length / 5);
  return Array.from({ length: alarms }, (_, index) => ({
    ...alarm(parts.slice(5 * index, 5 * index + 5)),
    ...(index > 0 && { of: String(index + 1) }),
  }));
}

function sum(metrics: readonly IMetric[], period?: Duration): MathExpression {
  return total(index => `m${index}`, metrics, period && { period });
}
