import { Queues } from '../../../services/sqs/queues';

const MINUTE_MS = 60_000;

/** A FIFO queue `q.fifo`. */
function fifo({ isContentBased = false, maxReceiveCount = 0 } = {}) {
  const clock = { now: 0 };
  let ids = 0;
  const queues = new Queues({
    region: 'eu-west-1',
    account: '111111111111',
    now: () => clock.now,
    newId: () => `id-${++ids}`,
  });
  const dead = queues.create('dead.fifo', { fifo: { isContentBased: false } });
  const redrivePolicy = { deadLetterTargetArn: dead.arn, maxReceiveCount };
  queues.create('q.fifo', { fifo: { isContentBased }, ...(maxReceiveCount > 0 && { redrivePolicy }) });
  const send = (body: string, messageGroupId = 'g', messageDeduplicationId = body) =>
    queues.send('q.fifo', body, { messageGroupId, messageDeduplicationId });
  const receive = (max = 10) => queues.receive('q.fifo', { max }) ?? [];
  return { queues, clock, send, receive };
}

const bodies = (messages: readonly { readonly body: string }[] = []) => messages.map(({ body }) => body);

describe('a FIFO queue', () => {
  test('one receive: messages of a group in order, and of other groups behind them', () => {
    const { send, receive } = fifo();
    send('a1', 'a');
    send('b1', 'b');
    send('a2', 'a');

    expect(bodies(receive())).toEqual(['a1', 'a2', 'b1']);
  });

  test('a message on its way: its group waits, others do not', () => {
    const { send, receive } = fifo();
    for (const [body, group] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
    ] as const)
      send(body, group);

    expect(bodies(receive(1))).toEqual(['a1']);
    expect(bodies(receive())).toEqual(['b1']);
    expect(receive()).toEqual([]);
  });

  test('the first is deleted: the next comes', () => {
    const { queues, send, receive } = fifo();
    send('a1');
    send('a2');
    const [first] = receive(1);
    queues.delete('q.fifo', first?.receiptHandle ?? '');

    expect(bodies(receive())).toEqual(['a2']);
  });

  test('the first comes again: before the one behind it', () => {
    const { clock, send, receive } = fifo();
    send('a1');
    send('a2');
    receive(1);
    clock.now = 30_000;

    expect(bodies(receive(1))).toEqual(['a1']);
  });

  test('two on their way, the first visible again before the second: it comes, and what is behind the second waits', () => {
    const { queues, send, receive } = fifo();
    send('a1');
    send('a2');
    const [first] = receive();
    send('a3');
    queues.changeVisibility('q.fifo', first?.receiptHandle ?? '', 0);

    expect(bodies(receive())).toEqual(['a1']);
  });

  test('the first is received too often: moved away with its group, and the next comes', () => {
    const { queues, clock, send, receive } = fifo({ maxReceiveCount: 1 });
    send('a1');
    send('a2');
    receive(1);
    clock.now = 30_000;

    expect(bodies(receive(1))).toEqual(['a2']);
    expect(queues.peek('dead.fifo')).toMatchObject([{ body: 'a1', messageGroupId: 'g' }]);
  });

  test('a deduplication id again within five minutes: accepted, not delivered, not even when it is deleted', () => {
    const { queues, clock, send, receive } = fifo();
    const sent = send('a', 'g', 'once');
    queues.delete('q.fifo', receive()[0]?.receiptHandle ?? '');
    clock.now = 5 * MINUTE_MS - 1;

    expect(send('b', 'g', 'once')).toEqual(sent);
    expect(receive()).toEqual([]);
    clock.now = 5 * MINUTE_MS;
    send('b', 'g', 'once');
    expect(bodies(receive())).toEqual(['b']);
  });

  test('deduplication by content: the same body is the same message', () => {
    const { queues } = fifo({ isContentBased: true });
    for (const body of ['a', 'a', 'b']) queues.send('q.fifo', body, { messageGroupId: 'g' });

    expect(bodies(queues.peek('q.fifo'))).toEqual(['a', 'b']);
  });

  test('sequence numbers: in the answer and of the message, and they grow', () => {
    const { send, receive } = fifo();
    const numbers = [send('a'), send('b')].map(sent => sent?.sequenceNumber ?? '');

    expect(numbers).toEqual([...numbers].sort());
    expect(numbers[0]).toMatch(/^\d{20}$/);
    expect(receive().map(({ sequenceNumber }) => sequenceNumber)).toEqual(numbers);
  });

  test.each([
    ['no group', {}, /must contain the parameter MessageGroupId/],
    ['no deduplication id', { messageGroupId: 'g' }, /ContentBasedDeduplication enabled or/],
    ['a delay', { messageGroupId: 'g', delaySeconds: 5 }, /Value 5 for parameter DelaySeconds is invalid/],
  ])('%s: rejected in the words of the service', (_, options, message) => {
    const { queues } = fifo();

    expect(queues.faultOf('q.fifo', 'a', options)?.message).toMatch(message);
    expect(() => queues.send('q.fifo', 'a', options)).toThrow(message);
  });

  test('a standard queue with groups: hands out side by side, and takes no deduplication id', () => {
    const { queues } = fifo();
    queues.create('q');
    for (const body of ['a1', 'a2']) queues.send('q', body, { messageGroupId: 'a' });
    queues.receive('q');

    expect(bodies(queues.receive('q'))).toEqual(['a2']);
    expect(queues.faultOf('q', 'a', { messageDeduplicationId: 'x' })?.code).toBe('InvalidParameterValue');
  });
});
