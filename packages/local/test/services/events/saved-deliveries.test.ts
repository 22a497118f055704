import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { WorkTracker } from '../../../runtime/time/work-tracker';
import { RuleDeliveries } from '../../../services/events/rule-deliveries';
import { SavedDeliveries } from '../../../services/events/saved-deliveries';
import type { MessageQueues } from '../../../services/message-queues';
import { type RuleTarget, TargetError } from '../../../services/rule-target';
import { SQS } from '../../../services/sqs/service';
import { cleanUp, newPath, open, rejectNextWrite, reopen } from '../../state/world';
import { contextOf } from '../service-context';
import { sampleEvent } from './sample-event';

afterEach(cleanUp);

const RULE = { name: 'r', arn: 'arn:aws:events:us-east-1:1:rule/r' };
const TARGET = { id: 't', arn: 'arn:aws:states:us-east-1:1:stateMachine:m' };

function deliveriesTo(target: RuleTarget, saved: SavedDeliveries, queues?: MessageQueues) {
  const clock = new VirtualClock(0);
  const deliveries = new RuleDeliveries({
    services: { ownerOf: () => ({ target, queues }) as never },
    clock,
    work: new WorkTracker(),
    random: () => 0,
    saved,
  });
  return { clock, deliveries };
}

/** Delivers once, to a target whose work lasts until `end` is called. */
async function deliveredUntil(saved: SavedDeliveries) {
  let end = () => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const { deliveries } = deliveriesTo({ deliver: async () => ({}), whenEnded: () => ended }, saved);
  await deliveries.deliver(TARGET, '{}', sampleEvent(), RULE);
  return { deliveries, end };
}

/** What the next process finds. */
async function left(path: string) {
  return new SavedDeliveries(await reopen(path)).load();
}

describe('a delivery in a state directory', () => {
  test('taken by its target: gone', async () => {
    const path = newPath();
    const saved = new SavedDeliveries(await open(path));
    const { deliveries } = deliveriesTo({ deliver: async () => 'taken' }, saved);

    await deliveries.deliver(TARGET, '{}', sampleEvent(), RULE);

    expect(await left(path)).toEqual([]);
  });

  test('a delivery that is given up: removed from the disk', async () => {
    const path = newPath();
    const saved = new SavedDeliveries(await open(path));
    const rejection = new TargetError('NO_RESOURCE', 'no', false);
    const { deliveries } = deliveriesTo({ deliver: () => Promise.reject(rejection) }, saved);

    await expect(deliveries.deliver(TARGET, '{}', sampleEvent(), RULE)).rejects.toThrow('no');

    expect(await left(path)).toEqual([]);
  });

  test('given up, and the disk rejects its dead letter: still there for the next process', async () => {
    const path = newPath();
    const directory = await open(path);
    const saved = new SavedDeliveries(directory);
    const { queues } = await SQS.open(contextOf({ directory }));
    queues.create('dead');
    let fail = () => {};
    const failing = new Promise<void>((_resolve, reject) => {
      fail = () => reject(new TargetError('NO_RESOURCE', 'no', false));
    });
    const { deliveries } = deliveriesTo({ deliver: () => failing }, saved, queues);
    const deadLetterArn = 'arn:aws:sqs:us-east-1:111111111111:dead';
    const delivering = deliveries.deliver({ ...TARGET, deadLetterArn }, '{}', sampleEvent(), RULE);
    await saved.added();
    rejectNextWrite();

    fail();
    await expect(delivering).rejects.toThrow('dead-letter queue');
    // The orderly end waits for writes that are under way.
    const again = await reopen(path);

    expect(await new SavedDeliveries(again).load()).toHaveLength(1);
    expect(await again.load('message')).toEqual([]);
  });

  test('rejected, and to be tried again: made by the next process, which counts the attempt', async () => {
    const path = newPath();
    const directory = await open(path);
    const saved = new SavedDeliveries(directory);
    const { deliveries } = deliveriesTo({ deliver: () => Promise.reject(new Error('later')) }, saved);
    void deliveries.deliver(TARGET, '{"a":1}', sampleEvent(), RULE);
    await saved.added();
    await new Promise(resolve => setImmediate(resolve));
    await directory.writeBehind.written();

    const found = await left(path);
    expect(found).toMatchObject([[1, { target: TARGET, input: '{"a":1}', rule: RULE, retries: 1 }]]);
    const inputs: string[] = [];
    const again = new SavedDeliveries(await open(newPath()));
    const target = { deliver: async (_arn: string, input: string) => inputs.push(input) };
    deliveriesTo(target, again).deliveries.resume(found);
    await new Promise(resolve => setImmediate(resolve));
    expect(inputs).toEqual(['{"a":1}']);
  });

  test('what it started has not ended: there until it has', async () => {
    const path = newPath();
    const saved = new SavedDeliveries(await open(path));
    const { end } = await deliveredUntil(saved);

    expect(await saved.load()).toHaveLength(1);
    end();
    await new Promise(resolve => setImmediate(resolve));
    expect(await left(path)).toEqual([]);
  });

  test('what it started ends with the process: made again by the next one', async () => {
    const path = newPath();
    const saved = new SavedDeliveries(await open(path));
    const { deliveries, end } = await deliveredUntil(saved);
    const closed = deliveries.close();
    end();
    await closed;

    expect(await left(path)).toHaveLength(1);
  });

  test.each([
    ['takes it', () => Promise.resolve('taken'), 0],
    ['rejects it', () => Promise.reject(new TargetError('NO_RESOURCE', 'closed, too', false)), 1],
  ])('its target %s as the stack closes: what the target has is not made again', async (_, end, count) => {
    const path = newPath();
    const saved = new SavedDeliveries(await open(path));
    let answer = () => {};
    const asked = new Promise<void>(resolve => {
      answer = resolve;
    });
    const { deliveries } = deliveriesTo({ deliver: () => asked.then(end) }, saved);
    const delivering = deliveries.deliver(TARGET, '{}', sampleEvent(), RULE).catch(() => undefined);
    await saved.added();
    await new Promise(resolve => setImmediate(resolve));

    const closed = deliveries.close();
    answer();
    await closed;

    expect(await left(path)).toHaveLength(count);
    await delivering;
  });

  test('many that are left: some at a time, the next when one has ended or takes long', async () => {
    const saved = new SavedDeliveries(await open(newPath()));
    const ends: (() => void)[] = [];
    const target: RuleTarget = {
      deliver: async () => ({}),
      whenEnded: () => new Promise<void>(resolve => ends.push(resolve)),
    };
    const { clock, deliveries } = deliveriesTo(target, saved);
    const delivery = {
      target: TARGET,
      input: '{}',
      event: sampleEvent(),
      rule: RULE,
      ingestedAt: 0,
      retries: 0,
    };
    const turn = () => new Promise(resolve => setImmediate(resolve));

    deliveries.resume(Array.from({ length: 100 }, (_, index) => [index + 1, delivery]));
    await turn();
    const atFirst = ends.length;
    for (const end of ends.slice(0, 10)) end();
    await turn();
    const afterTen = ends.length;
    clock.advanceBy(1_000);
    await turn();
    clock.advanceBy(1_000);
    await turn();

    expect(atFirst).toBeGreaterThan(10);
    expect(atFirst).toBeLessThan(50);
    expect(afterTen).toBe(atFirst + 10);
    expect(ends).toHaveLength(100);
  });

  test('not what was written: named', async () => {
    const directory = await open(newPath());
    await directory.write([{ kind: 'delivery', key: '1', value: {} }]);

    await expect(new SavedDeliveries(directory).load()).rejects.toThrow(
      'delivery "1" is not what was written',
    );
  });
});
