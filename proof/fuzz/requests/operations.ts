import type { Json, JsonObject } from '@onceflow/local';
import { oneOf, type Random } from './json';

/** What requests can be about: what the stack has when the run begins, and what requests have made. */
export interface Known {
  readonly environment: { readonly region: string; readonly account: string };
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  readonly stateMachines: readonly string[];
  readonly executions: readonly string[];
  readonly queues: readonly string[];
}

/** A request of one service before anything is done to it. */
export interface Operation {
  readonly service: 'states' | 'dynamodb' | 'events' | 'sqs' | 'lambda';
  readonly name: string;
  readonly body: Json;
}

/** A request as a client might well send it: all operations are as likely, those of state machines twice. */
export function operation(random: Random, known: Known): Operation {
  const [service, name, body] = oneOf(random, all());
  return { service, name, body: body(random, known) };
}

function all(): readonly (readonly [service: Operation['service'], name: string, body: Body])[] {
  const services = Object.entries(OPERATIONS) as [Operation['service'], Readonly<Record<string, Body>>][];
  return [...services, ...services.slice(0, 1)].flatMap(([service, operations]) =>
    Object.entries(operations).map(([name, body]) => [service, name, body] as const),
  );
}

type Body = (random: Random, known: Known) => JsonObject;

const some = (random: Random) => `fuzz-${Math.floor(random() * 20)}`;
const machineName = (random: Random) => `fuzz-${1 + Math.floor(random() * 5)}`;
const roleArn = 'arn:aws:iam::111111111111:role/role';

const EXPRESSIONS = [
  '{% $states.input.a + 1 %}',
  '{% $map([1..5], function($v){ $v * 2 }) %}',
  "{% $match('aaaaaaaaaaaaaaaaaaaaaaaa!', /^(a+)+$/) %}",
  '{% ($f := function($n){ $f($n + 1) }; $f(0)) %}',
  '{% [1..1000000] %}',
  "{% $pad('', 5000000, 'x') %}",
  '{% $states.input %}',
  '{% $error("no") %}',
];

function definition(random: Random, known: Known): string {
  const end = { Type: 'Succeed' };
  const states = oneOf<JsonObject>(random, [
    { A: { Type: 'Pass', Output: oneOf(random, EXPRESSIONS), End: true } },
    { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } },
    { A: { Type: 'Wait', Seconds: 1, Next: 'B' }, B: end },
    {
      A: {
        Type: 'Task',
        Resource: oneOf(random, [
          'arn:aws:states:::dynamodb:putItem',
          'arn:aws:states:::aws-sdk:dynamodb:updateItem',
        ]),
        Arguments: {
          TableName: oneOf(random, known.tables),
          ...oneOf(random, [PUT(random), UPDATE(random)]),
        },
        Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 2, IntervalSeconds: 1 }],
        End: true,
      },
    },
    {
      A: { Type: 'Choice', Choices: [{ Condition: oneOf(random, EXPRESSIONS), Next: 'B' }], Default: 'B' },
      B: end,
    },
    {
      A: {
        Type: 'Map',
        Items: [1, 2, 3],
        ItemProcessor: {
          StartAt: 'C',
          States: { C: { Type: 'Pass', Output: oneOf(random, EXPRESSIONS), End: true } },
        },
        End: true,
      },
    },
    {
      A: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: { FunctionName: oneOf(random, known.functions), Payload: oneOf(random, EXPRESSIONS) },
        End: true,
      },
    },
    {
      A: {
        Type: 'Task',
        Resource: 'arn:aws:states:::states:startExecution',
        Arguments: { StateMachineArn: oneOf(random, known.stateMachines) },
        End: true,
      },
    },
  ]);
  return JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'A', States: states });
}

const VALUES: readonly Json[] = [
  { S: 'x' },
  { N: '1.5' },
  { B: 'AAE=' },
  { BOOL: true },
  { NULL: true },
  { SS: ['a', 'b'] },
  { NS: ['1', '2'] },
  { L: [{ S: 'x' }, { M: { a: { N: '1' } } }] },
  { M: { a: { L: [] } } },
];

function PUT(random: Random): JsonObject {
  return {
    Item: { idempotencyKey: { S: some(random) }, id: { S: some(random) }, value: oneOf(random, VALUES) },
    ...oneOf<JsonObject>(random, [{}, CONDITION]),
  };
}

const CONDITION = {
  ConditionExpression: 'attribute_not_exists(#a) OR (#b < :v AND NOT contains(#b, :v))',
  ExpressionAttributeNames: { '#a': 'idempotencyKey', '#b': 'value' },
  ExpressionAttributeValues: { ':v': { S: 'm' } },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};

function UPDATE(random: Random): JsonObject {
  return {
    Key: { idempotencyKey: { S: some(random) } },
    UpdateExpression: 'SET #b = if_not_exists(#b, :v), c = list_append(:l, :l) REMOVE d ADD n :n',
    ExpressionAttributeNames: { '#b': 'value' },
    ExpressionAttributeValues: { ':v': oneOf(random, VALUES), ':l': { L: [{ S: 'x' }] }, ':n': { N: '1' } },
    ReturnValues: 'ALL_NEW',
  };
}

const OPERATIONS: Readonly<Record<Operation['service'], Readonly<Record<string, Body>>>> = {
  states: {
    CreateStateMachine: (random, known) => {
      const type = oneOf(random, ['STANDARD', 'EXPRESS']);
      return { name: machineName(random), definition: definition(random, known), roleArn, type };
    },
    UpdateStateMachine: (random, known) => {
      return { stateMachineArn: ownMachine(random, known), definition: definition(random, known) };
    },
    DescribeStateMachine: (random, known) => ({ stateMachineArn: ownMachine(random, known) }),
    ListStateMachines: () => ({ maxResults: 10 }),
    StartExecution: (random, known) => {
      const stateMachineArn = oneOf(random, known.stateMachines);
      return { stateMachineArn, name: `n-${Math.floor(random() * 1e6)}`, input: '{"a": 1}' };
    },
    StartSyncExecution: (random, known) => ({
      stateMachineArn: ownMachine(random, known),
      input: '{"a": 1}',
    }),
    DescribeExecution: (random, known) => ({ executionArn: oneOf(random, known.executions) }),
    GetExecutionHistory: (random, known) => ({
      executionArn: oneOf(random, known.executions),
      maxResults: 50,
    }),
    ListExecutions: (random, known) => ({
      stateMachineArn: oneOf(random, known.stateMachines),
      maxResults: 10,
    }),
    StopExecution: (random, known) => ({
      executionArn: oneOf(random, known.executions),
      error: 'E',
      cause: 'c',
    }),
    RedriveExecution: (random, known) => ({ executionArn: oneOf(random, known.executions) }),
    SendTaskSuccess: () => ({ taskToken: 'token', output: '{}' }),
    CreateActivity: random => ({ name: some(random) }),
    PublishStateMachineVersion: (random, known) => ({ stateMachineArn: ownMachine(random, known) }),
    ValidateStateMachineDefinition: (random, known) => ({ definition: definition(random, known) }),
    TagResource: (random, known) => {
      return { resourceArn: ownMachine(random, known), tags: [{ key: 'k', value: 'v' }] };
    },
  },
  dynamodb: {
    PutItem: (random, known) => ({ TableName: oneOf(random, known.tables), ...PUT(random) }),
    UpdateItem: (random, known) => ({ TableName: oneOf(random, known.tables), ...UPDATE(random) }),
    GetItem: (random, known) => {
      return { TableName: oneOf(random, known.tables), Key: { idempotencyKey: { S: some(random) } } };
    },
    DeleteItem: (random, known) => {
      return { TableName: oneOf(random, known.tables), Key: { idempotencyKey: { S: some(random) } } };
    },
    Query: (random, known) => ({
      TableName: oneOf(random, known.tables),
      KeyConditionExpression: 'idempotencyKey = :k',
      FilterExpression: 'size(#b) > :n OR begins_with(#b, :k)',
      ExpressionAttributeNames: { '#b': 'value' },
      ExpressionAttributeValues: { ':k': { S: some(random) }, ':n': { N: '1' } },
      Limit: 5,
    }),
    Scan: (random, known) => ({ TableName: oneOf(random, known.tables), Limit: 5 }),
    BatchWriteItem: (random, known) => {
      return {
        RequestItems: {
          [oneOf(random, known.tables)]: [{ PutRequest: { Item: PUT(random)['Item'] ?? null } }],
        },
      };
    },
    BatchGetItem: (random, known) => {
      const Keys = [{ idempotencyKey: { S: some(random) } }];
      return { RequestItems: { [oneOf(random, known.tables)]: { Keys } } };
    },
    TransactWriteItems: (random, known) => {
      const TableName = oneOf(random, known.tables);
      const Key = { idempotencyKey: { S: 'check' } };
      const check: JsonObject = { TableName, Key, ...CONDITION };
      const put: JsonObject = { TableName, ...PUT(random) };
      return { TransactItems: [{ Put: put }, { ConditionCheck: check }] as Json };
    },
    DescribeTable: (random, known) => ({ TableName: oneOf(random, known.tables) }),
    ListTables: () => ({ Limit: 10 }),
    CreateTable: random => ({
      TableName: some(random),
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
    DeleteTable: random => ({ TableName: some(random) }),
  },
  events: {
    PutEvents: random => ({
      Entries: [
        {
          Source: 'shop.orders',
          DetailType: 'OrderPlaced',
          Detail: JSON.stringify({ orderId: some(random), amount: 1, currency: 'EUR' }),
          EventBusName: 'orders',
        },
      ],
    }),
  },
  sqs: {
    CreateQueue: random => ({ QueueName: some(random), Attributes: { VisibilityTimeout: '30' } }),
    GetQueueUrl: random => ({ QueueName: some(random) }),
    SendMessage: (random, known) => ({ QueueUrl: oneOf(random, known.queues), MessageBody: 'text' }),
    SendMessageBatch: (random, known) => {
      return { QueueUrl: oneOf(random, known.queues), Entries: [{ Id: 'a', MessageBody: 'text' }] };
    },
    ReceiveMessage: (random, known) => ({ QueueUrl: oneOf(random, known.queues), MaxNumberOfMessages: 3 }),
    DeleteMessage: (random, known) => ({ QueueUrl: oneOf(random, known.queues), ReceiptHandle: 'handle' }),
    GetQueueAttributes: (random, known) => {
      return { QueueUrl: oneOf(random, known.queues), AttributeNames: ['All'] };
    },
    ListQueues: () => ({}),
    PurgeQueue: (random, known) => ({ QueueUrl: oneOf(random, known.queues) }),
  },
  lambda: {
    Invoke: (random, known) => ({
      FunctionName: oneOf(random, known.functions),
      Payload: { idempotencyKey: 'k' },
    }),
  },
};

/** The state machines that requests make are theirs to change; what the stack was started with is not. */
function ownMachine(random: Random, { environment: { region, account } }: Known): string {
  return `arn:aws:states:${region}:${account}:stateMachine:${machineName(random)}`;
}
