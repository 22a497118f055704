import { type Duration, type TimeZone, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { SourceSchedule } from '../nested/source-schedule';
import { validateDuration } from '../validation/props';
import { startFromOwnQueue } from './own-queue';
import type { IStartableWorkflow, IWorkflowSource, SourceOptions } from './workflow-source';

/**
 * A schedule expression of `aws-scheduler` or of `aws-events`: `rate(…)`, `cron(…)`, and for the first `at(…)`.
 *
 * @example
 * Source.schedule(ScheduleExpression.cron({ minute: '0' }))
 */
export interface IScheduleExpression {
  readonly expressionString: string;
  /** @default - UTC */
  readonly timeZone?: TimeZone | undefined;
}

/**
 * Settings of `Source.schedule`.
 *
 * @example
 * Source.schedule(atEight, { flexibleWindow: Duration.minutes(15) })
 */
export interface ScheduleSourceOptions extends SourceOptions {
  /** The time zone, if the schedule has none or `Etc/UTC`, CDK's default. @default - UTC */
  readonly timeZone?: TimeZone;
  /**
   * How much later than its time the schedule may fire, 1 minute to 24 hours: what is due at the same time is spread.
   * The scheduled time in the input is the one before the window.
   *
   * @default - it fires at its time
   */
  readonly flexibleWindow?: Duration;
}

const OPTIONS: Readonly<Record<keyof ScheduleSourceOptions, true>> = {
  id: true,
  timeZone: true,
  flexibleWindow: true,
};

/**
 * Starts the workflow at the times of a schedule; the scheduled time is the key.
 *
 * @example
 * workflow.startFrom(Source.schedule(ScheduleExpression.rate(Duration.hours(1))));
 */
export class ScheduleSource implements IWorkflowSource {
  readonly id: string;

  constructor(
    private readonly schedule: IScheduleExpression,
    private readonly options: ScheduleSourceOptions,
  ) {
    const { id = 'Schedule' } = options ?? {};
    this.id = id;
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    validateSchedule(this.schedule, this.options);
    const { schedule } = this;
    const { flexibleWindow } = this.options;
    const dispatcher = workflow.startByKey(scope, {
      envelope: 'schedule',
      deadLetterQueue: () => new DeadLetterQueue(scope, 'NotStarted'),
    });
    // An Express execution cannot be described, so the queue keeps the event until one has succeeded.
    const target = workflow.outcomes ? dispatcher : startFromOwnQueue(scope, workflow);
    const timeZone = zoneOf(schedule, this.options);
    new SourceSchedule(scope, 'Schedule', {
      expression: schedule.expressionString,
      ...(timeZone !== undefined && { timeZone }),
      ...(flexibleWindow && { flexibleWindow }),
      target,
      deadLetterQueue: new DeadLetterQueue(scope, 'NotDelivered'),
    });
  }
}

/** The time zone that `ScheduleExpression` has if it is given none. */
const UTC = 'Etc/UTC';

/** The time zone of a schedule, or of the option if the schedule has none or CDK's default. */
function zoneOf({ timeZone }: IScheduleExpression, options: ScheduleSourceOptions): string | undefined {
  const isOwn = timeZone !== undefined && timeZone.timezoneName !== UTC;
  return (isOwn ? timeZone : (options.timeZone ?? timeZone))?.timezoneName;
}

/** A time zone in a message. */
function nameOf(zone: string | undefined): string {
  return Token.isUnresolved(zone) ? 'a token' : String(zone);
}

const EXPRESSION = /^(rate|cron|at)\(.+\)$/;
const WINDOW_MINUTES_MAX = 24 * 60;

function validateSchedule(schedule: IScheduleExpression, options: ScheduleSourceOptions): void {
  const expression: unknown = schedule?.expressionString;
  if (typeof expression !== 'string' || !(Token.isUnresolved(expression) || EXPRESSION.test(expression))) {
    const example = 'ScheduleExpression.rate(Duration.hours(1))';
    throw new Error(
      `\`Source.schedule\` takes a schedule such as ${example}, got ${describeValue(expression ?? schedule)}`,
    );
  }
  validateNames('Source.schedule', options, OPTIONS);
  const { timeZone, flexibleWindow } = options;
  if (timeZone !== undefined && typeof timeZone?.timezoneName !== 'string') {
    throw new Error(
      `\`timeZone\` must be a TimeZone such as TimeZone.EUROPE_BERLIN, got ${describeValue(timeZone)}`,
    );
  }
  const zone = zoneOf(schedule, options);
  if (timeZone && timeZone.timezoneName !== zone) {
    throw new Error(
      `\`timeZone\` is ${nameOf(timeZone.timezoneName)}, but the schedule has ${nameOf(zone)}. Leave one of them out`,
    );
  }
  validateDuration(flexibleWindow, 'flexibleWindow', 'Duration.minutes(15)');
  const minutes = flexibleWindow?.toMinutes({ integral: false }) ?? 1;
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > WINDOW_MINUTES_MAX) {
    throw new Error(
      `\`flexibleWindow\` must be whole minutes from 1 minute to 24 hours, got ${flexibleWindow?.toHumanString()}`,
    );
  }
}
