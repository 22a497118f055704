import { Queues } from '../../../../local/services/sqs/queues';

function queues() {
  const clock = { now: 0 };
  let ids = 0;
  const made = new Queues({
    region: 'eu-west-1',
    account: '111111111111',
    now: () => clock.now,
    newId: () => `id-${++ids}`,
  });
  return { queues: made, clock, queue: made.create('q') };
}

const bodies = (messages: readonly { readonly body: string }[] | undefined) =>
  messages?.map(({ body }) => body);

describe('a queue', () => {
  test('its names: name, ARN and URL stand for it, of a URL only the path counts', () => {
    const made = queues();

    expect(made.queue).toEqual({
      name: 'q',
      url: 'https://sqs.eu-west-1.amazonaws.com/111111111111/q',
      arn: 'arn:aws:sqs:eu-west-1:111111111111:q',
    });
    for (const name of ['q', made.queue.arn, made.queue.url, 'http://127.0.0.1:8083/111111111111/q']) {
      expect(made.queues.find(name)).toEqual(made.queue);
    }
    for (const name of ['p', 'https://sqs.eu-west-1.amazonaws.com/222222222222/q', '']) {
      expect(made.queues.find(name)).toBeUndefined();
    }
    expect(made.queues.create('q')).toEqual(made.queue);
    expect(made.queues.list()).toEqual([made.queue]);
  });

  test('messages: come in the order they were sent, at most ten at a time', () => {
    const { queues: made } = queues();
    for (let n = 1; n <= 12; n += 1) made.send('q', `m${n}`);

    expect(bodies(made.receive('q'))).toEqual(['m1']);
    expect(made.receive('q', { max: 100 })).toHaveLength(10);
    expect(bodies(made.receive('q', { max: 100 }))).toEqual(['m12']);
  });

  test('a received message: out of sight until its time is over, then there again', () => {
    const { queues: made, clock } = queues();
    const sent = made.send('q', 'a');
    const [first] = made.receive('q') ?? [];
    clock.now = 29_999;

    expect(made.receive('q')).toEqual([]);
    clock.now = 30_000;
    const [second] = made.receive('q', { visibilitySeconds: 5 }) ?? [];
    expect(second).toMatchObject({ messageId: sent?.messageId, receiveCount: 2, sentAt: 0, body: 'a' });
    expect(second?.receiptHandle).not.toBe(first?.receiptHandle);
    clock.now = 35_000;
    expect(made.receive('q')).toHaveLength(1);
  });

  test('a deleted message: gone; an old handle deletes nothing', () => {
    const { queues: made, clock } = queues();
    made.send('q', 'a');
    const [first] = made.receive('q', { visibilitySeconds: 0 }) ?? [];
    const [second] = made.receive('q') ?? [];
    made.delete('q', first?.receiptHandle ?? '');
    clock.now = 60_000;

    expect(made.receive('q')).toHaveLength(1);
    made.delete('q', second?.receiptHandle ?? '');
    clock.now = 120_000;
    expect(made.receive('q')).toHaveLength(1);
  });

  test('a delayed message: not before its time', () => {
    const { queues: made, clock } = queues();
    made.send('q', 'a', 10);

    expect(made.receive('q')).toEqual([]);
    clock.now = 10_000;
    expect(made.receive('q')).toHaveLength(1);
  });

  test('no such queue: undefined', () => {
    const { queues: made } = queues();

    expect(made.send('p', 'a')).toBeUndefined();
    expect(made.receive('p')).toBeUndefined();
  });
});
