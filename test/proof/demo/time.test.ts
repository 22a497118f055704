import { VirtualClock } from '@onceflow/local';
import { pass, whileTimePasses } from '../../../proof/demo/time';

const DAY = 24 * 60 * 60 * 1000;

/** A runtime that is idle when nothing but time brings anything forward. */
const runtime = { work: { idle: () => new Promise<void>(resolve => setImmediate(resolve)) } } as never;

describe('whileTimePasses', () => {
  test('work that waits for hours, one wait after the other: done at once', async () => {
    const clock = new VirtualClock(0);
    const work = async () => {
      await pass(clock, DAY);
      await pass(clock, DAY);
      return 'done';
    };

    expect(await whileTimePasses({ runtime }, clock, work())).toBe('done');
    expect(clock.now()).toBe(2 * DAY);
  });

  test('work that fails: rejects as it does, and time stands still again', async () => {
    const clock = new VirtualClock(0);
    const work = pass(clock, DAY).then(() => Promise.reject(new Error('broken')));

    await expect(whileTimePasses({ runtime }, clock, work)).rejects.toThrow('broken');
    void pass(clock, DAY);
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
    expect(clock.now()).toBe(DAY);
  });

  test('work that is interrupted while something is in progress for ever: rejects all the same', async () => {
    const stuck = { work: { idle: () => new Promise<void>(() => undefined) } } as never;
    const work = Promise.reject(new Error('interrupted'));

    await expect(whileTimePasses({ runtime: stuck }, new VirtualClock(0), work)).rejects.toThrow(
      'interrupted',
    );
  });
});
