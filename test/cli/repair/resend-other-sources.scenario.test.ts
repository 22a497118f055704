import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { resend } from '../../../cli/commands/resend';
import { RecordStream, Source } from '../../../infra/index';
import type { Variant } from '../../support/variant';
import { type CliWorld, ORDER, openCliWorld } from '../world';

const WANTED = { limit: 100, perSecond: 100, isConfirmed: true, isForced: false } as const;

let c: CliWorld;
afterEach(() => c.close());

test('what the dispatcher of a pipe has kept: its records are started', async () => {
  const pipe: Variant = {
    name: 'resend-pipe',
    source: null,
    workflow: { idempotencyKey: '{% $states.input.data.orderId %}', payload: '{% $states.input.data %}' },
    more: (stack, workflow) => {
      const records = RecordStream.kinesis(new Stream(stack, 'Clicks'), { startingPosition: 'LATEST' });
      workflow.startFrom(Source.pipe(records));
    },
  };
  c = await openCliWorld(pipe);
  const { queues } = c.world.stack;
  const { name = '' } = queues.list().find(one => /Clicks.*NotStarted/.test(one.name)) ?? {};
  const data = Buffer.from(JSON.stringify(ORDER)).toString('base64');
  queues.send(name, JSON.stringify({ data, partitionKey: '1', eventID: 'e1' }));

  await resend.run(c.context, { ...WANTED, queue: name });
  await c.world.settle();

  expect(c.world.runs).toHaveLength(1);
  expect(queues.peek(name)).toEqual([]);
});

test('what a FIFO queue has given up: back in its group, though the queue was just sent it', async () => {
  c = await openCliWorld();
  const { queues } = c.world.stack;
  const fifo = { isContentBased: true };
  const { arn: deadLetterTargetArn } = queues.create('dead.fifo', { fifo });
  queues.create('orders.fifo', { fifo, redrivePolicy: { deadLetterTargetArn, maxReceiveCount: 1 } });
  queues.send('orders.fifo', JSON.stringify({ detail: ORDER }), { messageGroupId: 'customer-1' });
  queues.receive('orders.fifo', { visibilitySeconds: 0 });
  queues.receive('orders.fifo');

  await resend.run(c.context, { ...WANTED, queue: 'dead.fifo' });

  expect(queues.peek('dead.fifo')).toEqual([]);
  expect(queues.peek('orders.fifo')).toMatchObject([{ messageGroupId: 'customer-1' }]);
});
