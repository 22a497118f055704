import { RealClock } from '../../runtime/real-clock';

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
});
