import type { Json, JsonObject } from '../../json/json';
import type { ApiMethod } from './apis';
import { type Resource, withoutUndefined } from './resource';

interface Event {
  /** The logical id of what it becomes. */
  readonly id: string;
  readonly type: string;
  readonly properties: JsonObject;
}

/** What an event starts. */
interface Target {
  readonly id: string;
  readonly arn: JsonObject;
  readonly isFunction: boolean;
  readonly implicitApi: string;
}

/** The resources and methods that an event of a function or of a state machine becomes. */
export function eventResources(
  event: Event,
  target: Target,
): { readonly resources: Readonly<Record<string, Resource>>; readonly methods: readonly ApiMethod[] } {
  const { id, type, properties } = event;
  const made = (Type: string, Properties: Readonly<Record<string, Json | undefined>>) => {
    return { resources: { [id]: { Type, Properties: withoutUndefined(Properties) } }, methods: [] };
  };
  const { Name, State, Enabled } = properties;
  switch (type) {
    case 'EventBridgeRule':
    case 'CloudWatchEvent': {
      const { Pattern: EventPattern, EventBusName } = properties;
      const Targets = [ruleTarget(event, target)];
      return made('AWS::Events::Rule', {
        Name: properties['RuleName'],
        EventBusName,
        EventPattern,
        State,
        Targets,
      });
    }
    case 'Schedule': {
      const { Schedule: ScheduleExpression } = properties;
      const state = State ?? (Enabled === false || Enabled === 'false' ? 'DISABLED' : undefined);
      return made('AWS::Events::Rule', {
        Name,
        ScheduleExpression,
        State: state,
        Targets: [ruleTarget(event, target)],
      });
    }
    case 'ScheduleV2': {
      const {
        Input,
        RetryPolicy,
        DeadLetterConfig,
        RoleArn,
        PermissionsBoundary: _,
        OmitName: __,
        ...others
      } = properties;
      const Target = withoutUndefined({
        Arn: target.arn,
        RoleArn: RoleArn ?? '',
        Input,
        RetryPolicy,
        DeadLetterConfig,
      });
      return made('AWS::Scheduler::Schedule', { FlexibleTimeWindow: { Mode: 'OFF' }, ...others, Target });
    }
    case 'SQS': {
      const { Queue: EventSourceArn, ...others } = properties;
      return made('AWS::Lambda::EventSourceMapping', {
        ...others,
        EventSourceArn,
        FunctionName: { Ref: target.id },
      });
    }
    case 'SNS': {
      const { Topic: TopicArn, ...others } = properties;
      return made('AWS::SNS::Subscription', {
        ...others,
        TopicArn,
        Protocol: 'lambda',
        Endpoint: target.arn,
      });
    }
    case 'Api':
      return { resources: {}, methods: [apiMethod(event, target)] };
    default:
      // Listed as not run, by this name.
      return made(`AWS::Serverless::Event::${type}`, {});
  }
}

function ruleTarget({ properties }: Event, { arn }: Target): JsonObject {
  const { Input, InputPath, InputTransformer, RetryPolicy, DeadLetterConfig } = properties;
  return withoutUndefined({
    Id: 'Target',
    Arn: arn,
    Input,
    InputPath,
    InputTransformer,
    RetryPolicy,
    DeadLetterConfig,
  });
}

function apiMethod({ properties }: Event, target: Target): ApiMethod {
  const { Path: path, Method: method, RestApiId: api } = properties;
  const named = typeof api === 'object' && api !== null && 'Ref' in api ? api['Ref'] : api;
  return {
    api: String(named ?? target.implicitApi),
    path: String(path),
    method: String(method),
    integration: target.isFunction ? functionIntegration(target) : startIntegration(target),
  };
}

function functionIntegration({ id }: Target): JsonObject {
  const uri =
    'arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Fn}/invocations';
  return {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: { 'Fn::Sub': [uri, { Fn: { 'Fn::GetAtt': [id, 'Arn'] } }] },
  };
}

/** As SAM writes it: the body is the input, and the answer is that of StartExecution. */
function startIntegration({ id }: Target): JsonObject {
  const text = '{"input": "$util.escapeJavaScript($input.json(\'$\'))", "stateMachineArn": "${Machine}"}';
  return {
    type: 'aws',
    httpMethod: 'POST',
    uri: { 'Fn::Sub': 'arn:${AWS::Partition}:apigateway:${AWS::Region}:states:action/StartExecution' },
    requestTemplates: { 'application/json': { 'Fn::Sub': [text, { Machine: { Ref: id } }] } },
    responses: { 200: { statusCode: '200' }, 400: { statusCode: '400' } },
  };
}
