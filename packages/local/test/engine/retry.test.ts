import { decideRetry, matches } from '../../engine/retry';
import type { Retrier } from '../../language/asl/definition';

describe('matches', () => {
  test.each([
    // Nothing covers what cannot be handled at all.
    { names: ['States.ALL'], error: 'States.Runtime', is: false },
    { names: ['States.Runtime'], error: 'States.Runtime', is: false },
    { names: ['States.ALL'], error: 'Anything', is: true },
    { names: ['States.ALL'], error: undefined, is: true },
    { names: ['States.ALL'], error: 'States.DataLimitExceeded', is: true },
    { names: ['States.ALL'], error: 'States.Timeout', is: true },
    { names: ['States.TaskFailed'], error: 'Lambda.Unknown', is: true },
    { names: ['States.TaskFailed'], error: 'States.QueryEvaluationError', is: true },
    { names: ['States.TaskFailed'], error: 'States.Timeout', is: false },
    { names: ['States.TaskFailed', 'States.Timeout'], error: 'States.Timeout', is: true },
    { names: ['A', 'B'], error: 'B', is: true },
    { names: ['A', 'B'], error: 'b', is: false },
    { names: ['A'], error: undefined, is: false },
    { names: [], error: 'A', is: false },
  ])('$error against $names: $is', ({ names, error, is }) => {
    expect(matches(names, { error })).toBe(is);
  });
});

describe('decideRetry after thousands of retries', () => {
  test.each([
    [0, 0],
    [1, 31_622_400_000],
  ])('an interval of %d s: %d ms', (intervalSeconds, delayMs) => {
    const retrier: Retrier = {
      errorEquals: ['A'],
      intervalSeconds,
      maxAttempts: 9999,
      backoffRate: 2,
      jitter: 'NONE',
    };
    expect(decideRetry({ error: 'A' }, [retrier], [2000], () => 0.5)).toMatchObject({ delayMs });
  });
});

describe('decideRetry', () => {
  const retrier = (more: Partial<Retrier> = {}): Retrier => ({
    errorEquals: ['A'],
    intervalSeconds: 1,
    maxAttempts: 3,
    backoffRate: 2,
    jitter: 'NONE',
    ...more,
  });
  const all = retrier({ errorEquals: ['States.ALL'], intervalSeconds: 10 });
  const decided = (delayMs: number, retries: number[]) => ({ kind: 'retry', delayMs, retries });
  const no = { kind: 'no' };

  test.each([
    { given: [retrier()], used: [], error: 'A', is: decided(1000, [1]) },
    { given: [retrier()], used: [1], error: 'A', is: decided(2000, [2]) },
    { given: [retrier()], used: [2], error: 'A', is: decided(4000, [3]) },
    { given: [retrier()], used: [3], error: 'A', is: no },
    { given: [retrier()], used: [], error: 'B', is: no },
    { given: [], used: [], error: 'A', is: no },
    { given: [retrier({ maxAttempts: 0 })], used: [], error: 'A', is: no },
    { given: [retrier({ intervalSeconds: 0 })], used: [2], error: 'A', is: decided(0, [3]) },
    { given: [retrier({ backoffRate: 1.5 })], used: [1], error: 'A', is: decided(1500, [2]) },
    { given: [retrier({ maxDelaySeconds: 3 })], used: [1], error: 'A', is: decided(2000, [2]) },
    { given: [retrier({ maxDelaySeconds: 3 })], used: [2], error: 'A', is: decided(3000, [3]) },
    { given: [retrier({ jitter: 'FULL' })], used: [1], error: 'A', is: decided(500, [2]) },
    {
      given: [retrier({ maxAttempts: 9999 })],
      used: [5000],
      error: 'A',
      is: decided(31_622_400_000, [5001]),
    },
    // The first that matches decides, also when it is used up.
    { given: [retrier({ maxAttempts: 1 }), all], used: [1], error: 'A', is: no },
    { given: [retrier({ maxAttempts: 1 }), all], used: [1], error: 'B', is: decided(10_000, [1, 1]) },
    { given: [retrier(), all], used: [0, 2], error: 'A', is: decided(1000, [1, 2]) },
    { given: [all], used: [], error: 'States.Runtime', is: no },
  ])('$error after $used of $given: $is', ({ given, used, error, is }) => {
    expect(decideRetry({ error }, given, used, () => 0.25)).toEqual(is);
  });
});
