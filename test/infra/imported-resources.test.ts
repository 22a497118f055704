import { CfnParameter, Duration, Fn, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnGlobalTable, CfnTable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  Alias,
  CfnAlias,
  CfnFunction,
  CfnVersion,
  type IFunction,
  Function as LambdaFunction,
  Version,
} from 'aws-cdk-lib/aws-lambda';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnTopic, Topic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import {
  FailureDestination,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Results,
  Source,
} from '../../infra/index';
import { definitionIn, newStack, someFunction } from '../support/synthesize';

// A team that defines CloudFormation resources itself, or in another stack of the app, gives them to a workflow as an
// import. The app has their properties all the same, so all that is checked of a construct is checked of its import.

const ENV = { account: '111111111111', region: 'eu-west-1' };
const KEY = `arn:aws:kms:eu-west-1:${ENV.account}:key/other`;

function workflow(stack: Stack, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const step = props.step ?? someFunction(stack);
  return new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: '{% $states.input.order %}',
    scope: 'pay',
    ...props,
    step,
  });
}

function functionOf(stack: Stack, timeout: number, functionName?: string): CfnFunction {
  return new CfnFunction(stack, 'Charge', {
    role: `arn:aws:iam::${ENV.account}:role/charge`,
    runtime: 'nodejs22.x',
    handler: 'index.handler',
    code: { zipFile: 'exports.handler = async () => 1' },
    timeout,
    ...(functionName !== undefined && { functionName }),
  });
}

function stackIn(env: { readonly account?: string; readonly region?: string } = ENV): Stack {
  const { node } = newStack();
  return new Stack(node.root, 'Shop', { env });
}

/** For how long the Task waits for the function, in the template of the stack. */
function taskTimeout(stack: Stack): unknown {
  return definitionIn(Template.fromStack(stack), /^PayStateMachine/).States['Business step']?.[
    'TimeoutSeconds'
  ];
}

describe('a function that the app defines, 120 seconds in the template', () => {
  const imports: [string, (stack: Stack) => IFunction][] = [
    ['by its ARN', stack => LambdaFunction.fromFunctionArn(stack, 'Import', functionOf(stack, 120).attrArn)],
    ['by its name', stack => LambdaFunction.fromFunctionName(stack, 'Import', functionOf(stack, 120).ref)],
    [
      'by attributes',
      stack =>
        LambdaFunction.fromFunctionAttributes(stack, 'Import', {
          functionArn: functionOf(stack, 120).attrArn,
          sameEnvironment: true,
        }),
    ],
    [
      'by a name that both know',
      stack => {
        functionOf(stack, 120, 'charge');
        return LambdaFunction.fromFunctionName(stack, 'Import', 'charge');
      },
    ],
    [
      'by the ARN of one in another stack',
      stack => {
        functionOf(new Stack(stack.node.root, 'Functions', { env: ENV }), 120, 'charge');
        const arn = `arn:aws:lambda:${ENV.region}:${ENV.account}:function:charge`;
        return LambdaFunction.fromFunctionArn(stack, 'Import', arn);
      },
    ],
    [
      'by the ARN of one in a nested stack',
      stack =>
        LambdaFunction.fromFunctionArn(
          stack,
          'Import',
          functionOf(new NestedStack(stack, 'Nested'), 120).attrArn,
        ),
    ],
  ];

  test.each(imports)('%s: the workflow has the time of the template, also of a later line', (_, imported) => {
    const stack = stackIn();
    workflow(stack, { step: imported(stack) });

    expect(taskTimeout(stack)).toBe(150);
  });

  const versions: [string, (stack: Stack) => IFunction][] = [
    [
      'an alias by its ARN',
      stack => {
        const functionName = functionOf(stack, 120).ref;
        const { attrVersion } = new CfnVersion(stack, 'V', { functionName });
        const alias = new CfnAlias(stack, 'Live', {
          functionName,
          functionVersion: attrVersion,
          name: 'live',
        });
        return LambdaFunction.fromFunctionArn(stack, 'Import', alias.ref);
      },
    ],
    [
      'an alias that has only a name',
      stack => LambdaFunction.fromFunctionArn(stack, 'Import', `${functionOf(stack, 120).attrArn}:live`),
    ],
    [
      'an alias by the names that both know',
      stack => {
        functionOf(stack, 120, 'charge');
        const arn = `arn:aws:lambda:${ENV.region}:${ENV.account}:function:charge:live`;
        return LambdaFunction.fromFunctionArn(stack, 'Import', arn);
      },
    ],
    [
      'an alias by its attributes',
      stack =>
        Alias.fromAliasAttributes(stack, 'Import', {
          aliasName: 'live',
          aliasVersion: someFunction(stack, { timeout: Duration.minutes(2) }).currentVersion,
        }),
    ],
    [
      'a version by its ARN',
      stack => {
        const { currentVersion } = someFunction(stack, { timeout: Duration.minutes(2) });
        return Version.fromVersionArn(stack, 'Import', currentVersion.functionArn);
      },
    ],
  ];

  test.each([...imports, ...versions])(
    '%s, with a shorter `stepTimeout`: rejected with both',
    (_, imported) => {
      const stack = stackIn();
      workflow(stack, { step: imported(stack), stepTimeout: Duration.seconds(119) });

      expect(() => Template.fromStack(stack)).toThrow(
        /`stepTimeout` is 1 minute 59 seconds, but \S+\/Charge can run for 2 minutes, so two runs might overlap/,
      );
    },
  );

  test.each(versions)('%s: it may be another version, so `stepTimeout` is required', (_, imported) => {
    const stack = stackIn();
    workflow(stack, { step: imported(stack) });

    expect(() => Template.fromStack(stack)).toThrow('`stepTimeout` is required');
  });

  test.each(imports)(
    '%s, called by a chain with a shorter `stepTimeout`: rejected with both',
    (_, imported) => {
      const stack = stackIn();
      const step = LambdaInvoke.jsonata(stack, 'Call it', { lambdaFunction: imported(stack) });
      workflow(stack, { step, stepTimeout: Duration.seconds(10) });

      expect(() => Template.fromStack(stack)).toThrow(
        /`stepTimeout` is 10 seconds, but \S+\/Charge can run for 2 minutes, so two runs might overlap/,
      );
    },
  );

  test('one of this name in another account, region or stage is another function', () => {
    const stack = stackIn();
    const functionIn = (scope: Stack) => functionOf(scope, 120, 'charge');
    functionIn(new Stack(stack.node.root, 'Account', { env: { ...ENV, account: '222222222222' } }));
    functionIn(new Stack(stack.node.root, 'Region', { env: { ...ENV, region: 'us-east-1' } }));
    functionIn(new Stack(new Stage(stack.node.root, 'Prod', { env: ENV }), 'Stack'));
    workflow(stack, {
      step: LambdaFunction.fromFunctionName(stack, 'Import', 'charge'),
      stepTimeout: Duration.seconds(10),
    });

    expect(taskTimeout(stack)).toBe(40);
  });

  test.each<[string, (stack: Stack) => string]>([
    ['a parameter', stack => new CfnParameter(stack, 'Name').valueAsString],
    ['an exported value', () => Fn.importValue('Charge')],
    ['a name that contains the name of one', stack => `${functionOf(stack, 120).ref}-eu`],
  ])('%s is the name of a function of another app: `stepTimeout` is required', (_, nameIn) => {
    const stack = stackIn();
    workflow(stack, { step: LambdaFunction.fromFunctionName(stack, 'Import', nameIn(stack)) });

    expect(() => Template.fromStack(stack)).toThrow('`stepTimeout` is required');
  });
});

const KEYS = (name: string, type = 'S') => ({
  keySchema: [{ attributeName: name, keyType: 'HASH' }],
  attributeDefinitions: [{ attributeName: name, attributeType: type }],
});
const EXPIRES_BY = (attributeName: string) => ({
  timeToLiveSpecification: { enabled: true, attributeName },
});
const OURS = { ...KEYS('idempotencyKey'), ...EXPIRES_BY('expiry') };

type Case = readonly [name: string, define: (stack: Stack) => void, message: RegExp];

const globalTable = (stack: Stack, props: object = {}) =>
  new CfnGlobalTable(stack, 'Table', { ...OURS, replicas: [{ region: ENV.region }], ...props });
const tables: [string, (stack: Stack, props: object) => void][] = [
  [
    'Table, by its ARN',
    (stack, props) => {
      const { attrArn } = new CfnTable(stack, 'Table', { ...OURS, ...props });
      workflow(stack, { table: Table.fromTableArn(stack, 'Import', attrArn) });
    },
  ],
  [
    'Table, by its name',
    (stack, props) => {
      const { ref } = new CfnTable(stack, 'Table', { ...OURS, ...props });
      workflow(stack, { table: Table.fromTableName(stack, 'Import', ref) });
    },
  ],
  [
    'Table, by a name that both know',
    (stack, props) => {
      new CfnTable(stack, 'Table', { ...OURS, ...props, tableName: 'records' });
      workflow(stack, { table: TableV2.fromTableName(stack, 'Import', 'records') });
    },
  ],
  [
    'GlobalTable, by its ARN',
    (stack, props) =>
      workflow(stack, { table: TableV2.fromTableArn(stack, 'Import', globalTable(stack, props).attrArn) }),
  ],
  [
    'GlobalTable, by its name',
    (stack, props) =>
      workflow(stack, { table: TableV2.fromTableName(stack, 'Import', globalTable(stack, props).ref) }),
  ],
];

const OF_TABLES: Case[] = tables.flatMap(([name, define]) =>
  (
    [
      ['another key', KEYS('PK'), /must have the partition key idempotencyKey, got PK/],
      ['a number as key', KEYS('idempotencyKey', 'N'), /must have string keys, got idempotencyKey of type N/],
      ['another TTL attribute', EXPIRES_BY('ttl'), /must have the TTL attribute expiry, got ttl/],
    ] as const
  ).map(([what, props, message]): Case => [`${name}: ${what}`, stack => define(stack, props), message]),
);

const imported = {
  queue: (stack: Stack, props: object) =>
    Queue.fromQueueArn(stack, 'Import', new CfnQueue(stack, 'Q', props).attrArn),
  named: (stack: Stack, props: object) => {
    new CfnQueue(stack, 'Q', { ...props, queueName: 'orders' });
    return Queue.fromQueueArn(stack, 'Import', `arn:aws:sqs:${ENV.region}:${ENV.account}:orders`);
  },
  bucket: (stack: Stack, props: object) =>
    Bucket.fromBucketArn(stack, 'Import', new CfnBucket(stack, 'B', props).attrArn),
};
const WITH_DEAD_LETTERS = { redrivePolicy: { deadLetterTargetArn: 'arn', maxReceiveCount: 5 } };
const ENCRYPTED = {
  bucketEncryption: {
    serverSideEncryptionConfiguration: [
      { serverSideEncryptionByDefault: { sseAlgorithm: 'aws:kms', kmsMasterKeyId: KEY } },
    ],
  },
};

const OF_OTHERS: Case[] = [
  [
    'the replicas of a table',
    stack => {
      const replicas = [{ region: ENV.region }, { region: 'us-east-1' }];
      const { attrArn } = globalTable(stack, { replicas });
      workflow(stack, { table: TableV2.fromTableArn(stack, 'Import', attrArn) });
    },
    /`table` must be in one region/,
  ],
  [
    'the key that encrypts a table',
    stack => {
      const { attrArn } = new CfnTable(stack, 'Table', {
        ...OURS,
        sseSpecification: { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: KEY },
      });
      workflow(stack, { table: Table.fromTableArn(stack, 'Import', attrArn) });
    },
    /KMSMasterKeyId is ".*other" in the template, but was not set .*: Shop\/Import, an import of Shop\/Table, does not say it/,
  ],
  [
    'the key that encrypts a global table',
    stack => {
      const replicas = [{ region: ENV.region, sseSpecification: { kmsMasterKeyId: KEY } }];
      const { attrArn } = globalTable(stack, { replicas });
      workflow(stack, { table: TableV2.fromTableArn(stack, 'Import', attrArn) });
    },
    /Replicas\.0\.SSESpecification\.KMSMasterKeyId is ".*other" in the template/,
  ],
  [
    'the visibility timeout of a queue',
    stack =>
      workflow(stack).startFrom(
        Source.queue(imported.queue(stack, { ...WITH_DEAD_LETTERS, visibilityTimeout: 5 })),
      ),
    /needs a visibility timeout of at least \d+ seconds.*has 5 seconds/,
  ],
  [
    'the visibility timeout of a queue by its name, whatever the option says',
    stack => {
      const queue = imported.named(stack, { ...WITH_DEAD_LETTERS, visibilityTimeout: 5 });
      const visibilityTimeout = Duration.minutes(5);
      workflow(stack).startFrom(Source.queue(queue, { visibilityTimeout, maxReceiveCount: 5 }));
    },
    /needs a visibility timeout of at least \d+ seconds.*has 5 seconds/,
  ],
  [
    'the dead-letter queue of a queue',
    stack => workflow(stack).startFrom(Source.queue(imported.queue(stack, { visibilityTimeout: 300 }))),
    /needs a queue with a dead-letter queue/,
  ],
  [
    'a FIFO queue as a source',
    stack =>
      workflow(stack).startFrom(
        Source.queue(
          imported.queue(stack, { ...WITH_DEAD_LETTERS, visibilityTimeout: 300, fifoQueue: true }),
        ),
      ),
    /FifoQueue is true in the template, but was not set .*Set `fifo` of the Queue/,
  ],
  [
    'a FIFO queue of failures',
    stack =>
      workflow(stack, { onFailure: FailureDestination.queue(imported.named(stack, { fifoQueue: true })) }),
    /FifoQueue is true in the template, but was not set/,
  ],
  [
    'the key of a queue of failures',
    stack =>
      workflow(stack, {
        onFailure: FailureDestination.queue(imported.queue(stack, { kmsMasterKeyId: KEY })),
      }),
    /KmsMasterKeyId is ".*other" in the template, but was not set/,
  ],
  [
    'the lifecycle of a bucket of results',
    stack => {
      const lifecycleConfiguration = { rules: [{ status: 'Enabled', expirationInDays: 7 }] };
      workflow(stack, { results: Results.inBucket(imported.bucket(stack, { lifecycleConfiguration })) });
    },
    /must be kept for \d+ days, but a lifecycle rule of the bucket deletes what is at '' after 7/,
  ],
  [
    'the key of a bucket of results',
    stack => workflow(stack, { results: Results.inBucket(imported.bucket(stack, ENCRYPTED)) }),
    /KMSMasterKeyID is ".*other" in the template.*Set `encryptionKey` of the Bucket/,
  ],
  [
    'a FIFO topic',
    stack => {
      const { ref } = new CfnTopic(stack, 'T', { fifoTopic: true, topicName: 'orders.fifo' });
      workflow(stack).startFrom(Source.topic(Topic.fromTopicArn(stack, 'Import', ref)));
    },
    /FifoTopic is true in the template, but was not set/,
  ],
];

test.each([...OF_TABLES, ...OF_OTHERS])('an import of a resource of the app: %s', (_, define, message) => {
  const stack = stackIn();
  define(stack);

  expect(() => Template.fromStack(stack)).toThrow(message);
});

describe('an import of a resource of the app that the workflow can use: accepted', () => {
  test.each(tables)('%s', (_, define) => {
    const stack = stackIn();
    define(stack, {});

    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  test.each(['queue', 'named'] as const)('%s', name => {
    const stack = stackIn();
    const queue = imported[name](stack, { ...WITH_DEAD_LETTERS, visibilityTimeout: 300 });
    workflow(stack).startFrom(Source.queue(queue));

    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  test('a bucket whose key the import names', () => {
    const stack = stackIn();
    const { attrArn } = new CfnBucket(stack, 'B', ENCRYPTED);
    const encryptionKey = Key.fromKeyArn(stack, 'Key', KEY);
    workflow(stack, {
      results: Results.inBucket(
        Bucket.fromBucketAttributes(stack, 'Import', { bucketArn: attrArn, encryptionKey }),
      ),
    });

    expect(() => Template.fromStack(stack)).not.toThrow();
  });
});
