import { RealClock } from '../../../runtime/time/real-clock';

describe('RealClock', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1000 }));
  afterEach(() => jest.useRealTimers());

  test('an action: runs when its time has come', () => {
    const clock = new RealClock();
    const action = jest.fn();
    clock.at(1500, action);

    jest.advanceTimersByTime(499);
    expect(action).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(action).toHaveBeenCalledTimes(1);
  });

  test('a year from now: not before, though a timer of the platform holds 24 days', () => {
    const clock = new RealClock();
    const action = jest.fn();
    const yearMs = 365 * 24 * 3600 * 1000;
    clock.at(1000 + yearMs, action);

    jest.advanceTimersByTime(yearMs - 1);
    expect(action).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(action).toHaveBeenCalledTimes(1);
  });

  test('a cancelled action, and one after close: do not run', () => {
    const clock = new RealClock();
    const action = jest.fn();
    clock.at(1500, action)();
    clock.at(1500, action);
    clock.close();

    jest.advanceTimersByTime(1000);
    expect(action).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a machine whose clock stands still: time goes on, and what is due in a second comes in a second', () => {
    const clock = new RealClock();
    const action = jest.fn();
    const before = clock.now();
    clock.at(before + 1000, action);
    jest.spyOn(Date, 'now').mockReturnValue(before);

    jest.advanceTimersByTime(1000);

    expect(action).toHaveBeenCalledTimes(1);
    expect(clock.now()).toBe(before + 1000);
    jest.restoreAllMocks();
  });

  test('set back by an hour: goes on from where it was, and what is due in a second comes in a second', () => {
    const clock = new RealClock();
    const action = jest.fn();
    const hourMs = 3_600_000;
    jest.setSystemTime(1000 + hourMs);
    const before = clock.now();
    clock.at(before + 1000, action);

    jest.setSystemTime(1000);

    expect(clock.now()).toBe(before);
    jest.advanceTimersByTime(999);
    expect(action).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(action).toHaveBeenCalledTimes(1);
    expect(clock.now()).toBe(before + 1000);
    jest.setSystemTime(1000 + 2 * hourMs);
    expect(clock.now()).toBe(1000 + 2 * hourMs);
  });

  test('set forward: what is due is due', () => {
    const clock = new RealClock();
    jest.setSystemTime(5000);

    expect(clock.now()).toBe(5000);
  });

  test("started from a time of an earlier process: goes on from there, or from the machine's where that is later", () => {
    const clock = new RealClock();
    clock.startFrom(500);
    expect(clock.now()).toBe(1000);
    clock.startFrom(9000);
    jest.advanceTimersByTime(10);
    expect(clock.now()).toBe(9010);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, Date.UTC(10_000, 0, 1)])(
    'a skip of %d ms, or a start from that time: the clock stays where it is',
    ms => {
      const clock = new RealClock();

      expect(() => clock.skip(ms)).toThrow(`the clock cannot skip ${ms} ms`);
      clock.startFrom(ms);
      expect(clock.now()).toBe(1000);
    },
  );

  test('an action that throws: reported, and the others still run', () => {
    const problems: Error[] = [];
    const clock = new RealClock(problem => problems.push(problem));
    const action = jest.fn();
    clock.at(1500, () => {
      throw new RangeError('Invalid time value');
    });
    clock.at(1500, action);

    jest.advanceTimersByTime(500);

    expect(action).toHaveBeenCalledTimes(1);
    expect(problems.map(({ message }) => message)).toEqual([
      'an action of the clock broke: RangeError: Invalid time value',
    ]);
  });

  test('an hour skipped: what is due by then runs, in its order; the rest waits for as much less', () => {
    const clock = new RealClock();
    const run: string[] = [];
    const hourMs = 3_600_000;
    clock.at(1000 + hourMs, () => run.push('in an hour'));
    clock.at(1000 + hourMs / 2, () => run.push('in half an hour'));
    clock.at(1000 + hourMs / 2, () => run.push('cancelled'))();
    clock.at(1000 + hourMs + 500, () => run.push('later'));

    clock.skip(hourMs);

    expect(clock.now()).toBe(1000 + hourMs);
    jest.advanceTimersByTime(1);
    expect(run).toEqual(['in half an hour', 'in an hour']);
    jest.advanceTimersByTime(498);
    expect(run).toHaveLength(2);
    jest.advanceTimersByTime(1);
    expect(run[2]).toBe('later');
    clock.close();
  });
});
