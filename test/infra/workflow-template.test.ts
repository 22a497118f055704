import { App, CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Key,
  OnFailed,
  OnInProgress,
  Recovery,
  Source,
  StoreError,
  workflowTemplate,
} from '../../infra/index';
import { exportedDefinition } from '../../infra/template/exported-definition';
import type { Plain, PlainObject } from '../../infra/template/plain';

const KEY = '{% $states.input.detail.orderId %}';
const http = (options: PlainObject): PlainObject => ({
  idempotencyKey: KEY,
  sources: [{ http: { resource: 'payments', ...options } }],
});
const UNCHECKED = "{% 'order-' & $states.input.detail.orderId %}";
const PATTERN = { source: ['shop.orders'] };
const BUS = { eventBridge: { eventPattern: PATTERN } };
const STEP = 'arn:aws:lambda:us-east-1:111111111111:function:charge';

type Resources = Readonly<Record<string, PlainObject>>;

const resourcesOf = (template: PlainObject) => template['Resources'] as unknown as Resources;

/** What CDK deploys for the same props, in an app that has the same parameters. */
function ofConstruct(props: Partial<IdempotentWorkflowProps>): PlainObject {
  const app = new App({ context: { '@aws-cdk/aws-iam:minimizePolicies': true } });
  const stack = new Stack(app, 'Construct');
  const seconds = new CfnParameter(stack, 'RetentionSeconds', { type: 'Number' }).valueAsNumber;
  const functionArn = new CfnParameter(stack, 'StepFunctionArn').valueAsString;
  const workflow = new IdempotentWorkflow(stack, 'Workflow', {
    idempotencyKey: KEY,
    retention: Duration.seconds(seconds),
    step: LambdaFunction.fromFunctionAttributes(stack, 'Step', { functionArn, sameEnvironment: true }),
    stepTimeout: Duration.minutes(15),
    ...props,
  });
  workflow.startFrom(Source.eventBridge(EventBus.fromEventBusName(stack, 'EventBus', 'default'), PATTERN));
  return app.synth().getStackByName('Construct').template;
}

/** The state machines and their statements, with the construct's logical ids shortened. */
function machinesOf(template: PlainObject): PlainObject {
  const resources = resourcesOf(template);
  const machines = Object.keys(resources).filter(
    id => resources[id]?.['Type'] === 'AWS::StepFunctions::StateMachine',
  );
  const entries = machines.map(id => [inShort(id), exportedDefinition(template, id)] as const);
  return JSON.parse(inShort(JSON.stringify(Object.fromEntries(entries))));
}

const inShort = (text: string) => text.replace(/\bWorkflow(\w*?)[0-9A-F]{8}(?=\b|Arn|Name)/g, '$1');

describe('the template of a workflow', () => {
  test.each<[string, PlainObject, Partial<IdempotentWorkflowProps>]>([
    ['no other props', {}, {}],
    [
      'a payload, waiting, stored failures, a longer step',
      {
        payload: '{% $states.input.detail %}',
        onDuplicateInProgress: { wait: 'PT5M' },
        onFailedBefore: 'returnStoredFailure',
        storeError: { upTo: 100 },
        stepTimeout: 'PT2M',
        recovery: { automatic: { searchEvery: 'PT30M' } },
      },
      {
        payload: '{% $states.input.detail %}',
        onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)),
        onFailedBefore: OnFailed.returnStoredFailure(),
        storeError: StoreError.upTo(100),
        stepTimeout: Duration.minutes(2),
        recovery: Recovery.automatic({ searchEvery: Duration.minutes(30) }),
      },
    ],
    [
      'a key that is meant although the table of forms does not have it',
      { idempotencyKey: { unchecked: { expression: UNCHECKED, reason: 'the ids of our ERP' } } },
      { idempotencyKey: Key.unchecked(UNCHECKED, { reason: 'the ids of our ERP' }) },
    ],
    [
      'stored failures of some errors',
      { onFailedBefore: { returnStoredFailure: { errors: ['CardDeclined'] } } },
      { onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined'] }) },
    ],
    [
      'at most once, retries, no recovery',
      { retry: { errors: ['Busy'], interval: 'PT2S' }, recovery: 'none' },
      { retry: { errors: ['Busy'], interval: Duration.seconds(2) }, recovery: Recovery.none() },
    ],
  ])('%s: the state machines and policies of the construct', (_name, plain, props) => {
    const { template } = workflowTemplate({ idempotencyKey: KEY, ...plain, sources: [BUS] });

    expect(machinesOf(template)).toEqual(machinesOf(ofConstruct({ scope: 'Workflow', ...props })));
  });

  test('needs no bootstrap: no assets, no metadata, functions inline', () => {
    const { template, warnings } = workflowTemplate({ idempotencyKey: KEY, sources: [BUS, { queue: {} }] });

    const resources = Object.values(resourcesOf(template));
    const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(Object.keys(template).sort()).toEqual(['Outputs', 'Parameters', 'Resources']);
    expect(resources.filter(({ Metadata }) => Metadata !== undefined)).toEqual([]);
    expect(functions).toHaveLength(3);
    for (const { Properties } of functions)
      expect(Properties).toMatchObject({ Code: { ZipFile: expect.stringContaining('handler') } });
    expect(warnings).toEqual([]);
  });

  test('a custom event bus has the subscriber of the construct', () => {
    const eventBus = 'arn:aws:events:us-east-1:111111111111:event-busv2/orders/1a2b3c';
    const sources = [{ customEventBus: { eventBus, filter: { data: PATTERN }, batchSize: 5 } }];

    const { template } = workflowTemplate({ idempotencyKey: KEY, step: STEP, sources });

    const subscribers = Object.values(resourcesOf(template)).filter(
      ({ Type }) => Type === 'AWS::EventsV2::Subscriber',
    );
    expect(subscribers).toMatchObject([
      {
        Properties: {
          EventBusArn: eventBus,
          BatchConfiguration: { MaxBatchSize: 5 },
          FilterConfiguration: { Filters: [{ Scope: 'DATA', Pattern: JSON.stringify(PATTERN) }] },
        },
      },
    ]);
  });

  test('what differs between deployments is a parameter, with what the file says as its default', () => {
    const sources = [{ eventBridge: { eventBus: 'shop', eventPattern: PATTERN } }, BUS];

    const { template } = workflowTemplate({ idempotencyKey: KEY, step: STEP, retention: 'P1D', sources });

    expect(template['Parameters']).toMatchObject({
      StepFunctionArn: { Type: 'String', Default: STEP },
      RetentionSeconds: { Type: 'Number', Default: 86_400, MinValue: 7200 },
      EventBusName: { Default: 'shop' },
      EventBus2Name: { Default: 'default' },
    });
  });

  test('without `permissionsBoundary` and `monitoring`: no parameter, no boundary and no alarm', () => {
    const text = JSON.stringify(workflowTemplate({ idempotencyKey: KEY, sources: [BUS] }).template);

    expect(text).not.toMatch(/PermissionsBoundary|AlarmTopic|CloudWatch::Alarm/);
  });

  test('`permissionsBoundary`: every role has it, out of a parameter', () => {
    const permissionsBoundary = 'arn:aws:iam::111111111111:policy/boundary';
    const sources: PlainObject[] = [
      BUS,
      { queue: { input: "{% {'detail': $states.input} %}" } },
      { http: { resource: 'payments', input: "{% {'detail': $states.input.body} %}" } },
    ];
    const { template } = workflowTemplate({
      idempotencyKey: '{% $states.input.detail.id %}',
      permissionsBoundary,
      sources,
    });

    const roles = Object.values(resourcesOf(template)).filter(({ Type }) => Type === 'AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(8);
    for (const { Properties } of roles)
      expect(Properties).toMatchObject({ PermissionsBoundary: { Ref: 'PermissionsBoundaryArn' } });
    expect(template['Parameters']).toMatchObject({
      PermissionsBoundaryArn: { Default: permissionsBoundary },
    });
  });

  test('`monitoring`: the alarms of the construct, which notify the topic of a parameter', () => {
    const topic = 'arn:aws:sns:eu-west-1:111111111111:on-call';
    const monitoring = { topic, except: ['EventsLost'], oldestUnfinished: 'PT1H', dashboard: false };
    const { template } = workflowTemplate({ idempotencyKey: KEY, monitoring, sources: [BUS] });
    const resources = Object.values(resourcesOf(template));
    const alarms = resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');

    expect(alarms.length).toBeGreaterThan(5);
    for (const { Properties } of alarms)
      expect(Properties).toMatchObject({ AlarmActions: [{ Ref: 'AlarmTopicArn' }] });
    expect(JSON.stringify(alarms)).not.toContain('#eventslost');
    expect(resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Dashboard')).toEqual([]);
    expect(template['Parameters']).toMatchObject({ AlarmTopicArn: { Default: topic } });
  });

  test('what is of another account or region is named by its ARN', () => {
    const records = 'arn:aws:dynamodb:eu-west-1:222222222222:table/records';
    const orders = 'arn:aws:events:eu-west-1:222222222222:event-bus/default';
    const { template } = workflowTemplate({
      idempotencyKey: KEY,
      table: records,
      sources: [{ eventBridge: { eventBus: orders, eventPattern: PATTERN } }],
    });
    const text = JSON.stringify(template);

    expect(text).toContain(`\\"TableName\\":\\"${records}`);
    expect(text).not.toContain('\\"TableName\\":\\"records');
    expect(text).toContain(`"EventBusName":"${orders}"`);
    expect(template['Parameters']).not.toHaveProperty('EventBusName');
  });

  test.each<[string, PlainObject, string]>([
    ['an option', { monitoring: { topics: [] } }, 'Monitoring has no option `topics`'],
    ['an alarm', { monitoring: { except: ['Nothing'] } }, '`except` must be a list of these names: '],
  ])('%s that there cannot be: rejected', (_, plain, message) => {
    expect(() => workflowTemplate({ idempotencyKey: KEY, sources: [BUS], ...plain })).toThrow(message);
  });

  test.each<[string, PlainObject, number]>([
    ['searches', { recovery: { automatic: { searchEvery: 'P1D' } } }, 172_800],
    [
      'the waits of failed events',
      { recovery: { automatic: { redeliverFailed: { maxAttempts: 3, maxDelay: 'PT12H' } } } },
      86_400,
    ],
    ['the step', { stepTimeout: 'PT10H' }, 72_000],
  ])('a retention cannot be deployed that is too short for %s', (_name, plain, shortest) => {
    const { template } = workflowTemplate({ idempotencyKey: KEY, ...plain });

    expect(template['Parameters']).toMatchObject({ RetentionSeconds: { MinValue: shortest } });
  });

  test('a retention that only the deployment knows is calculated with there', () => {
    const { template } = workflowTemplate({ idempotencyKey: KEY, sources: [BUS] });

    const recovery = JSON.stringify(machinesOf(template)['RecoveryStateMachine']);
    const kept = String.raw`\$min\(\[\$\{RetentionSeconds\}, \$\{RetentionSeconds\}\]\) - \d+`;
    expect(recovery).toMatch(new RegExp(String.raw`\$readAt < \$min\(\[3600, ${kept}\]\) \* 1000`));
    expect(recovery).toMatch(new RegExp(String.raw`\$owner\.startDate \+ \(${kept}\) \* 1000`));
  });

  test('a retention that is too short to be a parameter stays in the definition', () => {
    const { template } = workflowTemplate({ idempotencyKey: KEY, retention: 'PT1H' });

    expect(template['Parameters']).not.toHaveProperty('RetentionSeconds');
    expect(JSON.stringify(machinesOf(template)['StateMachine'])).toContain('3600');
  });

  test('every source, and what exists by its ARN', () => {
    const { template, warnings } = workflowTemplate({
      idempotencyKey: '{% $states.input.idempotencyKey %}',
      table: 'records',
      scope: 'Payments',
      stateMachineName: 'payments',
      onFailure: { eventBus: { eventBus: 'default', rejections: true } },
      onSuccess: { queue: { queue: 'arn:aws:sqs:us-east-1:111111111111:done' } },
      results: { inBucket: { bucket: 'results', prefix: 'pay/' } },
      payload: '{% $states.input.body %}',
      keepPayload: true,
      sources: [
        { http: { resource: 'payments', methodOptions: { authorizationType: 'AWS_IAM' } } },
        { topic: { keep: ['body'] } },
        {
          queue: {
            keep: ['body'],
            queue: 'arn:aws:sqs:us-east-1:111111111111:orders',
            visibilityTimeout: 'PT3M',
            maxReceiveCount: 5,
          },
        },
      ],
    });

    const types = Object.values(resourcesOf(template)).map(({ Type }) => Type);
    expect(types).toEqual(expect.arrayContaining(['AWS::ApiGateway::Method', 'AWS::SNS::Topic']));
    expect(types).not.toContain('AWS::DynamoDB::Table');
    expect(warnings).toEqual([]);
  });

  test('a schedule, in a time zone', () => {
    const schedule = { schedule: 'rate(1 hour)', timeZone: 'Europe/Berlin' };
    const { template } = workflowTemplate({
      idempotencyKey: '{% $states.input.time %}',
      sources: [{ schedule }],
    });

    expect(Object.values(resourcesOf(template))).toContainEqual(
      expect.objectContaining({
        Type: 'AWS::Scheduler::Schedule',
        Properties: expect.objectContaining({ ScheduleExpressionTimezone: 'Europe/Berlin' }),
      }),
    );
  });

  test('by HTTP: a composite key, and the hash of a part of the request', () => {
    const of = (idempotencyKey: Plain) => {
      const { template } = workflowTemplate({
        idempotencyKey: '{% $states.input.idempotencyKey %}',
        payload: '{% $states.input.body %}',
        sources: [{ http: { resource: 'payments', idempotencyKey } }],
      });
      return JSON.stringify(template);
    };

    expect(of(['{% $states.input.body.a %}', '{% $states.input.body.b %}'])).toContain(
      "$given := [{'v': ($states.input.body.a)}, {'v': ($states.input.body.b)}]",
    );
    expect(of({ ofPayload: '{% $states.input.body %}' })).toContain("{'at': '', 'v': ($states.input.body)}");
  });

  test('the definition alone: its references, and the statements that its role needs', () => {
    const { asl } = workflowTemplate({ idempotencyKey: KEY, recovery: 'none' });

    expect(asl.substitutions).toMatchObject({
      Records: { Ref: 'Records' },
      StepFunctionArn: { Ref: 'StepFunctionArn' },
      AWSPartition: { Ref: 'AWS::Partition' },
    });
    expect(JSON.stringify(asl.definition)).toContain('${Records}');
    expect(asl.statements).toContainEqual(
      expect.objectContaining({
        Action: expect.arrayContaining(['dynamodb:PutItem']),
        Resource: '${RecordsArn}',
      }),
    );
  });

  test.each<[Plain, string]>([
    [[], '`props` must be an object, got []'],
    [{ idempotencyKey: KEY, retention: '90 days' }, '`retention` takes an ISO 8601 duration such as PT5M'],
    [{ idempotencyKey: KEY, retension: 'P1D' }, 'IdempotentWorkflow has no option `retension`'],
    [
      { idempotencyKey: KEY, onFailedBefore: 'return' },
      '`onFailedBefore` takes retry or returnStoredFailure, got "return"',
    ],
    [
      { idempotencyKey: KEY, onFailedBefore: { returnStoredFailure: { errors: 'CardDeclined' } } },
      '`errors` of `OnFailed.returnStoredFailure` must be 1 to 100 different names',
    ],
    [
      { idempotencyKey: KEY, onFailedBefore: { returnStoredFailure: { error: ['CardDeclined'] } } },
      'OnFailed.returnStoredFailure has no option `error`. Did you mean `errors`?',
    ],
    [
      { idempotencyKey: KEY, recovery: { automatic: { every: 1 } } },
      'Recovery.automatic has no option `every`',
    ],
    [{ idempotencyKey: KEY, logs: {} }, '`logs` needs a log group of an app'],
    [{ idempotencyKey: KEY, sources: {} }, '`sources` must be a list such as'],
    [{ idempotencyKey: KEY, sources: [{ pipe: {} }] }, 'for streams, use the construct'],
    [{ idempotencyKey: KEY, sources: [{ eventBridge: {} }] }, '`Source.eventBridge` takes an event pattern'],
    [{ idempotencyKey: KEY, sources: [{ customEventBus: {} }] }, '`customEventBus.eventBus` must be a text'],
    [{ idempotencyKey: KEY, sources: [{ queue: { batch: 1 } }] }, 'Source.queue has no option `batch`'],
    [http({ methodOptions: { authoriser: {} } }), '`http.methodOptions` has no option `authoriser`'],
    [http({ methodOptions: { authorizationType: 'iam' } }), 'onType` must be AWS_IAM or NONE, got "iam"'],
    [http({ methodOptions: { apiKeyRequired: 'yes' } }), 'apiKeyRequired` must be true or false, got "yes"'],
    [http({ cors: null }), '`http.cors` must be an object, got null'],
    [http({ cors: { allowOrigin: ['*'] } }), 'no option `allowOrigin`. Did you mean `allowOrigins`?'],
    [http({ cors: { allowOrigins: ['*'], maxAge: 5 } }), '`http.cors.maxAge` must be an ISO 8601 duration'],
    [
      http({ cors: { allowOrigins: ['*'], statusCode: 500 } }),
      'Code` must be a whole number from 200 to 299',
    ],
    [
      { idempotencyKey: KEY, step: 'charge.py' },
      '`step` must be the ARN of a deployed Lambda function, got "charge.py". To run a file locally',
    ],
    [{ idempotencyKey: KEY, step: 7 }, '`step` must be a text such as the ARN of a Lambda function, got 7'],
    [{}, '`idempotencyKey` is required: a JSONata expression'],
  ])('rejects %j: %s', (props, message) => {
    expect(() => workflowTemplate(props)).toThrow(message);
  });
});
