import { arnOf } from '../../../assembly/stack';
import type { Identity, Read, ResourceReader, ResourceSpec, ResourceType } from '../../../assembly/types';
import { present } from '../../../json/present';
import { readDelivery } from '../cloudformation';
import type { EventTarget } from '../target/target';
import type { ScheduleTimes } from './expression';

/** A schedule of EventBridge Scheduler, as a template deploys it. Its target has the input as a constant. */
export interface ScheduleSpec extends ResourceSpec, ScheduleTimes {
  readonly arn: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly target: EventTarget;
}

/** EventBridge Scheduler takes no longer name. */
const NAME_CHARACTERS_MAX = 64;

/** AWS::Scheduler::Schedule. One whose target is any API operation is not run. */
export const SCHEDULE: ResourceType<ScheduleSpec> = {
  nameProperty: 'Name',
  nameLimit: NAME_CHARACTERS_MAX,
  attributes: { Arn: scheduleArn },
  read: readSchedule,
};

/** AWS::Scheduler::ScheduleGroup: a part of the ARNs of its schedules. */
export const SCHEDULE_GROUP: ResourceType = {
  nameProperty: 'Name',
  nameLimit: NAME_CHARACTERS_MAX,
  attributes: { Arn: ({ environment, name }) => arnOf(environment, 'scheduler', `schedule-group/${name}`) },
  inert: true,
};

function scheduleArn({ environment, name, property }: Identity): string {
  return arnOf(environment, 'scheduler', `schedule/${property('GroupName') ?? 'default'}/${name}`);
}

function readSchedule(resource: ResourceReader): Read<ScheduleSpec> {
  return {
    arn: scheduleArn(resource.identity),
    name: resource.identity.name,
    enabled: resource.optionalText('State') !== 'DISABLED',
    expression: resource.text('ScheduleExpression'),
    ...present({
      timeZone: resource.optionalText('ScheduleExpressionTimezone'),
      startDate: dateIn(resource, 'StartDate'),
      endDate: dateIn(resource, 'EndDate'),
    }),
    target: readTarget(resource),
  };
}

function readTarget(resource: ResourceReader): EventTarget {
  const target = resource.object('Target');
  if (!target) resource.problem('Target', 'is missing');
  const arn = target?.text('Arn') ?? '';
  if (arn.includes(':aws-sdk:')) resource.notRun('its target is an API operation');
  return {
    id: 'target',
    arn,
    input: target?.optionalText('Input') ?? '{}',
    ...(target && readDelivery(target)),
  };
}

function dateIn(resource: ResourceReader, name: string): number | undefined {
  const text = resource.optionalText(name);
  if (text === undefined) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? resource.problem(name, `must be a date and time, got ${text}`) : date;
}
