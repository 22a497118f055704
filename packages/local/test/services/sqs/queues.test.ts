import type { QueueChange } from '../../../services/sqs/queue';
import { Queues } from '../../../services/sqs/queues';

function queues() {
  const clock = { now: 0 };
  let ids = 0;
  const seen = { changes: 0, all: [] as QueueChange[] };
  const made = new Queues({
    region: 'eu-west-1',
    account: '111111111111',
    now: () => clock.now,
    newId: () => `id-${++ids}`,
    changed: changes => {
      seen.changes += 1;
      seen.all.push(...changes);
    },
  });
  return { queues: made, clock, seen, queue: made.create('q') };
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

  test('a deleted message is gone', () => {
    const { queues: made, clock } = queues();
    made.send('q', 'a');
    const [received] = made.receive('q') ?? [];
    made.delete('q', received?.receiptHandle ?? '');
    clock.now = 60_000;

    expect(made.receive('q')).toEqual([]);
    expect(made.delete('q', received?.receiptHandle ?? '')).toBe('gone');
  });

  test('a delayed message: not before its time', () => {
    const { queues: made, clock } = queues();
    made.send('q', 'a', { delaySeconds: 10 });

    expect(made.receive('q')).toEqual([]);
    clock.now = 10_000;
    expect(made.receive('q')).toHaveLength(1);
  });

  test('a queue with a delay: its messages wait, unless they say otherwise', () => {
    const { queues: made, clock } = queues();
    made.create('late', { delaySeconds: 60 });
    made.send('late', 'a');
    made.send('late', 'b', { delaySeconds: 0 });

    expect(bodies(made.receive('late', { max: 10 }))).toEqual(['b']);
    expect(made.counts('late')).toEqual({ visible: 0, notVisible: 1, delayed: 1 });
    clock.now = 60_000;
    expect(bodies(made.receive('late', { max: 10 }))).toEqual(['a', 'b']);
  });

  test('the visibility timeout of the queue: counts where the receiver says nothing', () => {
    const { queues: made, clock } = queues();
    made.create('q', { visibilityTimeoutSeconds: 5 });
    made.send('q', 'a');
    made.receive('q');
    clock.now = 4_999;
    expect(made.receive('q')).toEqual([]);
    clock.now = 5_000;
    expect(made.receive('q')).toMatchObject([{ receiveCount: 2, firstReceivedAt: 0 }]);
  });

  test.each([
    ['a moment before its retention is over', 59_999, 1],
    ['when its retention is over', 60_000, 0],
  ])('a message %s: %d ms, %d there', (_case, now, there) => {
    const { queues: made, clock } = queues();
    made.create('q', { messageRetentionSeconds: 60 });
    made.send('q', 'a');
    clock.now = now;

    expect(made.peek('q')).toHaveLength(there);
    expect(made.receive('q')).toHaveLength(there);
  });

  test('a received message that is kept invisible again and again: for less than 12 hours, then not', () => {
    const { queues: made, clock } = queues();
    const HOURS_12 = 43_200_000;
    made.send('q', 'a');
    const [first] = made.receive('q', { visibilitySeconds: 43_200 }) ?? [];
    const handle = first?.receiptHandle ?? '';

    expect(made.changeVisibility('q', handle, 43_200)).toBe('tooLong');
    expect(made.changeVisibility('q', handle, 43_195)).toBe('changed');
    clock.now = HOURS_12 - 100_000;
    expect(made.changeVisibility('q', handle, 100)).toBe('tooLong');
    expect(made.changeVisibility('q', handle, 99)).toBe('changed');
    clock.now = HOURS_12;
    const [second] = made.receive('q') ?? [];
    expect(made.changeVisibility('q', second?.receiptHandle ?? '', 100)).toBe('changed');
  });

  test('another visibility timeout for a received message: from now on', () => {
    const { queues: made, clock } = queues();
    made.send('q', 'a');
    const [first] = made.receive('q') ?? [];
    clock.now = 10_000;

    expect(made.changeVisibility('q', first?.receiptHandle ?? '', 100)).toBe('changed');
    clock.now = 109_999;
    expect(made.receive('q')).toEqual([]);
    expect(made.changeVisibility('q', first?.receiptHandle ?? '', 0)).toBe('changed');
    expect(made.receive('q')).toHaveLength(1);
    expect(made.changeVisibility('q', 'x', 0)).toBe('noHandle');
    expect(made.changeVisibility('p', 'x', 0)).toBeUndefined();
  });

  test('written and restored: as it was, messages in flight included', () => {
    const { queues: made, clock, seen } = queues();
    made.create('q', { visibilityTimeoutSeconds: 5 });
    made.send('q', 'a', { messageAttributes: { n: { DataType: 'Number', StringValue: '1' } } });
    const [received] = made.receive('q') ?? [];
    const messages = made.peek('q');

    const again = queues();
    again.queues.restore(JSON.parse(JSON.stringify(seen.all)));
    again.clock.now = clock.now + 4_999;
    expect(again.queues.receive('q')).toEqual([]);
    expect(again.queues.peek('q')).toEqual(messages);
    expect(again.queues.attributesOf('q')).toEqual({ visibilityTimeoutSeconds: 5 });
    again.queues.delete('q', received?.receiptHandle ?? '');
    expect(again.queues.peek('q')).toEqual([]);
  });

  test('a watcher: hears of each change of its queue, until it stops', () => {
    const { queues: made } = queues();
    made.create('p');
    let changes = 0;
    const stop = made.watch('q', () => {
      changes += 1;
    });
    made.send('p', 'a');
    expect(changes).toBe(0);
    made.send('q', 'a');
    made.receive('q');
    made.receive('q');
    expect(changes).toBe(2);
    stop();
    made.purge('q');
    expect(changes).toBe(2);
  });

  test('the callback for changes: called after each operation that changes something, and of no other', () => {
    const { queues: made, seen } = queues();
    const changesOf = (operation: () => unknown) => {
      const before = seen.changes;
      operation();
      return seen.changes - before;
    };
    made.send('q', 'a');
    const [message] = made.receive('q') ?? [];
    const handle = message?.receiptHandle ?? '';

    expect(changesOf(() => made.create('p'))).toBe(1);
    expect(changesOf(() => made.create('p', { delaySeconds: 1 }))).toBe(1);
    expect(changesOf(() => made.create('p'))).toBe(0);
    expect(changesOf(() => made.send('q', 'b'))).toBe(1);
    expect(changesOf(() => made.receive('q'))).toBe(1);
    expect(changesOf(() => made.receive('q'))).toBe(0);
    expect(changesOf(() => made.changeVisibility('q', handle, 5))).toBe(1);
    expect(changesOf(() => made.changeVisibility('q', 'x', 5))).toBe(0);
    expect(changesOf(() => made.delete('q', handle))).toBe(1);
    expect(changesOf(() => made.delete('q', handle))).toBe(0);
    expect(changesOf(() => made.purge('q'))).toBe(1);
  });

  test('when something changes next: a message comes in sight, or its retention is over before', () => {
    const { queues: made, clock } = queues();
    expect(made.nextChangeAt('q')).toBeUndefined();
    made.create('q', { messageRetentionSeconds: 60 });
    made.send('q', 'a', { delaySeconds: 40 });

    expect(made.nextChangeAt('q')).toBe(40_000);
    clock.now = 40_000;
    expect(made.nextChangeAt('q')).toBe(60_000);
    made.receive('q');
    expect(made.nextChangeAt('q')).toBe(60_000);
  });

  test('the digest of attributes: by their names in order, texts and bytes distinguished', () => {
    const { queues: made } = queues();
    const messageAttributes = {
      b: { DataType: 'Binary', BinaryValue: 'AAE=' },
      a: { DataType: 'String', StringValue: 'x' },
    };

    expect(made.send('q', 'm', { messageAttributes })?.md5OfMessageAttributes).toBe(
      'fa20e2def088daf7b14bc51e836c5547',
    );
  });

  test('no such queue: undefined', () => {
    const { queues: made } = queues();

    expect(made.send('p', 'a')).toBeUndefined();
    expect(made.receive('p')).toBeUndefined();
  });
});

describe('a redrive policy', () => {
  function redriving(deadLetterTargetArn = 'arn:aws:sqs:eu-west-1:111111111111:dead') {
    const made = queues();
    made.queues.create('dead');
    made.queues.create('q', {
      visibilityTimeoutSeconds: 1,
      redrivePolicy: { deadLetterTargetArn, maxReceiveCount: 2 },
    });
    made.queues.send('q', 'a', { messageAttributes: { n: { DataType: 'Number', StringValue: '1' } } });
    return made;
  }

  test('received as often as it may be: moved by the next receive, and otherwise the same', () => {
    const { queues: made, clock, queue } = redriving();
    made.receive('q');
    clock.now = 1_000;
    const [last] = made.receive('q') ?? [];
    clock.now = 1_999;
    made.receive('q');
    expect(made.peek('dead')).toEqual([]);

    clock.now = 2_000;
    expect(made.receive('q')).toEqual([]);
    expect(made.peek('q')).toEqual([]);
    expect(made.receive('dead')).toMatchObject([
      {
        messageId: last?.messageId,
        body: 'a',
        sentAt: 0,
        receiveCount: 3,
        messageAttributes: last?.messageAttributes,
        deadLetterQueueSourceArn: queue.arn,
      },
    ]);
  });

  test('deleted after its last receive: not moved', () => {
    const { queues: made, clock } = redriving();
    made.receive('q', { visibilitySeconds: 0 });
    const [last] = made.receive('q') ?? [];
    clock.now = 2_000;
    made.delete('q', last?.receiptHandle ?? '');
    made.receive('q');

    expect(made.peek('dead')).toEqual([]);
  });

  test('to a queue that is not there: the message stays and comes again', () => {
    const { queues: made } = redriving('arn:aws:sqs:eu-west-1:111111111111:gone');
    for (let n = 1; n <= 5; n += 1) {
      expect(made.receive('q', { visibilitySeconds: 0 })).toMatchObject([{ receiveCount: n }]);
    }
  });

  test('to itself: nothing is moved, the message comes again', () => {
    const { queues: made } = redriving('arn:aws:sqs:eu-west-1:111111111111:q');
    for (let n = 1; n <= 4; n += 1) {
      const [message] = made.receive('q', { visibilitySeconds: 0 }) ?? [];
      expect(message).toMatchObject({ receiveCount: n });
      expect(message).not.toHaveProperty('deadLetterQueueSourceArn');
    }
  });

  test('a watcher of the dead-letter queue: hears of messages that are moved there', () => {
    const { queues: made } = redriving();
    let changes = 0;
    made.watch('dead', () => {
      changes += 1;
    });
    made.receive('q', { visibilitySeconds: 0 });
    made.receive('q', { visibilitySeconds: 0 });
    expect(changes).toBe(0);

    made.receive('q');
    expect(changes).toBe(1);
  });
});
