import { decideRetry } from '../../../services/events/retry';

const FIRST = { retries: 0, ageMs: 0, random: 1 };

describe('decideRetry', () => {
  test.each([
    ['after the first attempt', { retries: 0, random: 0 }, 500],
    ['after the first attempt, with the most jitter', { retries: 0, random: 1 }, 1_000],
    ['later: twice as long each time', { retries: 5, random: 1 }, 32_000],
    ['much later: bounded', { retries: 100, random: 1 }, 480_000],
  ])('%s', (_case, given, delayMs) => {
    expect(decideRetry(undefined, { ...FIRST, ...given })).toEqual({ kind: 'retry', delayMs });
  });

  test.each([
    ['the last of 185', undefined, { retries: 184 }, 'retry'],
    ['all of 185', undefined, { retries: 185 }, 'MaximumRetryAttempts'],
    ['none allowed', { maximumRetryAttempts: 0 }, {}, 'MaximumRetryAttempts'],
    ['in time', { maximumEventAgeInSeconds: 60 }, { ageMs: 59_000 }, 'retry'],
    ['too late', { maximumEventAgeInSeconds: 60 }, { ageMs: 59_001 }, 'MaximumEventAgeInSeconds'],
    ['a day old', undefined, { ageMs: 86_400_000 }, 'MaximumEventAgeInSeconds'],
  ])('%s: %s', (_case, policy, given, expected) => {
    const decision = decideRetry(policy, { ...FIRST, ...given });
    expect(decision.kind === 'retry' ? 'retry' : decision.condition).toBe(expected);
  });
});
