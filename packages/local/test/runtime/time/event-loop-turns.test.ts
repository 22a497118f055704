import { setTimeout as later } from 'node:timers/promises';
import { EventLoopTurns } from '../../../runtime/time/event-loop-turns';

describe('calls that lead to more calls, with nothing in between', () => {
  test('timers have their turn', async () => {
    const turns = new EventLoopTurns();
    let isOver = false;
    let pieces = 0;
    const work = () => {
      pieces += 1;
      // As the answer of a service in this process: a promise, and no input or timer.
      if (!isOver) void Promise.resolve().then(() => turns.run(work));
    };

    turns.run(work);
    await later(30);
    isOver = true;

    expect(pieces).toBeGreaterThan(1);
  });

  test('some: made at once, in order', () => {
    const turns = new EventLoopTurns();
    const done: number[] = [];
    for (const piece of [1, 2, 3]) turns.run(() => done.push(piece));

    expect(done).toEqual([1, 2, 3]);
  });

  test('more than fit into a turn: all made, in order', async () => {
    const turns = new EventLoopTurns();
    const done: number[] = [];
    const numbers = Array.from({ length: 170 }, (_, index) => index);
    for (const number of numbers) turns.run(() => done.push(number));

    expect(done.length).toBeLessThan(numbers.length);
    while (done.length < numbers.length) await later(1);
    expect(done).toEqual(numbers);
  });
});
