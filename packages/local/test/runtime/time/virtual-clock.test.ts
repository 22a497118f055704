import fc from 'fast-check';
import { advanceBy } from '../../../runtime/drive';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { worldOf } from '../world';

function recorded() {
  const clock = new VirtualClock(100);
  const seen: [string, number][] = [];
  const note = (name: string) => () => seen.push([name, clock.now()]);
  return { clock, seen, note };
}

describe('VirtualClock', () => {
  test('several deadlines: each action at its own time, equal times in the order of asking', () => {
    const { clock, seen, note } = recorded();
    clock.at(130, note('c'));
    clock.at(110, note('a1'));
    clock.at(110, note('a2'));
    clock.at(120, note('b'));

    clock.advanceTo(125);

    expect(seen).toEqual([
      ['a1', 110],
      ['a2', 110],
      ['b', 120],
    ]);
    expect(clock.now()).toBe(125);
    expect(clock.nextDue()).toBe(130);
  });

  test('an action that asks for another within the distance: it runs too, at its own time', () => {
    const { clock, seen, note } = recorded();
    clock.at(103, () => {
      seen.push(['first', clock.now()]);
      clock.at(106, note('child'));
    });

    clock.advanceBy(10);

    expect(seen).toEqual([
      ['first', 103],
      ['child', 106],
    ]);
  });

  test.each([109, 110, 111])('an action due at 110, advanced to %d: runs when its time has come', time => {
    const { clock, seen, note } = recorded();
    clock.at(110, note('a'));

    clock.advanceTo(time);

    expect(seen).toEqual(time < 110 ? [] : [['a', 110]]);
  });

  test('a cancelled action: does not run and is not a deadline', () => {
    const { clock, seen, note } = recorded();
    const cancel = clock.at(110, note('a'));
    cancel();

    expect(clock.nextDue()).toBeUndefined();
    clock.advanceTo(200);
    expect(seen).toEqual([]);
  });

  test('a time that has passed: runs at once, but not within the call', async () => {
    const { clock, seen, note } = recorded();
    clock.at(50, note('past'));
    const cancel = clock.at(100, note('cancelled'));
    cancel();

    expect(seen).toEqual([]);
    await Promise.resolve();
    expect(seen).toEqual([['past', 100]]);
  });

  test('backwards: rejected', () => {
    expect(() => recorded().clock.advanceTo(99)).toThrow('the clock is at 100 and cannot go to 99');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Date.UTC(10_000, 0, 1)])(
    'to %d: rejected before anything runs',
    async time => {
      const { clock, seen, note } = recorded();
      clock.at(200, note('due'));
      const { runtime } = worldOf({ clock });

      expect(() => clock.advanceTo(time)).toThrow(`the clock is at 100 and cannot go to ${time}`);
      await expect(advanceBy(runtime, clock, time - 100)).rejects.toThrow(`cannot go to ${time}`);
      expect({ seen, now: clock.now() }).toEqual({ seen: [], now: 100 });
    },
  );

  test('any deadlines, some cancelled: run sorted by (due, order of asking)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 101, max: 130 }), fc.boolean())), timers => {
        const clock = new VirtualClock(100);
        const ran: number[] = [];
        for (const [index, [due, isKept]] of timers.entries()) {
          const cancel = clock.at(due, () => ran.push(index));
          if (!isKept) cancel();
        }
        clock.advanceTo(130);

        const remaining = timers.flatMap(([due, isKept], index) => (isKept ? [{ due, index }] : []));
        expect(ran).toEqual(
          remaining.sort((a, b) => a.due - b.due || a.index - b.index).map(({ index }) => index),
        );
      }),
    );
  });
});

describe('an action in the background', () => {
  test('not waited for, and runs when its time comes, in order', () => {
    const clock = new VirtualClock(0);
    const ran: string[] = [];
    clock.at(20, () => ran.push(`b ${clock.now()}`), true);
    expect(clock.nextDue()).toBeUndefined();
    clock.at(10, () => ran.push(`a ${clock.now()}`));
    clock.at(20, () => ran.push(`c ${clock.now()}`));
    const cancel = clock.at(25, () => ran.push('cancelled'), true);
    cancel();

    expect(clock.nextDue()).toBe(10);
    clock.advanceTo(30);
    expect(ran).toEqual(['a 10', 'b 20', 'c 20']);
  });
});
