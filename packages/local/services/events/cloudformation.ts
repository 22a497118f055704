import { arnOf } from '../../assembly/stack';
import type {
  Identity,
  Read,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  Section,
} from '../../assembly/types';
import { isJsonObject, type JsonObject } from '../../json/json';
import { present } from '../../json/present';
import { DEFAULT_BUS, type EventRule, busName as nameOfBus } from './rules';
import type { EventTarget } from './target/target';

/** A custom event bus, as a template deploys it. The account's `default` bus always exists and is none of them. */
export interface EventBusSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
}

/** A rule, as a template deploys it; its bus is given by name also where the template gives the ARN. */
export interface RuleSpec extends EventRule, ResourceSpec {
  readonly arn: string;
  readonly pattern?: JsonObject;
}

/** EventBridge takes no longer rule name. */
const NAME_CHARACTERS_MAX = 64;

/** AWS::Events::EventBus. */
export const EVENT_BUS: ResourceType<EventBusSpec> = {
  nameProperty: 'Name',
  attributes: { Arn: busArn, Name: ({ name }) => name },
  read: ({ identity }) => ({ arn: busArn(identity), name: identity.name }),
};

/** AWS::Events::Rule, with its targets. */
export const RULE: ResourceType<RuleSpec> = {
  nameProperty: 'Name',
  nameLimit: NAME_CHARACTERS_MAX,
  ref: identity => ruleId(identity, '|'),
  attributes: { Arn: ruleArn },
  read: readRule,
};

function busArn({ environment, name }: Identity): string {
  return arnOf(environment, 'events', `event-bus/${name}`);
}

function readRule(resource: ResourceReader): Read<RuleSpec> {
  const pattern = readPattern(resource);
  const schedule = resource.optionalText('ScheduleExpression');
  if (hasSpecialDay(schedule)) resource.notRun('its cron has L, W or #, which are not run here');
  if (pattern === undefined && schedule === undefined) {
    resource.problem('EventPattern', 'is missing; a rule needs a pattern or a ScheduleExpression');
  }
  return {
    arn: ruleArn(resource.identity),
    name: resource.identity.name,
    eventBusName: busName(resource.identity),
    ...(pattern && { pattern }),
    ...(schedule !== undefined && { schedule }),
    enabled: resource.optionalText('State') !== 'DISABLED',
    targets: resource.objects('Targets').map(readTarget),
  };
}

/** Whether a cron has a day that only the calendar of a month knows, such as the last one. */
function hasSpecialDay(schedule = ''): boolean {
  const [, days = '', , weekdays = ''] = /^cron\(\S+ +\S+ +(\S+) +(\S+) +(\S+)/.exec(schedule) ?? [];
  return /[LW]/i.test(days) || /L$|#/i.test(weekdays);
}

function readPattern(resource: ResourceReader): JsonObject | undefined {
  const pattern = resource.value('EventPattern');
  return pattern === undefined || isJsonObject(pattern)
    ? pattern
    : resource.problem('EventPattern', 'must be an object');
}

function readTarget(target: Section): EventTarget {
  const transformer = target.object('InputTransformer');
  return {
    id: target.text('Id'),
    arn: target.text('Arn'),
    ...present({ input: target.optionalText('Input'), inputPath: target.optionalText('InputPath') }),
    ...(transformer && {
      inputTransformer: {
        inputPathsMap: transformer.textMap('InputPathsMap'),
        inputTemplate: transformer.text('InputTemplate'),
      },
    }),
    ...readDelivery(target),
  };
}

/** What becomes of what a target does not take: how often it is tried again, and where it goes then. */
export function readDelivery(target: Section): Pick<EventTarget, 'deadLetterArn' | 'retryPolicy'> {
  const retryPolicy = target.object('RetryPolicy');
  return present({
    deadLetterArn: target.object('DeadLetterConfig')?.optionalText('Arn'),
    retryPolicy:
      retryPolicy &&
      present({
        maximumEventAgeInSeconds: retryPolicy.optionalNumber('MaximumEventAgeInSeconds'),
        maximumRetryAttempts: retryPolicy.optionalNumber('MaximumRetryAttempts'),
      }),
  });
}

function ruleArn(identity: Identity): string {
  return arnOf(identity.environment, 'events', `rule/${ruleId(identity, '/')}`);
}

/** Rules of the default bus have shorter ids. */
function ruleId(identity: Identity, separator: string): string {
  const bus = busName(identity);
  return bus === DEFAULT_BUS ? identity.name : `${bus}${separator}${identity.name}`;
}

/** `EventBusName` may be a name or an ARN, whose last part is the name. */
function busName(identity: Identity): string {
  return nameOfBus(identity.property('EventBusName') || DEFAULT_BUS);
}
