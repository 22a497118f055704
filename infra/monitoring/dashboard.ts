import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { IdempotentWorkflow } from '../idempotent-workflow';

/** A page of the console: the alarms, what became of the deliveries, the step, and what is behind it. */
export function dashboardOf(
  scope: Construct,
  workflow: IdempotentWorkflow,
  alarms: readonly Alarm[],
): Dashboard {
  const { dispatchers, deadLetterQueues, hasDestination, pipes, rules } = workflow.metricParts;
  const hasDispatcher = dispatchers.length > 0;
  const rejections = [workflow.metricRejected('ForeignRecord', { label: 'Foreign record' })];
  const rows: IWidget[][] = [
    [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WIDTH })],
    [
      graph('Deliveries', [
        workflow.metricDeliveries(),
        workflow.metricStarted(),
        ...(hasDispatcher ? [workflow.metricStoppedByName()] : []),
      ]),
      graph('What became of them', [
        workflow.metricCompleted(),
        workflow.metricAnsweredByRecord(),
        workflow.metricInProgress({ label: 'In progress' }),
        workflow.metricStepFailures({ label: 'Step failed' }),
        workflow.metricStoredFailures({ label: 'Stored failure' }),
        ...(hasDestination ? [workflow.metricNoticesSent({ label: 'Notices sent' })] : []),
        ...(hasDestination ? [workflow.metricNoticesUnsent()] : []),
      ]),
    ],
    [
      graph('Rejected', [
        workflow.metricInvalidEvent({ label: 'Invalid event' }),
        workflow.metricPayloadMismatch({ label: 'Payload mismatch' }),
        workflow.metricInDoubt({ label: 'In doubt' }),
        ...rejections,
      ]),
      graph(
        'Interrupted and recovered',
        [
          workflow.metricInterrupted(),
          workflow.metricRedrives(),
          workflow.metricTakeovers({ label: 'Takeovers' }),
          ...(workflow.recovery ? [workflow.metricRecoveries({ label: 'Recoveries' })] : []),
          ...(workflow.recovery ? [workflow.metricRecoveryGivenUp()] : []),
        ],
        workflow.recovery ? [workflow.metricOldestUnfinished()] : [],
      ),
    ],
    [
      graph('Step', [workflow.metricStepRuns({ label: 'Runs' })], [workflow.metricStepFailureRate()]),
      graph('Not started', [
        ...(hasDispatcher ? [workflow.metricNotStarted()] : []),
        ...(hasDispatcher ? [workflow.metricStartRetries({ label: 'Retries' })] : []),
        ...(deadLetterQueues.length > 0 ? [workflow.metricDeadLetters()] : []),
        ...(rules.length > 0 ? [workflow.metricEventsLost()] : []),
        ...(pipes.length > 0 ? [workflow.metricPipeFailures()] : []),
        ...[workflow.stateMachine, ...dispatchers].map(machine => machine.metricThrottled()),
      ]),
    ],
  ];
  return new Dashboard(scope, 'Dashboard', { widgets: rows });
}

/** Of a row. */
const WIDTH = 24;

function graph(title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left, right, width: WIDTH / 2 });
}
