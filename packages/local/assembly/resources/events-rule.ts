import { isJsonObject, type JsonObject } from '../../json/json';
import type { RuleSpec, RuleTargetSpec } from '../assembly';
import type { ResourceReader } from '../resource-reader';
import type { Identity, ResourceType } from '../resource-type';
import type { Section } from '../section';
import { arnOf } from '../stack';

/** EventBridge takes no longer rule name. */
const NAME_CHARACTERS_MAX = 64;
/** The bus every account has; rules that name none listen to it, and its rules have shorter ids. */
const DEFAULT_BUS = 'default';

/** AWS::Events::Rule, with its targets. */
export const EVENT_RULE: ResourceType = {
  nameProperty: 'Name',
  nameLimit: NAME_CHARACTERS_MAX,
  ref: identity => ruleId(identity, '|'),
  attributes: { Arn: arn },
  read: resource => ({ kind: 'rule', spec: readRule(resource) }),
};

function readRule(resource: ResourceReader): RuleSpec {
  const pattern = readPattern(resource);
  const schedule = resource.optionalText('ScheduleExpression');
  if (pattern === undefined && schedule === undefined) {
    resource.problem('EventPattern', 'is missing; a rule needs a pattern or a ScheduleExpression');
  }
  return {
    logicalId: resource.logicalId,
    stack: resource.stack.name,
    arn: arn(resource.identity),
    name: resource.identity.name,
    eventBusName: busName(resource.identity),
    ...(pattern && { pattern }),
    ...(schedule !== undefined && { schedule }),
    enabled: resource.optionalText('State') !== 'DISABLED',
    targets: resource.objects('Targets').map(readTarget),
  };
}

function readPattern(resource: ResourceReader): JsonObject | undefined {
  const pattern = resource.value('EventPattern');
  return pattern === undefined || isJsonObject(pattern)
    ? pattern
    : resource.problem('EventPattern', 'must be an object');
}

function readTarget(target: Section): RuleTargetSpec {
  const input = target.optionalText('Input');
  const inputPath = target.optionalText('InputPath');
  const transformer = target.object('InputTransformer');
  const deadLetterArn = target.object('DeadLetterConfig')?.optionalText('Arn');
  const retryPolicy = target.object('RetryPolicy');
  return {
    id: target.text('Id'),
    arn: target.text('Arn'),
    ...(input !== undefined && { input }),
    ...(inputPath !== undefined && { inputPath }),
    ...(transformer && {
      inputTransformer: {
        inputPathsMap: transformer.textMap('InputPathsMap'),
        inputTemplate: transformer.text('InputTemplate'),
      },
    }),
    ...(deadLetterArn !== undefined && { deadLetterArn }),
    ...(retryPolicy && { retryPolicy: readRetryPolicy(retryPolicy) }),
  };
}

function readRetryPolicy(policy: Section): RuleTargetSpec['retryPolicy'] {
  const maximumEventAgeInSeconds = policy.optionalNumber('MaximumEventAgeInSeconds');
  const maximumRetryAttempts = policy.optionalNumber('MaximumRetryAttempts');
  return {
    ...(maximumEventAgeInSeconds !== undefined && { maximumEventAgeInSeconds }),
    ...(maximumRetryAttempts !== undefined && { maximumRetryAttempts }),
  };
}

function arn(identity: Identity): string {
  return arnOf(identity.environment, 'events', `rule/${ruleId(identity, '/')}`);
}

function ruleId(identity: Identity, separator: string): string {
  const bus = busName(identity);
  return bus === DEFAULT_BUS ? identity.name : `${bus}${separator}${identity.name}`;
}

/** `EventBusName` may be a name or an ARN, whose last part is the name. */
function busName(identity: Identity): string {
  return identity.property('EventBusName')?.split('/').at(-1) || DEFAULT_BUS;
}
