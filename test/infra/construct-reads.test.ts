import path from 'node:path';
import type { CfnResource, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';
import ts from 'typescript';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  RecordTable,
  Results,
  Source,
} from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';
import { isConstruct, ROOT, typedProgram } from '../support/typed-program';

jest.setTimeout(120_000);

// A construct tells what its resource had when the app was put together. Aspects, overrides and later lines change the
// resource, and the template has the later value. So the package reads properties of resources from the template
// (`state-machine/template/rendered-properties.ts`). Every other read of a construct stands in one of these lists.

/** Names and references: a token, which CloudFormation resolves, or the name of a resource that the app imports. */
const REFERENCES = [
  'CfnFunction.attrArn',
  'CfnParameter.valueAsNumber',
  'CfnParameter.valueAsString',
  'CfnRefElement.ref',
  'IBucket.arnForObjects()',
  'IBucket.bucketArn',
  'IBucket.bucketName',
  'IEventBus.eventBusArn',
  'IEventBus.eventBusName',
  'IFunction.functionArn',
  'IFunction.functionName',
  'IKey.keyArn',
  'ILogGroupRef.logGroupRef',
  'IQueue.queueArn',
  'IQueue.queueName',
  'IQueue.queueUrl',
  'IRole.roleArn',
  'ISecret.secretArn',
  'IStateMachine.stateMachineArn',
  'IStream.streamArn',
  'ITable.tableArn',
  'ITable.tableName',
  'ITopic.topicArn',
  'Queue.queueArn',
  'Queue.queueUrl',
  'Role.roleArn',
  'Rule.ruleArn',
  'StateMachine.stateMachineArn',
  'StateMachine.stateMachineName',
  'Topic.topicArn',
];

/** Places in the tree, what belongs to a stack or a class, and the template itself: no early value of a property. */
const PLACES = [
  'CfnResource._toCloudFormation()',
  'CfnResource.cfnResourceType',
  'Construct.node',
  'IConstruct.node',
  'IEnvironmentAware.env',
  'IResource.api',
  'IResource.getResource()',
  'IResource.path',
  'IResource.resourceForPath()',
  'IVersion.lambda',
  'IVersion.version',
  'RestApi.root',
  'Stack.account',
  'Stack.formatArn()',
  'Stack.partition',
  'Stack.region',
  'Stack.resolve()',
  'Stack.stackName',
  'Stack.toJsonString()',
  'Stack.urlSuffix',
];

/** Values that may differ from the template without harm to a key, each with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'CfnAlias.functionName in infra/cdk/called-functions.ts':
    'it finds the function whose versions a role may call; another one would be denied',
  'CfnStateMachine.definitionString in infra/cdk/shared-definitions.ts':
    'a later definition takes the place of the shared one',
  'CfnStateMachine.loggingConfiguration in infra/cdk/customer-key.ts':
    'it decides about a permission to write an encrypted log',
  'CfnSubscriber.eventBusArn in infra/sources/custom-event-bus-source.ts':
    'it decides in which order the subscribers of a bus are deployed',
  'IFunction.role in infra/idempotent-fragment.ts': 'it gets permissions; without them a redrive is denied',
  'IFunction.role in infra/nested/recovery-machines.ts':
    'it gets permissions; without them a redrive is denied',
  'Policy.document in infra/cdk/inline-grants.ts': 'the role in the template has the same document',
  'IResource.defaultMethodOptions in infra/sources/http-source.ts':
    'the authorization of the method itself is compared',
  'ITable.tableStreamArn in infra/sources/record-stream.ts':
    'CloudFormation rejects the reference if the table has no stream',
  'Queue.deadLetterQueue in infra/sources/queue-source.ts': 'it has a metric',
  'Queue.deadLetterQueue in infra/sources/validate-queue.ts':
    'it counts only if it is the one of the redrive policy in the template',
  'StateMachine.role in infra/idempotent-fragment.ts': 'it gets permissions; without them a call is denied',
  'StateMachine.role in infra/idempotent-workflow.ts': 'it gets permissions; without them a call is denied',
  'StateMachine.role in infra/nested/internal-state-machine.ts': 'its grants are written into it',
  'StateMachine.role in infra/workflow-machine.ts': 'its grants are written into it',
  'StateMachine.role in infra/nested/recovery-machines.ts':
    'it gets permissions; without them a call is denied',
  'StateMachine.role in infra/validation/props.ts': 'it tells a state machine from something else',
  'StateMachine.stateMachineType in infra/monitoring/alarms.ts': 'it decides about an alarm of Standard ones',
};

/** Values that are compared with the template, which ends the synthesis if they differ. Each has a case below. */
const COMPARED = [
  'CfnMethod.apiKeyRequired in infra/sources/http-source.ts',
  'CfnMethod.authorizationType in infra/sources/http-source.ts',
  'CfnStateMachine.encryptionConfiguration in infra/cdk/customer-key.ts',
  'IBucket.encryptionKey in state-machine/tasks/s3-task.ts',
  'IQueue.encryptionMasterKey in state-machine/tasks/send-policies.ts',
  'IQueue.fifo in infra/sources/queue-source.ts',
  'IQueue.fifo in infra/sources/validate-queue.ts',
  'IQueue.fifo in state-machine/options/notice-target.ts',
  'ITable.encryptionKey in infra/idempotent-fragment.ts',
  'ITable.encryptionKey in infra/idempotent-workflow.ts',
  'ITable.encryptionKey in infra/nested/dispatcher.ts',
  'ITable.encryptionKey in infra/nested/front-door.ts',
  'ITable.encryptionKey in infra/nested/redelivery-machine.ts',
  'ITable.encryptionKey in infra/nested/workflow-recovery.ts',
  'ITable.encryptionKey in infra/sources/check-messages.ts',
  'ITable.encryptionKey in infra/validation/table.ts',
  'ITopic.fifo in infra/sources/topic-source.ts',
  'StateMachine.stateMachineType in infra/idempotent-fragment.ts',
] as const;

/** What changes a construct and answers nothing, or another construct, is not a read. */
const WRITES = /^(?:add|allow|apply|attach|grant|metric|override|prefix|synth)/;

/** Each property of CDK's constructs that the package reads, and the files. */
function reads(): ReadonlyMap<string, ReadonlySet<string>> {
  const { program, checker } = typedProgram('infra/index.ts');
  const found = new Map<string, Set<string>>();

  function note(given: ts.Type, symbol: ts.Symbol | undefined, file: string): void {
    const declared = symbol?.declarations?.find(isOfCdk);
    if (!(symbol && declared && ts.isIdentifier(nameOf(declared.parent)))) return;
    const owner = checker.getTypeAtLocation(declared.parent);
    const isMethod = (symbol.flags & ts.SymbolFlags.Method) !== 0;
    const isStatic = (ts.getCombinedModifierFlags(declared) & ts.ModifierFlags.Static) !== 0;
    if (![given, owner].some(type => isConstruct(checker.getNonNullableType(type), checker))) return;
    if (isMethod && (isStatic || WRITES.test(symbol.name) || isState(given))) return;
    const read = `${nameOf(declared.parent).getText()}.${symbol.name}${isMethod ? '()' : ''}`;
    found.set(read, (found.get(read) ?? new Set()).add(file));
  }

  function visit(node: ts.Node, file: string): void {
    if (ts.isPropertyAccessExpression(node) && !isAssigned(node)) {
      note(checker.getTypeAtLocation(node.expression), checker.getSymbolAtLocation(node.name), file);
    }
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const given = checker.getTypeAtLocation(node.parent);
      note(given, checker.getPropertyOfType(given, (node.propertyName ?? node.name).getText()), file);
    }
    ts.forEachChild(node, child => visit(child, file));
  }

  for (const source of program.getSourceFiles()) {
    const file = path.relative(ROOT, source.fileName);
    if (/^(?:infra|state-machine)\//.test(file)) visit(source, file);
  }
  return found;
}

const isOfCdk = (node: ts.Node) =>
  /node_modules\/(?:aws-cdk-lib|constructs)\//.test(node.getSourceFile().fileName);
const nameOf = (node: ts.Node): ts.Node => (node as Partial<ts.NamedDeclaration>).name ?? node;
const isState = (type: ts.Type) => type.getProperty('stateId') !== undefined;
const isAssigned = (node: ts.Node) =>
  ts.isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;

test('every property that the package reads of a construct is protected, or does no harm', () => {
  const anywhere = [...REFERENCES, ...PLACES];
  const found = [...reads()].flatMap(([read, files]) =>
    anywhere.includes(read) ? [read] : [...files].map(file => `${read} in ${file}`),
  );

  expect(found.sort()).toEqual([...anywhere, ...Object.keys(HARMLESS), ...COMPARED].sort());
});

const idempotencyKey = '{% $states.input.order %}';
const workflow = (stack: Stack, props: Partial<IdempotentWorkflowProps> = {}) =>
  new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, ...props, step: props.step ?? someFunction(stack) });
const keyOf = (stack: Stack) => new Key(stack, 'Key');
const OTHER_KEY = 'arn:aws:kms:us-east-1:111111111111:key/other';

/** What a later line changes: the construct of a resource, a property by its path, and the value. */
type Change = readonly [construct: IConstruct, property: string, value: unknown];

function queueAsSource(stack: Stack, fifo: boolean): Queue {
  const queue = new Queue(stack, 'Orders', {
    ...(fifo && { fifo }),
    deadLetterQueue: { queue: new Queue(stack, 'Dead', { ...(fifo && { fifo }) }), maxReceiveCount: 5 },
  });
  workflow(stack).startFrom(Source.queue(queue));
  return queue;
}

function front(stack: Stack, authorizationType?: AuthorizationType): IConstruct {
  const pay = workflow(stack);
  const methodOptions = authorizationType && { authorizationType };
  pay.startFrom(
    Source.http('payments', { input: '{% $states.input.body %}', ...(methodOptions && { methodOptions }) }),
  );
  const method = pay.node.findAll().find(({ node }) => node.id === 'POST');
  if (!method) throw new Error('the API has no method');
  return method;
}

type PropertyIn<Read> = Read extends `${infer Property} in ${string}` ? Property : never;
type Case = readonly [name: string, define: (stack: Stack) => Change, message: RegExp];

/** For each property that is compared: an app, what the template has later, and how the synthesis ends. */
const CASES: Readonly<Record<PropertyIn<(typeof COMPARED)[number]>, readonly Case[]>> = {
  'CfnMethod.authorizationType': [
    [
      'the authorization of a method',
      stack => [front(stack, AuthorizationType.IAM), 'AuthorizationType', 'NONE'],
      /AuthorizationType is "NONE" in the template, but was "AWS_IAM" when the workflow read it/,
    ],
  ],
  'CfnMethod.apiKeyRequired': [
    [
      'the API key of a method',
      stack => [front(stack, AuthorizationType.IAM), 'ApiKeyRequired', true],
      /ApiKeyRequired is true in the template, but was not set when .*Set it in `methodOptions`/,
    ],
  ],
  'CfnStateMachine.encryptionConfiguration': [
    [
      'the key of a state machine',
      stack => {
        const { stateMachine } = workflow(stack, { encryptionKey: keyOf(stack) });
        return [stateMachine, 'EncryptionConfiguration.KmsKeyId', OTHER_KEY];
      },
      /EncryptionConfiguration\.KmsKeyId is ".*other" in the template.*Set the key where you create the state machine/,
    ],
  ],
  'IBucket.encryptionKey': [
    [
      'the key of a bucket of results',
      stack => {
        const bucket = new Bucket(stack, 'Results', { encryptionKey: keyOf(stack) });
        workflow(stack, { results: Results.inBucket(bucket) });
        const first = 'BucketEncryption.ServerSideEncryptionConfiguration.0';
        return [bucket, `${first}.ServerSideEncryptionByDefault.KMSMasterKeyID`, OTHER_KEY];
      },
      /KMSMasterKeyID is ".*other" in the template.*Set `encryptionKey` of the Bucket/,
    ],
  ],
  'IQueue.encryptionMasterKey': [
    [
      'the key of a queue of failures',
      stack => {
        const queue = new Queue(stack, 'Failures');
        workflow(stack, { onFailure: FailureDestination.queue(queue) });
        return [queue, 'KmsMasterKeyId', OTHER_KEY];
      },
      /KmsMasterKeyId is ".*other" in the template, but was not set .*Set `encryptionMasterKey` of the queue/,
    ],
  ],
  'IQueue.fifo': [
    [
      'a FIFO queue of failures',
      stack => {
        const queue = new Queue(stack, 'Failures');
        workflow(stack, { onFailure: FailureDestination.queue(queue) });
        return [queue, 'FifoQueue', true];
      },
      /FifoQueue is true in the template, but was not set .*Set `fifo` of the Queue/,
    ],
    [
      'a FIFO queue as a source',
      stack => [queueAsSource(stack, false), 'FifoQueue', true],
      /FifoQueue is true in the template, but was not set/,
    ],
  ],
  'ITopic.fifo': [
    [
      'a FIFO topic as a source',
      stack => {
        const topic = new Topic(stack, 'Orders');
        workflow(stack).startFrom(Source.topic(topic));
        return [topic, 'FifoTopic', true];
      },
      /FifoTopic is true in the template, but was not set .*Set `fifo` of the Topic/,
    ],
  ],
  'ITable.encryptionKey': [
    [
      'the key of a table',
      stack => {
        const table = new Table(stack, 'Records', {
          partitionKey: { name: 'idempotencyKey', type: AttributeType.STRING },
          timeToLiveAttribute: 'expiresAt',
          encryption: TableEncryption.CUSTOMER_MANAGED,
        });
        workflow(stack, {
          table: RecordTable.fromTable(table, {
            partitionKey: 'idempotencyKey',
            timeToLiveAttribute: 'expiresAt',
          }),
          scope: 'pay',
        });
        return [table, 'SSESpecification.KMSMasterKeyId', OTHER_KEY];
      },
      /SSESpecification\.KMSMasterKeyId is ".*other" in the template.*Set `encryptionKey` of the table/,
    ],
  ],
  'StateMachine.stateMachineType': [
    [
      'the type of the state machine of a fragment',
      stack => {
        const table = new RecordTable(stack, 'Records');
        const charge = new IdempotentFragment(stack, 'Pay', {
          idempotencyKey,
          table,
          step: someFunction(stack),
        });
        const orders = new StateMachine(stack, 'Orders', {
          definitionBody: DefinitionBody.fromChainable(charge),
          queryLanguage: QueryLanguage.JSONATA,
        });
        charge.grantTo(orders);
        return [orders, 'StateMachineType', 'EXPRESS'];
      },
      /StateMachineType is "EXPRESS" in the template, but was not set .*Use another state machine/,
    ],
  ],
};

/** Values that are read from the template: an app that it fits, what it has later, and how the synthesis ends. */
const IN_THE_TEMPLATE: readonly Case[] = [
  [
    'the visibility timeout of a queue',
    stack => [queueAsSource(stack, false), 'VisibilityTimeout', 5],
    /`Source\.queue` needs a visibility timeout of at least \d+ seconds.*has 5 seconds/,
  ],
  [
    'the receives of a queue',
    stack => [queueAsSource(stack, false), 'RedrivePolicy.maxReceiveCount', 1],
    /`Source\.queue` needs a `maxReceiveCount` of at least 3.*has 1/,
  ],
  [
    'the dead-letter queue of a queue',
    stack => [queueAsSource(stack, false), 'RedrivePolicy', undefined],
    /`Source\.queue` needs a queue with a dead-letter queue/,
  ],
  [
    'the retention of a queue',
    stack => [queueAsSource(stack, false), 'MessageRetentionPeriod', 60],
    /`Source\.queue` needs a retention period of more than \d+ seconds.*has 60 seconds/,
  ],
  [
    'the schema of a table',
    stack => [workflow(stack).table.node.defaultChild as IConstruct, 'KeySchema.0.AttributeName', 'PK'],
    /`table` must have the partition key idempotencyKey, got PK/,
  ],
  [
    'the TTL of a table',
    stack => [
      workflow(stack).table.node.defaultChild as IConstruct,
      'TimeToLiveSpecification.AttributeName',
      'ttl',
    ],
    /`table` must have the TTL attribute \w+, got ttl/,
  ],
  [
    'the lifecycle of a bucket of results',
    stack => {
      const bucket = new Bucket(stack, 'Results');
      workflow(stack, { results: Results.inBucket(bucket) });
      return [
        bucket,
        'LifecycleConfiguration.Rules',
        [{ Status: 'Enabled', ExpirationInDays: 7, Prefix: '' }],
      ];
    },
    /must be kept for \d+ days, but a lifecycle rule of the bucket deletes what is at '' after 7/,
  ],
  [
    'the runtime of a function of the package',
    stack => [functionOfThePackage(stack), 'Runtime', 'nodejs18.x'],
    /needs the runtime nodejs20\.x or a later one, got nodejs18\.x/,
  ],
  [
    'the configuration of a step as a durable function',
    stack => {
      const step = someFunction(stack);
      workflow(stack, { step });
      return [step, 'DurableConfig', { ExecutionTimeout: 900 }];
    },
    /durable function/,
  ],
  [
    'the pattern of a rule',
    stack => [ruleOfTheWorkflow(stack), 'EventPattern.source', ['x'.repeat(2100)]],
    /the event pattern has at least 2,\d\d\d characters/,
  ],
];

function functionOfThePackage(stack: Stack): IConstruct {
  workflow(stack);
  return found(stack, 'AWS::Lambda::Function', /Redrive/i);
}

function ruleOfTheWorkflow(stack: Stack): IConstruct {
  workflow(stack);
  return found(stack, 'AWS::Events::Rule', /Ended/);
}

function found(stack: Stack, type: string, path: RegExp): IConstruct {
  const resource = stack.node
    .findAll()
    .find(one => (one as Partial<CfnResource>).cfnResourceType === type && path.test(one.node.path));
  if (!resource) throw new Error(`the app has no ${type} at ${path}`);
  return resource;
}

describe('a property that the template has otherwise ends the synthesis', () => {
  test.each([...Object.values(CASES).flat(), ...IN_THE_TEMPLATE])('%s', (_, define, message) => {
    const unchanged = newStack();
    define(unchanged);
    expect(() => Template.fromStack(unchanged)).not.toThrow();

    const stack = newStack();
    const [construct, property, value] = define(stack);
    const resource = (construct.node.defaultChild ?? construct) as CfnResource;
    resource.addPropertyOverride(property, value);
    expect(() => Template.fromStack(stack)).toThrow(message);
  });
});
