import { Duration, Fn, type Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type CfnQueue, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Pass, QueryLanguage } from 'aws-cdk-lib/aws-stepfunctions';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  type QueueSourceOptions,
  RecordTable,
  Source,
} from '../../infra/index';
import { allowed, definitionIn, someFunction, synthesized } from '../support/synthesize';

const KEY = '{% $states.input.detail.id %}';

function started(
  source: (stack: Stack) => IWorkflowSource,
  props: Partial<IdempotentWorkflowProps> = {},
): Template {
  return synthesized(stack => {
    const step = someFunction(stack);
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, ...props }).startFrom(source(stack));
  });
}

interface QueueWithDeadLetters extends QueueProps {
  readonly maxReceiveCount?: number;
  readonly dead?: QueueProps;
}

/** A queue with a dead-letter queue, for the one workflow of its stack. */
function queueIn(stack: Stack, { maxReceiveCount = 3, dead, ...props }: QueueWithDeadLetters = {}) {
  const deadLetterQueue = { queue: new Queue(stack, 'Dead', dead), maxReceiveCount };
  return new Queue(stack, 'Queue', { deadLetterQueue, ...props });
}

describe('Source.queue', () => {
  const queue = (stack: Stack) => Source.queue(queueIn(stack), { maxConcurrency: 5 });
  const queueUntilStarted = (stack: Stack) =>
    Source.queue(new Queue(stack, 'Queue'), { deleteWhen: 'started' });

  test.each([
    [29, {}, 30],
    [129, { type: 'EXPRESS' as const, timeout: Duration.minutes(2) }, 125],
    [124, { type: 'EXPRESS' as const, timeout: Duration.minutes(2) }, 125],
  ])('a visibility timeout of %d s, for %j: at least %d s', (seconds, props, needed) => {
    const visibilityTimeout = Duration.seconds(seconds);
    const short = (stack: Stack) => Source.queue(queueIn(stack, { visibilityTimeout }));

    const define = () => started(short, props);

    if (seconds >= needed) expect(define).not.toThrow();
    else expect(define).toThrow(`visibility timeout of at least ${needed} seconds`);
  });

  test('a function with partial batch answers, that may start the dispatcher and hand on what it has started', () => {
    const template = started(queue);

    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
    const statements = allowed(template, /Starter/).map(statement => statement.split(' ')[0]);
    expect(statements.sort()).toEqual([
      'sqs:ChangeMessageVisibility,sqs:DeleteMessage,sqs:GetQueueAttributes,sqs:GetQueueUrl,sqs:ReceiveMessage',
      'sqs:SendMessage',
      'states:StartSyncExecution',
    ]);
  });

  test('twenty invocations at the same time, unless the option says otherwise', () => {
    started(queueUntilStarted).hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ScalingConfig: { MaximumConcurrency: 20 },
    });
  });

  test.each([
    ['a dispatcher', {}, 'DISPATCHER_ARN'],
    ['an Express workflow', { type: 'EXPRESS' as const, timeout: Duration.minutes(2) }, 'WORKFLOW_ARN'],
  ])('the function knows %s by its name, and the queue', (_, props, name) => {
    const patient = (stack: Stack) => Source.queue(queueIn(stack, { visibilityTimeout: Duration.hours(1) }));
    const functions = started(patient, props).findResources('AWS::Lambda::Function');
    const [starter] = Object.entries(functions).filter(([id]) => id.includes('Starter'));

    const names = Object.keys(starter?.[1]['Properties']['Environment']['Variables']);
    expect(names.filter(one => one.endsWith('_ARN'))).toEqual([name]);
    expect(names).toContain('QUEUE_URL');
  });

  test('another function that checks: reads records of the scope, and asks about executions of the workflow', () => {
    const statements = allowed(started(queue), /Settler/);

    expect(statements.map(statement => statement.split(' ')[0]).sort()).toEqual([
      'dynamodb:GetItem',
      'sqs:ChangeMessageVisibility,sqs:DeleteMessage',
      'sqs:ChangeMessageVisibility,sqs:DeleteMessage,sqs:GetQueueAttributes,sqs:GetQueueUrl,sqs:ReceiveMessage',
      'states:DescribeExecution',
    ]);
    started(queue).hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['Pay#*'] } },
          }),
        ]),
      },
    });
  });

  test("a table with a customer's key: the function that checks may read what it encrypts", () => {
    const template = synthesized(stack => {
      const table = new RecordTable(stack, 'Records', { encryptionKey: new Key(stack, 'Key') });
      const workflow = { idempotencyKey: '{% $states.input.detail.id %}', step: someFunction(stack), table };
      new IdempotentWorkflow(stack, 'Pay', workflow).startFrom(queue(stack));
    });

    expect(allowed(template, /Settler/)).toContainEqual(
      expect.stringMatching(/^kms:Decrypt \{"Fn::GetAtt":\["Key/),
    );
  });

  test("deleteWhen 'started', and an Express workflow: nothing that checks", () => {
    for (const template of [
      started(queueUntilStarted),
      started(stack => Source.queue(queueIn(stack, { visibilityTimeout: Duration.minutes(6) })), {
        type: 'EXPRESS',
      }),
    ]) {
      expect(Object.keys(template.findResources('AWS::Lambda::Function')).join()).not.toContain('Settler');
      const [starter] = allowed(template, /Starter/);
      expect(starter).toBeDefined();
      expect(JSON.stringify(template)).not.toContain('"STARTED_QUEUE_URL"');
    }
  });

  /** The variables of the function whose logical id has this name in it. */
  function variablesIn(template: Template, name: string): Readonly<Record<string, unknown>> {
    const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
    const [, found] = functions.find(([id]) => id.includes(name)) ?? [];
    return found?.['Properties']['Environment']['Variables'];
  }

  test.each([
    ['a function of 10 seconds', { function: Duration.seconds(10) }, '40'],
    ['a function of 15 minutes', { function: Duration.minutes(15) }, '930'],
    ['what the source says', { function: Duration.seconds(10), checkAfter: Duration.seconds(5) }, '5'],
  ])('%s: when a key is looked at', (_, { function: timeout, ...options }, seconds) => {
    const template = synthesized(stack => {
      const step = someFunction(stack, { timeout });
      const workflow = new IdempotentWorkflow(stack, 'Pay', {
        idempotencyKey: KEY,
        step,
      });
      workflow.startFrom(Source.queue(queueIn(stack), options));
    });

    expect(variablesIn(template, 'Starter')['CHECK_AFTER_SECONDS']).toBe(seconds);
    expect(variablesIn(template, 'Settler')['CHECK_AFTER_SECONDS']).toBe(seconds);
  });

  test('a function that is retried: looked at when its last try is over', () => {
    const template = synthesized(stack => {
      const step = someFunction(stack, { timeout: Duration.seconds(10) });
      const retry = { errors: ['Busy'], maxAttempts: 2, backoffRate: 1 };
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, retry }).startFrom(
        Source.queue(queueIn(stack)),
      );
    });

    expect(variablesIn(template, 'Settler')['CHECK_AFTER_SECONDS']).toBe(String(3 * 40 + 2));
  });

  test('a chain that may be at work for a day: looked at after three hours', () => {
    const template = synthesized(stack => {
      const step = new Pass(stack, 'Work', { queryLanguage: QueryLanguage.JSONATA });
      const stepTimeout = Duration.days(1);
      new IdempotentWorkflow(stack, 'Pay', {
        idempotencyKey: KEY,
        step,
        stepTimeout,
      }).startFrom(queue(stack));
    });

    expect(variablesIn(template, 'Settler')).toMatchObject({
      CHECK_AFTER_SECONDS: '10800',
      STEP_SECONDS: '86400',
    });
  });

  test.each<[string, (stack: Stack) => IWorkflowSource, Partial<IdempotentWorkflowProps>, string]>([
    [
      'no dead-letter queue',
      stack => Source.queue(new Queue(stack, 'Queue')),
      {},
      'needs a queue with a dead-letter',
    ],
    [
      'a maxReceiveCount of 2',
      stack => Source.queue(queueIn(stack, { maxReceiveCount: 2 })),
      {},
      '`maxReceiveCount` of at least 3',
    ],
    [
      'of a queue from elsewhere',
      stack => Source.queue(imported(stack), { maxReceiveCount: 2 }),
      {},
      '`maxReceiveCount` of at least 3',
    ],
    [
      'the visibility timeout of one from elsewhere',
      stack => Source.queue(imported(stack), { visibilityTimeout: Duration.seconds(29) }),
      {},
      'visibility timeout of at least 30 seconds',
    ],
    [
      'a retention that is over before the last start',
      stack => Source.queue(queueIn(stack, { retentionPeriod: Duration.minutes(4) })),
      {},
      'retention period of more than 1890 seconds, the time to receive a message 3 times',
    ],
    [
      'a dead-letter queue in which a message is too old when it comes there',
      stack => Source.queue(queueIn(stack, { dead: { retentionPeriod: Duration.minutes(4) } })),
      {},
      'retention period of more than 1890 seconds, because the period counts from the first send; that of Test/Queue has',
    ],
    [
      'a retention that is over before the last start of what is deleted when it has started',
      stack => {
        const queue = queueIn(stack, { retentionPeriod: Duration.minutes(20) });
        return Source.queue(queue, { deleteWhen: 'started' });
      },
      {},
      'retention period of more than 1890 seconds, the time to receive a message 3 times',
    ],
    [
      'the settings of a queue that is defined here',
      stack => Source.queue(queueIn(stack), { maxReceiveCount: 3 }),
      {},
      'describe a queue of another app, but this app defines Test/Queue',
    ],
    [
      'another word for when a message is deleted',
      stack => Source.queue(queueIn(stack), { deleteWhen: 'done' as 'finished' }),
      {},
      "`deleteWhen` must be 'finished' or 'started', got \"done\"",
    ],
    [
      'started, for an Express workflow',
      stack => Source.queue(queueIn(stack), { deleteWhen: 'started' }),
      { type: 'EXPRESS' },
      "`deleteWhen: 'started'` needs a STANDARD workflow",
    ],
    [
      'a check of what is deleted before',
      stack => Source.queue(queueIn(stack), { deleteWhen: 'started', checkAfter: Duration.minutes(1) }),
      {},
      '`checkAfter` works only for messages that wait',
    ],
    [
      'a check of what an Express workflow has answered',
      stack => Source.queue(queueIn(stack), { checkAfter: Duration.minutes(1) }),
      { type: 'EXPRESS' },
      '`checkAfter` works only for messages that wait',
    ],
    [
      'a check after four hours',
      stack => Source.queue(queueIn(stack), { checkAfter: Duration.hours(4) }),
      {},
      '`checkAfter` must be whole seconds from 1 second to 3 hours, got 4 hours',
    ],
    [
      'a check after half a second',
      stack => Source.queue(queueIn(stack), { checkAfter: Duration.millis(500) }),
      {},
      '`checkAfter` must be whole seconds from 1 second to 3 hours, got 500 millis',
    ],
    [
      'a key out of what is left out of events',
      stack => Source.queue(queueIn(stack)),
      { idempotencyKey: '{% $states.input.id %}' },
      'this source leaves it out of events (messages that have a `detail-type`); got {% $states.input.id %}',
    ],
  ])('%s: rejected', (_, source, props, message) => {
    expect(() => started(source, props)).toThrow(message);
  });

  test('a redrive policy that is set on the CloudFormation resource: rejected like that of the construct', () => {
    const withOwnPolicy = (maxReceiveCount: number) => (stack: Stack) => {
      const queue = new Queue(stack, 'Queue');
      const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:111111111111:dead';
      (queue.node.defaultChild as CfnQueue).redrivePolicy = { deadLetterTargetArn, maxReceiveCount };
      return Source.queue(queue);
    };

    expect(() => started(withOwnPolicy(3))).not.toThrow();
    expect(() => started(withOwnPolicy(2))).toThrow(/`maxReceiveCount` of at least 3/);
  });

  test('a queue from elsewhere of which nothing is said: taken as it is', () => {
    expect(() => started(stack => Source.queue(imported(stack)))).not.toThrow();
  });

  function imported(stack: Stack) {
    return Queue.fromQueueArn(stack, 'Queue', 'arn:aws:sqs:us-east-1:111111111111:orders');
  }

  /** The timeouts of the state machine that the function starts, and of the function, in seconds. */
  function timeoutsIn(template: Template, machine: RegExp) {
    const [starter] = Object.entries(template.findResources('AWS::Lambda::Function')).filter(([id]) =>
      id.includes('Starter'),
    );
    const { TimeoutSeconds } = definitionIn(template, machine) as { readonly TimeoutSeconds?: number };
    return { started: TimeoutSeconds, function: starter?.[1]['Properties']['Timeout'] };
  }

  test('the function outlives what it starts, and a visibility timeout of 30 seconds outlives it', () => {
    expect(timeoutsIn(started(queue), /Dispatcher/)).toEqual({ started: 25, function: 30 });
  });

  test('of an Express workflow, too', () => {
    const timeout = Duration.minutes(2);
    const slow = (stack: Stack) => Source.queue(queueIn(stack, { visibilityTimeout: Duration.seconds(125) }));

    const template = started(slow, { type: 'EXPRESS', timeout });

    expect(timeoutsIn(template, /Pay/)).toEqual({ started: 120, function: 125 });
  });

  test('its dispatcher keeps no events: what it cannot start stays in the queue', () => {
    const template = started(queueUntilStarted);

    expect(Object.keys(definitionIn(template, /Dispatcher/).States)).not.toContain('Keep the event');
    template.resourceCountIs('AWS::SQS::Queue', 1);
  });

  test('its dispatcher names the record of what it starts; where messages are deleted at the start it does not', () => {
    const stateOf = (template: Template, state: string) => definitionIn(template, /Dispatcher/).States[state];
    const outputOf = (template: Template, state: string) => stateOf(template, state)?.['Output'] as object;
    const rememberedBy = (template: Template) =>
      (stateOf(template, 'Start by key')?.['Assign'] as { readonly started: object } | undefined)?.started;

    for (const recordOf of [rememberedBy, (template: Template) => outputOf(template, 'Start again')]) {
      expect(recordOf(started(queue))).toHaveProperty('recordKey', expect.stringContaining("'Pay#'"));
      expect(recordOf(started(queueUntilStarted))).not.toHaveProperty('recordKey');
    }
    expect(outputOf(started(queue), 'Start without a key')).not.toHaveProperty('recordKey');
  });
});

test.each([
  ['Standard', {}, 67],
  ['Express', { type: 'EXPRESS' as const, timeout: Duration.minutes(2) }, 300],
])(
  'a queue of a workflow of type %s synthesizes with a high maxReceiveCount',
  (_, props, maxReceiveCount) => {
    const queue = { maxReceiveCount, visibilityTimeout: Duration.minutes(12) };

    expect(() => started(stack => Source.queue(queueIn(stack, queue)), props)).not.toThrow();
  },
);

describe('a FIFO queue', () => {
  const dead = { fifo: true };
  const fifo = (options?: QueueSourceOptions) => (stack: Stack) =>
    Source.queue(queueIn(stack, { fifo: true, dead }), options);

  test('one message at a time, which is looked at soon', () => {
    const template = started(fifo());

    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Queue'), 'Arn'] },
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ CHECK_AFTER_SECONDS: '2' }) },
    });
  });

  test('another time for the check: as it is given', () => {
    started(fifo({ checkAfter: Duration.seconds(1) })).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ CHECK_AFTER_SECONDS: '1' }) },
    });
  });

  test.each([{}, { deleteWhen: 'started' as const }])(
    'more than one message at a time, with %j: rejected',
    more => {
      expect(() => started(fifo({ batchSize: 10, ...more }))).toThrow(
        /`batchSize` must be 1 for a FIFO queue, got 10\. .* without a start\. Leave it out/,
      );
    },
  );

  test.each<[string, QueueWithDeadLetters, RegExp | undefined]>([
    [
      'a FIFO queue, a standard one for its dead letters',
      { fifo: true },
      /Queue is a FIFO queue, but its .* `fifo: true`/,
    ],
    [
      'a standard queue, a FIFO one for its dead letters',
      { dead },
      /Queue is not a FIFO queue, .* Leave `fifo` out there/,
    ],
    ['both FIFO', { fifo: true, dead }, undefined],
  ])('%s: rejected where SQS would', (_, queues, message) => {
    const define = () => started(stack => Source.queue(queueIn(stack, queues)));

    if (message) expect(define).toThrow(message);
    else expect(define).not.toThrow();
  });

  test.each([
    ['arn:aws:sqs:us-east-1:111111111111:dead', /its dead-letter queue is not/],
    ['arn:aws:sqs:us-east-1:111111111111:dead.fifo', undefined],
    [Fn.importValue('DeadLetterQueueArn'), undefined],
  ])('a dead-letter queue from elsewhere, %s: judged by its name, if that is known', (arn, message) => {
    const define = () =>
      started(stack => {
        const deadLetterQueue = { queue: Queue.fromQueueArn(stack, 'Dead', arn), maxReceiveCount: 3 };
        return Source.queue(new Queue(stack, 'Queue', { fifo: true, deadLetterQueue }));
      });

    if (message) expect(define).toThrow(message);
    else expect(define).not.toThrow();
  });
});
