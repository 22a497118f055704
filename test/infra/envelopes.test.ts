import { Duration, type Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Schedule } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  KeepPayload,
  Key,
  RecordStream,
  Source,
} from '../../infra/index';
import { ENVELOPES, type EnvelopeName } from '../../infra/sources/envelope/envelopes';
import { newStack, someFunction } from '../support/synthesize';

type Keep = { readonly keep?: readonly string[] };

/** A source of each kind, by the method that makes it. */
const SOURCES: Readonly<Record<string, (stack: Stack, options?: Keep) => IWorkflowSource>> = {
  eventBridge: stack => Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] }),
  customEventBus: stack => Source.customEventBus(new CfnEventBus(stack, 'CustomBus', { name: 'orders' })),
  schedule: () => Source.schedule(Schedule.rate(Duration.hours(1))),
  queue: (stack, options = {}) => {
    const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 };
    return Source.queue(new Queue(stack, 'Queue', { deadLetterQueue }), options);
  },
  topic: (stack, options = {}) => Source.topic(new Topic(stack, 'Topic'), options),
  kinesis: stack => Source.pipe(RecordStream.kinesis(new Stream(stack, 'Stream'), LATEST)),
  dynamoDb: stack => {
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    const table = new Table(stack, 'Orders', { partitionKey, stream: StreamViewType.NEW_IMAGE });
    return Source.pipe(RecordStream.dynamoDb(table, LATEST));
  },
  msk: stack => {
    const cluster = 'arn:aws:kafka:us-east-1:123456789012:cluster/vpc/751d2973';
    return Source.pipe(RecordStream.msk(cluster, { topic: 'orders', ...LATEST, ...login(stack) }));
  },
  kafka: stack => {
    const bootstrapServers = ['a.example.com:9092'];
    return Source.pipe(RecordStream.kafka({ topic: 'orders', bootstrapServers, ...LATEST, ...login(stack) }));
  },
  http: () => Source.http('payments'),
};
const LATEST = { startingPosition: 'LATEST' } as const;
const login = (stack: Stack) => ({ saslScram512Auth: new Secret(stack, 'Secret') });

function started(kind: string, props: Partial<IdempotentWorkflowProps>, options?: Keep): Stack {
  const stack = newStack();
  const source = SOURCES[kind]?.(stack, options);
  if (!source) throw new Error(`no source of the kind ${kind}`);
  const step = someFunction(stack);
  const idempotencyKey = USUAL[kind] ?? '';
  new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, ...props }).startFrom(source);
  return stack;
}

const path = (text: string) => `{% $states.input.${text} %}`;

/** A key that events of each kind have. */
const USUAL: Readonly<Record<string, string>> = {
  eventBridge: path('detail.orderId'),
  customEventBus: path('detail.orderId'),
  schedule: path('time'),
  queue: path('orderId'),
  topic: path('orderId'),
  kinesis: path('data.orderId'),
  dynamoDb: path('dynamodb.Keys.orderId.S'),
  msk: path('value.orderId'),
  kafka: path('value.orderId'),
  http: path('idempotencyKey'),
};

/** What people write first, and the path that they mean. */
const WRONG: readonly (readonly [kind: string, written: string, meant: string])[] = [
  ['eventBridge', 'orderId', 'detail.orderId'],
  ['eventBridge', 'body.orderId', 'detail.orderId'],
  ['eventBridge', 'event.detail.orderId', 'detail.orderId'],
  ['eventBridge', 'Records[0].body.orderId', 'detail.orderId'],
  ['eventBridge', 'Message.orderId', 'detail.orderId'],
  ['eventBridge', 'data.orderId', 'detail.orderId'],
  ['eventBridge', '"order-id"', 'detail."order-id"'],
  ['customEventBus', 'orderId', 'detail.orderId'],
  ['customEventBus', 'Data.detail.orderId', 'detail.orderId'],
  ['schedule', 'detail.orderId', 'time'],
  ['schedule', 'detail', 'time'],
  ['schedule', 'id', 'time'],
  ['schedule', 'scheduledTime', 'time'],
  ['queue', 'body', 'orderId'],
  ['queue', 'body.orderId', 'orderId'],
  ['queue', 'messageId', 'orderId'],
  ['queue', 'receiptHandle', 'orderId'],
  ['queue', 'messageAttributes.orderId.stringValue', 'orderId'],
  ['queue', 'attributes.MessageGroupId', 'orderId'],
  ['queue', 'attributes.MessageDeduplicationId', 'orderId'],
  ['queue', 'Records[0].body', 'orderId'],
  ['queue', 'Records[0].body.orderId', 'orderId'],
  ['queue', 'Records[0].body.detail.orderId', 'detail.orderId'],
  ['queue', 'Records[0].messageId', 'orderId'],
  ['queue', 'Records[0].Sns.Message.orderId', 'orderId'],
  ['topic', 'Message', 'orderId'],
  ['topic', 'Message.orderId', 'orderId'],
  ['topic', 'MessageId', 'orderId'],
  ['topic', 'Subject', 'orderId'],
  ['topic', 'MessageAttributes.shop.Value', 'orderId'],
  ['topic', 'Records[0].Sns.Message.orderId', 'orderId'],
  ['topic', 'Records[0].Sns.MessageId', 'orderId'],
  ['topic', 'Sns.Message.orderId', 'orderId'],
  ['topic', 'body.orderId', 'orderId'],
  ['kinesis', 'detail.orderId', 'data.orderId'],
  ['kinesis', 'orderId', 'data.orderId'],
  ['kinesis', 'body.orderId', 'data.orderId'],
  ['kinesis', 'kinesis.data.orderId', 'data.orderId'],
  ['kinesis', 'Records[0].kinesis.data.orderId', 'data.orderId'],
  ['dynamoDb', 'Keys.orderId.S', 'dynamodb.Keys.orderId.S'],
  ['dynamoDb', 'NewImage.orderId.S', 'dynamodb.NewImage.orderId.S'],
  ['dynamoDb', 'Records[0].dynamodb.Keys.orderId.S', 'dynamodb.Keys.orderId.S'],
  ['dynamoDb', 'detail.orderId', 'dynamodb.NewImage.orderId.S'],
  ['dynamoDb', 'orderId', 'dynamodb.NewImage.orderId.S'],
  ['msk', 'detail.orderId', 'value.orderId'],
  ['msk', 'orderId', 'value.orderId'],
  ['kafka', 'body.orderId', 'value.orderId'],
  ['kafka', 'data.orderId', 'value.orderId'],
];

describe('a path that no input of the source has', () => {
  test.each(WRONG)('%s, %s: synthesis ends with %s, which is accepted', (kind, written, meant) => {
    const define = () => started(kind, { idempotencyKey: path(written) });

    expect(define).toThrow(/^Test\/Pay: `idempotencyKey` reads \$states\.input.*, which no /);
    expect(define).toThrow(`. Write ${path(meant)}`);
    expect(() => started(kind, { idempotencyKey: path(meant) })).not.toThrow();
  });

  test.each([
    ['http', 'detail.amount', 'body.amount'],
    ['http', 'amount', 'body.amount'],
    ['http', 'requestContext.authorizer.principalId', 'principal'],
  ])('%s, a payload of %s: synthesis ends with %s, which is accepted', (kind, written, meant) => {
    expect(() => started(kind, { payload: path(written) })).toThrow(`Write ${path(meant)}`);
    expect(() => started(kind, { payload: path(meant) })).not.toThrow();
  });

  test('$parse of the text that a queue has in an envelope of SNS: accepted, and named if its members are read', () => {
    expect(() => started('queue', { idempotencyKey: path('Message.orderId') })).toThrow(
      'Write {% $parse($states.input.Message).orderId %}, because `Message` is a text',
    );
    expect(() =>
      started('queue', { idempotencyKey: '{% $parse($states.input.Message).orderId %}' }),
    ).not.toThrow();
  });

  test('the body of a message, parsed: the members that are meant', () => {
    expect(() => started('queue', { idempotencyKey: '{% $parse($states.input.body).orderId %}' })).toThrow(
      '`idempotencyKey` reads $states.input.body, which no message of this queue has',
    );
  });

  const wrong = '{% $states.input.body.amount %}';
  test.each<[string, Partial<IdempotentWorkflowProps>, string]>([
    ['a part of a key', { idempotencyKey: [path('orderId'), wrong] }, 'idempotencyKey'],
    ['the payload', { payload: wrong }, 'payload'],
    ['a member of a payload', { payload: "{% {'amount': $states.input.body.amount} %}" }, 'payload'],
    ['a selection', { payload: "{% $states.input.{'amount': body.amount} %}" }, 'payload'],
    ['a block', { payload: '{% ( $all := $states.input; $all.body.amount ) %}' }, 'payload'],
    ['a function', { payload: '{% $lowercase($states.input.body.name) %}' }, 'payload'],
    ['$lookup', { payload: "{% $lookup($states.input, 'messageId') %}" }, 'payload'],
    ['a chain of functions', { payload: '{% $states.input.body.name ~> $lowercase() %}' }, 'payload'],
    ['Key.ofPayload', { idempotencyKey: Key.ofPayload(wrong) }, 'Key.ofPayload'],
    ['stepInput', { stepInput: wrong }, 'stepInput'],
    ['a member of stepInput', { stepInput: { order: { amount: wrong } } }, 'stepInput'],
    [
      'a redaction',
      { payload: path('amount'), keepPayload: KeepPayload.redacted(wrong) },
      'KeepPayload.redacted',
    ],
  ])('in %s: rejected', (_, props, option) => {
    expect(() => started('queue', props)).toThrow(`\`${option}\` reads $states.input.`);
  });

  test.each<[string, Partial<IdempotentWorkflowProps>]>([
    [
      'what one branch of a condition reads',
      {
        idempotencyKey: path('orderId'),
        payload:
          '{% $exists($states.input.body.amount) ? $states.input.body.amount : $states.input.amount %}',
      },
    ],
    [
      'a message that is an email, with its body as a part',
      {
        payload: "{% $states.input.{'to': to, 'subject': subject, 'body': body} %}",
        stepInput: { text: '{% $states.input.body %}' },
      },
    ],
    ['attributes of a product', { payload: path('attributes.color') }],
    ['all records of a list', { idempotencyKey: Key.ofPayload(path('Records')) }],
    [
      'an object that a step gets in an envelope',
      {
        stepInput: "{% {'Records': [{'body': $string($states.input)}]} %}",
      },
    ],
    ['an event as a message', { idempotencyKey: path('detail.orderId'), payload: path('detail') }],
  ])('accepted with a queue: %s', (_, props) => {
    expect(() => started('queue', props, props.idempotencyKey ? { keep: [] } : {})).not.toThrow();
  });

  test('an own member with such a name: accepted if the source keeps it', () => {
    const props = { idempotencyKey: path('messageId') };

    expect(() => started('queue', props)).toThrow("pass { keep: ['messageId'] } to the source");
    expect(() => started('queue', props, { keep: ['messageId'] })).not.toThrow();
    expect(() => started('topic', props, { keep: ['messageId'] })).not.toThrow();
    expect(() => started('queue', props, { keep: ['messageid'] })).toThrow(
      '`keep` must be a list of these names',
    );
  });

  test('both branches of a condition: rejected', () => {
    const idempotencyKey = '{% $states.input.a ? $states.input.body.a : $states.input.body.b %}';

    expect(() => started('eventBridge', { idempotencyKey })).toThrow(
      'reads $states.input.body.a, which no event',
    );
  });

  test('two sources: each is checked', () => {
    const stack = newStack();
    const idempotencyKey = path('detail.orderId');
    const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack) });
    workflow.startFrom(SOURCES['eventBridge']?.(stack) as IWorkflowSource);

    expect(() => workflow.startFrom(SOURCES['kinesis']?.(stack) as IWorkflowSource)).toThrow(
      'reads $states.input.detail.orderId, which no record of this stream has',
    );
  });
});

describe('a key of nothing but what many events have', () => {
  const rows = Object.keys(SOURCES).flatMap(kind => {
    const { shared } = ENVELOPES[kind === 'msk' ? 'kafka' : (kind as EnvelopeName)];
    // The key of a workflow that is started by HTTP is that of its source.
    return kind === 'http' ? [] : shared.map(name => [kind, path(name.replace(/^.*-.*$/, '"$&"'))] as const);
  });

  test.each(rows)(
    '%s, %s: rejected, unless another part tells the events apart or it is meant',
    (kind, text) => {
      const define = () => started(kind, { idempotencyKey: text });
      expect(define).toThrow(
        /`idempotencyKey` has only what is the same in many events, or can be missing; got /,
      );
      const [, meant = ''] = /apart, such as (\{% .*? %\})/.exec(thrownBy(define)) ?? [];
      const optional = "{% $exists($states.input.x) ? $states.input.x : 'none' %}";
      expect(() => started(kind, { idempotencyKey: [text, optional] })).toThrow();

      expect(() => started(kind, { idempotencyKey: [text, meant] })).not.toThrow();
      const unchecked = Key.unchecked(text, { reason: 'once for all' });
      expect(() => started(kind, { idempotencyKey: unchecked })).not.toThrow();
    },
  );
});

function thrownBy(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('the table of envelopes', () => {
  test('has a row for each kind of source that there is, and this suite has a source and wrong paths of each', () => {
    const kinds = [...Object.keys(Source).filter(name => name !== 'pipe'), ...Object.keys(RecordStream)];
    const rowOf = (kind: string) => (kind === 'msk' ? 'kafka' : kind) as EnvelopeName;

    expect(kinds.filter(kind => ENVELOPES[rowOf(kind)] === undefined)).toEqual([]);
    expect(kinds.filter(kind => SOURCES[kind] === undefined)).toEqual([]);
    expect(kinds.filter(kind => kind !== 'http' && !WRONG.some(([of]) => of === kind))).toEqual([]);
  });

  test('the usual key of each kind: accepted', () => {
    for (const kind of Object.keys(SOURCES)) expect(() => started(kind, {})).not.toThrow();
  });
});

describe('what `input` makes', () => {
  const withInput = (input: string, props: Partial<IdempotentWorkflowProps>) => {
    const stack = newStack();
    const source = Source.topic(new Topic(stack, 'Topic'), { input });
    const step = someFunction(stack);
    const idempotencyKey = path('detail.orderId');
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, ...props }).startFrom(source);
    return stack;
  };
  const input = "{% {'detail': $states.input} %}";

  test('what it does not give: rejected with what it gives', () => {
    expect(() => withInput(input, { idempotencyKey: path('orderId') })).toThrow(
      `reads $states.input.orderId, which the \`input\` of this source does not give: ${input}; got ${path('orderId')}. ` +
        `Write ${path('detail.orderId')}`,
    );
    expect(() => withInput(input, {})).not.toThrow();
  });

  test('what it reads itself: as any path of the source', () => {
    expect(() => withInput("{% {'detail': $parse($states.input.Message)} %}", {})).toThrow(
      '`input` reads $states.input.Message, which no message of this topic has',
    );
  });

  test.each([
    ["{% {'detail': $states.input.orders[0]} %}", 1],
    ["{% {'detail': $states.input.orders[-1]} %}", 1],
    ["{% {'detail': ($states.input.orders)[0]} %}", 1],
    ["{% {'detail': {'orderId': $states.input.batch.orders[1].id}} %}", 1],
    ["{% {'detail': $states.input.orders[status = 'NEW']} %}", 0],
    ["{% {'detail': {'orderId': $states.input.orders.id}} %}", 0],
  ])('%s takes one item of a list: %i warning that the others are lost', (made, count) => {
    const said = Annotations.fromStack(withInput(made, {}));

    const lost = Match.stringLikeRegexp(
      '`input` takes one item of a list, so the workflow is not started for',
    );
    expect(said.findWarning('*', lost)).toHaveLength(count);
  });

  test('a merged object: what one of its parts may have', () => {
    const merged = "{% $merge([$states.input, {'detail': {'orderId': $states.input.id2}}]) %}";

    expect(() => withInput(merged, { payload: path('amount') })).not.toThrow();
    expect(() => withInput(merged, { payload: path('detail.amount') })).toThrow('does not give');
  });
});
