import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type Dashboard,
  type IAlarmAction,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { describeValue } from '../../state-machine/words/describe-value';
import { documentation } from '../../state-machine/words/documentation';
import { validateNames } from '../../state-machine/words/validate-names';
import { requireOwn } from '../cdk/resource-bounds';
import { withConstructPath } from '../cdk/with-construct-path';
import { IdempotentWorkflow } from '../idempotent-workflow';
import { ALARM_NAMES, type AlarmName, alarmsOf } from './alarms';
import { dashboardOf } from './dashboard';

/**
 * Settings of a {@link Monitoring}.
 *
 * @example
 * new Monitoring(this, 'Monitoring', {
 *   workflow,
 *   actions: [new SnsAction(onCall)],
 *   oldestUnfinished: Duration.hours(1),
 * })
 */
export interface MonitoringProps {
  /** The workflow, with `metrics: true`, when all its sources have been added. */
  readonly workflow: IdempotentWorkflow;
  /**
   * What each alarm does when it fires, such as `new SnsAction(topic)` of `aws-cdk-lib/aws-cloudwatch-actions`.
   *
   * @default - nothing but that the console shows it
   */
  readonly actions?: readonly IAlarmAction[];
  /** Alarms that are left out. @default - none */
  readonly except?: readonly AlarmName[];
  /** From how many failures in a hundred runs on the step's failures are an alarm. @default 10 */
  readonly stepFailurePercent?: number;
  /**
   * Fires if the oldest unfinished key is older than this. Choose more than a healthy execution takes.
   *
   * @default - twice the `timeout` of the workflow, or what its function and retries may take, and the two hours that
   * recovery may take. Without a `timeout` the duration of a chain is unknown: no alarm
   */
  readonly oldestUnfinished?: Duration;
  /**
   * From what age on of the oldest record there is an alarm for each pipe from Kinesis: less than the pipe's
   * `maximumRecordAge`. The metric is the stream's own, so that a slow consumer beside the pipe fires it as well.
   *
   * @default - no alarm
   */
  readonly oldestRecord?: Duration;
  /** Whether there is a dashboard, which CloudWatch bills from the fourth one on. @default true */
  readonly dashboard?: boolean;
}

/** The name of every option of a {@link Monitoring}. */
const MONITORING_PROPS: Readonly<Record<keyof MonitoringProps, true>> = {
  workflow: true,
  actions: true,
  except: true,
  stepFailurePercent: true,
  oldestUnfinished: true,
  oldestRecord: true,
  dashboard: true,
};

/**
 * The alarms and the dashboard of a workflow. Duplicates fire none of the alarms. The description of each ends with the
 * address of the page that says what it means, what to look at, and what to type.
 *
 * @example
 * new Monitoring(this, 'Monitoring', { workflow: payments, actions: [new SnsAction(onCall)] });
 * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/monitoring.md
 */
export class Monitoring extends Construct {
  /** The alarms, for composite ones and other actions. */
  readonly alarms: readonly Alarm[];
  readonly dashboard: Dashboard | undefined;

  /**
   * Rejected at synth: a source that is added to the workflow later.
   *
   * @throws Error if the log of the workflow is not counted, and for an option that cannot work
   */
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    withConstructPath(this, () => {
      validate(props);
      requireOwn(
        'Monitoring',
        props.workflow.stateMachine,
        props.workflow.stateMachine.stateMachineArn,
        this,
      );
    });
    const { workflow, actions = [], except = [], stepFailurePercent = 10 } = props;
    const { oldestUnfinished, oldestRecord } = props;
    const thresholds = { stepFailurePercent, oldestUnfinished, oldestRecord };
    const all = withConstructPath(this, () => alarmsOf(workflow, thresholds));
    const wanted = all.filter(({ name }) => !except.includes(name));
    this.alarms = wanted.map(({ name, of = '', says, metric, threshold, periods = 1, datapoints }) => {
      const alarm = new Alarm(this, `${name}${of}`, {
        metric,
        threshold,
        evaluationPeriods: periods,
        ...(datapoints !== undefined && { datapointsToAlarm: datapoints }),
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        alarmDescription: `${workflow.recordScope}: ${says}. ${PAGE}#${name.toLowerCase()}`,
      });
      alarm.addAlarmAction(...actions);
      return alarm;
    });
    const { length } = workflow.metricParts.sources;
    this.node.addValidation({
      validate: () => (workflow.metricParts.sources.length > length ? [ADDED_LATER] : []),
    });
    this.dashboard = (props.dashboard ?? true) ? dashboardOf(this, workflow, this.alarms) : undefined;
  }
}

function validate(props: MonitoringProps): void {
  validateNames('Monitoring', props, MONITORING_PROPS);
  const { workflow, actions = [], except = [], stepFailurePercent = 10 } = props;
  if (!(workflow instanceof IdempotentWorkflow)) {
    throw new Error(`\`workflow\` must be an IdempotentWorkflow, got ${describeValue(workflow)}`);
  }
  const isAction = (one: Partial<IAlarmAction> | null | undefined) => typeof one?.bind === 'function';
  if (!Array.isArray(actions) || !actions.every(isAction)) {
    throw new Error(
      `\`actions\` must be a list of alarm actions such as [new SnsAction(topic)], got ${describeValue(actions)}`,
    );
  }
  if (!Array.isArray(except) || !except.every(name => ALARM_NAMES.includes(name))) {
    throw new Error(
      `\`except\` must be a list of these names: ${ALARM_NAMES.join(', ')}; got ${describeValue(except)}`,
    );
  }
  for (const name of ['oldestUnfinished', 'oldestRecord'] as const) {
    const given = props[name];
    if (given === undefined || (given instanceof Duration && given.toSeconds() > 0)) continue;
    throw new Error(`\`${name}\` must be a Duration such as Duration.hours(3), got ${describeValue(given)}`);
  }
  const isPercent = typeof stepFailurePercent === 'number' && stepFailurePercent > 0;
  if (isPercent && stepFailurePercent <= 100) return;
  throw new Error(
    `\`stepFailurePercent\` must be above 0 and at most 100, got ${describeValue(stepFailurePercent)}. ` +
      "To leave the alarm out, pass `except`: ['StepFailureRate']",
  );
}

const ADDED_LATER =
  '`Monitoring` has no alarms for sources that are added to its `workflow` later. Create it after the last `startFrom`';

/** What each alarm means, under its name. */
const PAGE = documentation('docs/operations/alarms.md');
