import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { type IdempotentWorkflow, Recovery, Source } from '../../infra/index';
import { RECORD_SCHEMA } from '../../state-machine/contract/table-schema';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// The functions of a queue are killed at each of their calls. They run in this process, called as Lambda would call
// them, and reach the services through a server that drops the connection of a killed one.

jest.setTimeout(60_000);

const VARIANT: Variant = {
  name: 'queue-killed',
  workflow: { recovery: Recovery.automatic() },
  more: addQueue,
};
const SECOND = 1000;

function addQueue(stack: Stack, workflow: IdempotentWorkflow): void {
  const dead = new Queue(stack, 'Dead', { queueName: 'dead' });
  const queue = new Queue(stack, 'Messages', {
    queueName: 'orders',
    visibilityTimeout: Duration.seconds(30),
    deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
  });
  workflow.startFrom(Source.queue(queue));
  for (const node of workflow.node.findAll()) {
    if (node instanceof CfnEventSourceMapping) node.enabled = false;
  }
  const source = workflow.node.findChild('SourceMessages');
  const dispatcher = source.node.findChild('Dispatcher').node.findChild('StateMachine') as StateMachine;
  new CfnOutput(stack, 'DispatcherArn', { value: dispatcher.stateMachineArn });
  new CfnOutput(stack, 'MessagesUrl', { value: queue.queueUrl });
  new CfnOutput(stack, 'StartedUrl', { value: (source.node.findChild('Unsettled') as Queue).queueUrl });
}

/**
 * The moment of the kill of an invocation: before its nth call reaches the service, or when the service has answered.
 */
interface Kill {
  readonly call: number;
  readonly when: 'before' | 'after';
}

type Handler = (
  batch: object,
) => Promise<{ readonly batchItemFailures: readonly { itemIdentifier: string }[] }>;
type FunctionName = 'start-from-queue' | 'check-message';

/** Invokes a function, as it is deployed, for a batch; undefined where it was killed. */
async function invoke(world: World, name: FunctionName, batch: object, kill?: Kill) {
  let calls = 0;
  let isDead = false;
  let die: () => void = () => undefined;
  const death = new Promise<undefined>(resolve => {
    die = () => resolve(undefined);
  });
  const server = createServer((incoming, outgoing) => {
    calls += 1;
    const isKilledHere = calls === kill?.call;
    if (isDead || (isKilledHere && kill?.when === 'before')) {
      isDead = true;
      die();
      incoming.socket.destroy();
      return;
    }
    isDead ||= isKilledHere;
    const { method = 'POST', headers } = incoming;
    // On a connection of its own: one that was kept may be closed by the endpoint at this very moment.
    const options = { method, headers, agent: false };
    const forwarded = request(`${world.stack.endpoint}${incoming.url}`, options, answer => {
      if (!isKilledHere) {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      answer.resume();
      answer.on('end', () => {
        die();
        incoming.socket.destroy();
      });
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const environment = { ...process.env };
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL: endpoint,
    DISPATCHER_ARN: world.stack.output('DispatcherArn'),
    QUEUE_URL: world.stack.output('MessagesUrl'),
    STARTED_QUEUE_URL: world.stack.output('StartedUrl'),
    TABLE_NAME: world.stack.output('RecordTableName'),
    CHECK_AFTER_SECONDS: '40',
    DELETE_WHEN: 'finished',
    TABLE_SCHEMA: JSON.stringify(RECORD_SCHEMA),
    STEP_SECONDS: '40',
  });
  try {
    let handler: Handler | undefined;
    jest.isolateModules(() => {
      handler = jest.requireActual<{ handler: Handler }>(`../../functions/${name}/handler`).handler;
    });
    const answer = await Promise.race([handler?.(batch), death]);
    return { answer, calls };
  } finally {
    process.env = environment;
    server.closeAllConnections();
    server.close();
  }
}

/** Lets both functions take from their queues until these are empty; one invocation of one of them is killed. */
async function drain(world: World, killed: FunctionName, kill: Kill): Promise<boolean> {
  const { queues } = world.stack;
  const started = world.stack.output('StartedUrl');
  let isKilled = false;
  for (let second = 0; second < 1200; second += 5) {
    for (const [name, queue] of [
      ['start-from-queue', 'orders'],
      ['check-message', started],
    ] as const) {
      const received = queues.receive(queue, { max: 10 }) ?? [];
      if (received.length === 0) continue;
      const Records = received.map(({ messageId, receiptHandle, body, receiveCount }) => {
        const attributes = { ApproximateReceiveCount: String(receiveCount) };
        return { messageId, receiptHandle, body, attributes };
      });
      const isNow = name === killed && !isKilled;
      const { answer } = await invoke(world, name, { Records }, isNow ? kill : undefined);
      if (isNow) isKilled = answer === undefined;
      const failed = answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
      for (const { messageId, receiptHandle } of received) {
        if (failed && !failed.includes(messageId)) queues.delete(queue, receiptHandle);
      }
    }
    if ([...(queues.peek('orders') ?? []), ...(queues.peek(started) ?? [])].length === 0) break;
    await world.pass(5 * SECOND);
  }
  return isKilled;
}

describe("a queue's functions, killed at one of their calls", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(VARIANT, { port: 0 });
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    return world.close();
  });

  const places = (['start-from-queue', 'check-message'] as const).flatMap(name =>
    [1, 2, 3].flatMap(call => (['before', 'after'] as const).map(when => [name, call, when] as const)),
  );
  // The check of a finished message has two calls: the read, and the delete.
  test.each(places.filter(([name, call]) => name === 'start-from-queue' || call < 3))(
    '%s, call %d, %s it: the step has run once, and nothing is left in any queue',
    async (name, call, when) => {
      world.stack.queues.send(
        'orders',
        JSON.stringify({ detail: { orderId: 'o-1', amount: 1, currency: 'EUR' } }),
      );

      expect(await drain(world, name, { call, when })).toBe(true);

      expect(world.runs).toHaveLength(1);
      expect(world.stack.queues.peek('orders')).toEqual([]);
      expect(world.stack.queues.peek('dead')).toEqual([]);
    },
  );

  test.each(['before', 'after'] as const)(
    'the start of a step that fails, %s it: no start more than the queue allows, and the message is a dead letter',
    async when => {
      world.step = () => fails('CardDeclined');
      world.stack.queues.send(
        'orders',
        JSON.stringify({ detail: { orderId: 'o-1', amount: 1, currency: 'EUR' } }),
      );

      expect(await drain(world, 'start-from-queue', { call: 1, when })).toBe(true);

      expect(world.runs.length).toBe(when === 'before' ? 2 : 3);
      expect(world.stack.queues.peek('dead')).toHaveLength(1);
    },
  );

  test('nothing is killed: the calls that are killed above are all there are', async () => {
    world.step = () => returns('paid');
    world.stack.queues.send(
      'orders',
      JSON.stringify({ detail: { orderId: 'o-1', amount: 1, currency: 'EUR' } }),
    );

    expect(await drain(world, 'start-from-queue', { call: 4, when: 'before' })).toBe(false);
    expect(world.stack.queues.peek('orders')).toEqual([]);
  });
});
