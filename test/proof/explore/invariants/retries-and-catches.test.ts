import type { JsonObject } from '../../../../packages/local/json/json';
import { catches, retriesOf } from '../../../../proof/explore/invariants/retries-and-catches';

const STATE: JsonObject = {
  Retry: [
    { ErrorEquals: ['Lambda.TooManyRequestsException'], MaxAttempts: 7 },
    { ErrorEquals: ['States.TaskFailed'] },
    { ErrorEquals: ['States.ALL'], MaxAttempts: 2 },
  ],
  Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Elsewhere' }],
};

describe('retriesOf', () => {
  test.each([
    ['Lambda.TooManyRequestsException', 7],
    ['Lambda.ServiceException', 3],
    ['States.Timeout', 2],
    ['States.DataLimitExceeded', 3],
  ])('%s: the attempts of the first retrier that stands for it, by default 3', (error, tries) => {
    expect(retriesOf(STATE, error)).toBe(tries);
  });

  test('no retrier, or no state: none', () => {
    expect([retriesOf({}, 'Lambda.ServiceException'), retriesOf(undefined, 'x')]).toEqual([0, 0]);
  });
});

describe('catches', () => {
  test('States.ALL: all errors except a quota of the service that it may not cover', () => {
    expect(catches(STATE, 'DynamoDB.AmazonDynamoDBException')).toBe(true);
    expect(catches(STATE, 'States.DataLimitExceeded')).toBe(false);
    expect(catches({}, 'DynamoDB.AmazonDynamoDBException')).toBe(false);
  });
});
