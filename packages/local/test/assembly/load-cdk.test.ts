import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { App, CfnOutput, Duration, Size, Stack, Stage } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { LoadOptions } from '../../assembly/load';
import type { Assembly } from '../../load-assembly';
import { loadAssembly } from '../../load-assembly';
import { temporaryDirectory } from './assembly-directory';

const directory = temporaryDirectory();
const code = path.join(directory, 'code');
mkdirSync(code);
writeFileSync(path.join(code, 'index.js'), 'exports.handler = async () => 1;');
const definitionFile = path.join(directory, 'definition.json');
const DEFINITION = '{"StartAt":"A","States":{"A":{"Type":"Pass","Output":"${Table}","End":true}}}';
writeFileSync(definitionFile, DEFINITION);

/** Synthesizes an app and loads it; fails with the problems if there are any. */
function load(
  name: string,
  build: (app: App) => void,
  options: LoadOptions & { context?: object } = {},
): Assembly {
  const outdir = path.join(directory, name);
  const app = new App({ outdir, context: { ...options.context } });
  build(app);
  app.synth();
  const result = loadAssembly(outdir, options);
  if (result.kind === 'assembly') return result.assembly;
  throw new Error(JSON.stringify(result.problems, null, 2));
}

function newFunction(stack: Stack, id: string, props: Partial<lambda.FunctionProps> = {}): lambda.Function {
  const runtime = lambda.Runtime.NODEJS_20_X;
  return new lambda.Function(stack, id, {
    runtime,
    handler: 'index.handler',
    code: lambda.Code.fromAsset(code),
    ...props,
  });
}

function newTable(stack: Stack, id: string): dynamodb.Table {
  const partitionKey = { name: 'pk', type: dynamodb.AttributeType.STRING };
  return new dynamodb.Table(stack, id, { partitionKey, billingMode: dynamodb.BillingMode.PAY_PER_REQUEST });
}

describe('state machines of a CDK app', () => {
  test('definition with tokens: names and ARNs of the local resources are filled in', () => {
    const assembly = load('tokens', app => {
      const stack = new Stack(app, 'Main');
      const put = tasks.DynamoPutItem.jsonata(stack, 'Put', {
        table: newTable(stack, 'Table'),
        item: { pk: tasks.DynamoAttributeValue.fromString('{% $states.input.id %}') },
      });
      const invoke = tasks.LambdaInvoke.jsonata(stack, 'Invoke', {
        lambdaFunction: newFunction(stack, 'Fn'),
      });
      new sfn.StateMachine(stack, 'Machine', {
        queryLanguage: sfn.QueryLanguage.JSONATA,
        definitionBody: sfn.DefinitionBody.fromChainable(put.next(invoke)),
        stateMachineType: sfn.StateMachineType.EXPRESS,
      });
    });

    const [machine] = assembly.stateMachines;
    const states = JSON.parse(machine?.definitionText ?? '').States;

    expect(machine).toMatchObject({
      type: 'EXPRESS',
      stack: 'Main',
      name: expect.stringMatching(/^Main-Machine/),
    });
    expect(machine?.arn).toBe(`arn:aws:states:us-east-1:111111111111:stateMachine:${machine?.name}`);
    expect(machine?.roleArn).toMatch(/^arn:aws:iam::111111111111:role\/Main-MachineRole/);
    expect(states.Put.Resource).toBe('arn:aws:states:::dynamodb:putItem');
    expect(states.Put.Arguments.TableName).toBe(assembly.tables[0]?.name);
    expect(states.Invoke.Arguments.FunctionName).toBe(assembly.functions[0]?.arn);
  });

  test('definition from a file with substitutions: text of the asset, names filled in', () => {
    const assembly = load('file', app => {
      const stack = new Stack(app, 'Main');
      new sfn.StateMachine(stack, 'Machine', {
        stateMachineName: 'orders',
        definitionBody: sfn.DefinitionBody.fromFile(definitionFile),
        definitionSubstitutions: { Table: newTable(stack, 'Table').tableName },
      });
    });

    const [machine] = assembly.stateMachines;

    expect(machine).toMatchObject({ name: 'orders', type: 'STANDARD' });
    expect(machine?.definitionText).toBe(DEFINITION.replace('${Table}', assembly.tables[0]?.name ?? ''));
  });

  test('generated name over 80 characters: shortened, still unique', () => {
    const assembly = load('long', app => {
      const stack = new Stack(app, 'S'.repeat(70));
      for (const id of ['OneOfTwoMachines', 'OneOfTwoMachinesMore']) {
        const pass = sfn.Pass.jsonata(stack, `${id}Pass`);
        new sfn.StateMachine(stack, id, { definitionBody: sfn.DefinitionBody.fromChainable(pass) });
      }
    });

    const names = assembly.stateMachines.map(({ name }) => name);

    expect(names.map(name => name.length)).toEqual([80, 80]);
    expect(new Set(names).size).toBe(2);
  });
});

describe('functions of a CDK app', () => {
  test('settings given: taken over, environment resolved', () => {
    const assembly = load('fn', app => {
      const stack = new Stack(app, 'Main');
      const environment = { TABLE: newTable(stack, 'Table').tableArn, PLAIN: 'x' };
      const timeout = Duration.seconds(10);
      newFunction(stack, 'Fn', {
        functionName: 'charge',
        timeout,
        memorySize: 256,
        ephemeralStorageSize: Size.gibibytes(1),
        environment,
      });
    });

    expect(assembly.functions).toEqual([
      {
        logicalId: expect.stringMatching(/^Fn/),
        stack: 'Main',
        arn: 'arn:aws:lambda:us-east-1:111111111111:function:charge',
        name: 'charge',
        code: { kind: 'directory', path: expect.stringMatching(/asset\.[0-9a-f]+$/) },
        handler: 'index.handler',
        runtime: 'nodejs20.x',
        timeoutSeconds: 10,
        memoryMb: 256,
        storageMb: 1024,
        environment: { TABLE: assembly.tables[0]?.arn, PLAIN: 'x' },
        isThrottled: false,
      },
    ]);
  });

  test("settings left out: Lambda's defaults", () => {
    const assembly = load('fn-defaults', app => newFunction(new Stack(app, 'Main'), 'Fn'));

    expect(assembly.functions[0]).toMatchObject({ timeoutSeconds: 3, memoryMb: 128, environment: {} });
  });

  test('inside a stage: the asset beside the outer manifest is found', () => {
    const assembly = load('stage', app => {
      newFunction(new Stack(new Stage(app, 'Prod'), 'Inner'), 'Fn');
    });

    expect(assembly.functions[0]).toMatchObject({
      stack: 'Prod-Inner',
      code: { kind: 'directory', path: expect.stringContaining(path.join(directory, 'stage', 'asset.')) },
    });
  });
});

describe('tables of a CDK app', () => {
  test('Table with indexes, provisioned: the input of CreateTable', () => {
    const assembly = load('table', app => {
      const table = new dynamodb.Table(new Stack(app, 'Main'), 'Table', {
        tableName: 'orders',
        partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
        sortKey: { name: 'sk', type: dynamodb.AttributeType.NUMBER },
        readCapacity: 2,
        writeCapacity: 3,
        timeToLiveAttribute: 'expiry',
        stream: dynamodb.StreamViewType.NEW_IMAGE,
      });
      const projectionType = dynamodb.ProjectionType.INCLUDE;
      const sortKey = { name: 'at', type: dynamodb.AttributeType.BINARY };
      table.addLocalSecondaryIndex({ indexName: 'local', sortKey, projectionType, nonKeyAttributes: ['x'] });
      table.addGlobalSecondaryIndex({
        indexName: 'global',
        partitionKey: sortKey,
        readCapacity: 4,
        writeCapacity: 5,
      });
    });

    expect(assembly.tables[0]?.ttlAttribute).toBe('expiry');
    expect(assembly.tables[0]?.createTable).toEqual({
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
        { AttributeName: 'at', AttributeType: 'B' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 3 },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'global',
          KeySchema: [{ AttributeName: 'at', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
          ProvisionedThroughput: { ReadCapacityUnits: 4, WriteCapacityUnits: 5 },
        },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'local',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x'] },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    });
  });

  test('TableV2: a table billed per request', () => {
    const assembly = load('table-v2', app => {
      const partitionKey = { name: 'pk', type: dynamodb.AttributeType.STRING };
      const globalSecondaryIndexes = [{ indexName: 'g', partitionKey: { ...partitionKey, name: 'x' } }];
      new dynamodb.TableV2(new Stack(app, 'Main'), 'Table', { partitionKey, globalSecondaryIndexes });
    });

    expect(assembly.tables[0]?.createTable).toMatchObject({
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [{ IndexName: 'g', Projection: { ProjectionType: 'ALL' } }],
    });
    expect(assembly.tables[0]).not.toHaveProperty('ttlAttribute');
  });
});

describe('rules of a CDK app', () => {
  const machineOf = (stack: Stack) => {
    const definitionBody = sfn.DefinitionBody.fromChainable(sfn.Pass.jsonata(stack, 'Pass'));
    return new sfn.StateMachine(stack, 'Machine', { definitionBody });
  };

  test('pattern on a custom bus: targets with input, dead letters and retries', () => {
    const assembly = load('rule', app => {
      const stack = new Stack(app, 'Main');
      const target = new targets.SfnStateMachine(machineOf(stack), {
        input: events.RuleTargetInput.fromObject({ id: events.EventField.fromPath('$.detail.id') }),
        deadLetterQueue: new sqs.Queue(stack, 'Dead'),
        maxEventAge: Duration.hours(1),
        retryAttempts: 3,
      });
      const eventBus = new events.EventBus(stack, 'Bus', { eventBusName: 'shop' });
      const eventPattern = { source: ['orders'], detail: { amount: [{ numeric: ['>', 0] }] } };
      new events.Rule(stack, 'Rule', { ruleName: 'placed', eventBus, eventPattern, targets: [target] });
    });

    expect(assembly.eventBuses).toMatchObject([
      { name: 'shop', arn: 'arn:aws:events:us-east-1:111111111111:event-bus/shop' },
    ]);
    expect(assembly.rules).toMatchObject([
      {
        arn: 'arn:aws:events:us-east-1:111111111111:rule/shop/placed',
        name: 'placed',
        eventBusName: 'shop',
        pattern: { source: ['orders'], detail: { amount: [{ numeric: ['>', 0] }] } },
        enabled: true,
        targets: [
          {
            id: 'Target0',
            arn: assembly.stateMachines[0]?.arn,
            inputTransformer: {
              inputPathsMap: { 'detail-id': '$.detail.id' },
              inputTemplate: '{"id":<detail-id>}',
            },
            deadLetterArn: expect.stringMatching(/^arn:aws:sqs:us-east-1:111111111111:Main-Dead/),
            retryPolicy: { maximumEventAgeInSeconds: 3600, maximumRetryAttempts: 3 },
          },
        ],
      },
    ]);
    expect(assembly.queues).toMatchObject([{ arn: assembly.rules[0]?.targets[0]?.deadLetterArn }]);
    expect(assembly.notRun).toEqual([]);
  });

  test('schedule, switched off: no pattern, on the default bus', () => {
    const assembly = load('schedule', app => {
      const schedule = events.Schedule.rate(Duration.minutes(5));
      new events.Rule(new Stack(app, 'Main'), 'Rule', { schedule, enabled: false, ruleName: 'poll' });
    });

    expect(assembly.rules[0]).toMatchObject({
      arn: 'arn:aws:events:us-east-1:111111111111:rule/poll',
      eventBusName: 'default',
      schedule: 'rate(5 minutes)',
      enabled: false,
    });
    expect(assembly.rules[0]).not.toHaveProperty('pattern');
  });
});

describe('several stacks', () => {
  const twoStacks = (app: App) => {
    const table = newTable(new Stack(app, 'Data'), 'Table');
    const stack = new Stack(app, 'Main');
    newFunction(stack, 'Fn', { environment: { TABLE: table.tableName } });
    new sns.Topic(new Stack(app, 'Other'), 'Topic');
  };

  test.each(['strong', 'weak'])('%s reference to another stack: its local name', strength => {
    const context = { '@aws-cdk/core:defaultCrossStackReferences': strength };
    const assembly = load(`cross-${strength}`, twoStacks, { context });

    expect(assembly.functions[0]?.environment).toEqual({ TABLE: assembly.tables[0]?.name });
    expect(assembly.tables[0]?.name).toMatch(/^Data-Table/);
  });

  test('one stack asked for: it and what it depends on', () => {
    const assembly = load('selected', twoStacks, { stacks: ['Main'] });

    expect(assembly.tables).toHaveLength(1);
    expect(assembly.functions).toHaveLength(1);
    expect(assembly.notRun).toEqual([]);
  });

  test('environment of its own: wins over the options', () => {
    const options = { account: '333333333333', region: 'eu-central-1' };
    const assembly = load(
      'environments',
      app => {
        newTable(new Stack(app, 'Here', { env: { account: '222222222222', region: 'cn-north-1' } }), 'Table');
        newTable(new Stack(app, 'Open'), 'Table');
      },
      options,
    );

    expect(assembly.tables.map(({ arn }) => arn)).toEqual([
      expect.stringMatching(/^arn:aws-cn:dynamodb:cn-north-1:222222222222:table\/Here-/),
      expect.stringMatching(/^arn:aws:dynamodb:eu-central-1:333333333333:table\/Open-/),
    ]);
  });

  test('outputs: values resolved, one without a local value listed without', () => {
    const assembly = load('outputs', app => {
      const stack = new Stack(app, 'Main');
      new CfnOutput(stack, 'Name', { value: newTable(stack, 'Table').tableName, exportName: 'table' });
      const topic = new sns.Topic(stack, 'Topic');
      new CfnOutput(stack, 'Known', { value: topic.topicArn });
      new CfnOutput(stack, 'Unknown', { value: attributeWithoutValue(topic) });
    });

    expect(assembly.outputs).toEqual([
      { stack: 'Main', name: 'Name', value: assembly.tables[0]?.name, exportName: 'table' },
      { stack: 'Main', name: 'Known', value: expect.stringMatching(/^arn:aws:sns:/) },
      { stack: 'Main', name: 'Unknown' },
    ]);
  });
});

/** An attribute that no local value exists for. */
function attributeWithoutValue(topic: sns.Topic): string {
  const resource = topic.node.defaultChild as sns.CfnTopic;
  return resource.getAtt('NoSuchAttribute').toString();
}
