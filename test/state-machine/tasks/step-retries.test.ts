import { Duration } from 'aws-cdk-lib';
import { JitterType } from 'aws-cdk-lib/aws-stepfunctions';
import { stepRetries } from '../../../state-machine/tasks/step-retries';

const FUNCTION = { workingOn: undefined, isAtMostOnce: false };
const AT_MOST_ONCE = { workingOn: undefined, isAtMostOnce: true };
const CHAIN = { workingOn: Duration.minutes(2), isAtMostOnce: false };
const RUN_SECONDS = 40;
const errors = ['Busy'];

/** For how many seconds the retries of a step may last whose runs take no time, and whose runs take RUN_SECONDS. */
function seconds(retry: unknown): readonly [delays: number | undefined, all: number | undefined] {
  const retries = stepRetries(retry, FUNCTION);
  return [retries?.lasting(0), retries?.lasting(RUN_SECONDS)];
}

describe('how long the retries of a step last at most', () => {
  test.each<[string, unknown, readonly [number, number]]>([
    ["CDK's defaults: three, after 1, 2 and 4 seconds", { errors }, [7, 127]],
    ['delays of one length', { errors, interval: Duration.seconds(5), backoffRate: 1 }, [15, 135]],
    ['a bound on delays', { errors, maxAttempts: 5, maxDelay: Duration.seconds(3) }, [12, 212]],
    ['jitter: as without, which is the longest', { errors, jitterStrategy: JitterType.FULL }, [7, 127]],
    ['a rate that is no whole number', { errors, maxAttempts: 2, backoffRate: 1.5 }, [3, 83]],
    ['never', { errors, maxAttempts: 0 }, [0, 0]],
    [
      'several: one after the other',
      [
        { errors, maxAttempts: 1 },
        { errors: ['Down'], maxAttempts: 2 },
      ],
      [4, 124],
    ],
  ])('%s', (_, retry, expected) => {
    expect(seconds(retry)).toEqual(expected);
  });

  test.each([[undefined], [[]]])('%j: none', retry => {
    expect(stepRetries(retry, FUNCTION)).toBeUndefined();
  });
});

describe('errors that a step may be retried after', () => {
  test.each(['PaymentGatewayBusy', 'com.shop.Busy', 'Lambda.TooManyRequestsException', 'States.Permissions'])(
    '%s: the step has certainly ended, or was not begun',
    error => {
      expect(() => stepRetries({ errors: [error] }, FUNCTION)).not.toThrow();
    },
  );

  test.each(['States.ALL', 'States.TaskFailed'])('%s: rejected, with what to name instead', error => {
    expect(() => stepRetries({ errors: [error] }, FUNCTION)).toThrow(
      /cannot have States\..* covers ends after which the step may still be working; name the errors that the function/,
    );
  });

  test.each([
    'States.Timeout',
    'Lambda.SdkClientException',
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.Unknown',
    'Sandbox.Timedout',
    'Runtime.ExitError',
    'Function.ResponseSizeTooLarge',
    'States.DataLimitExceeded',
  ])('%s: rejected, as it leaves doubt', error => {
    expect(() => stepRetries({ errors: ['Busy', error] }, FUNCTION)).toThrow(
      new RegExp(`cannot have ${error}, after which .* leave it out: the next delivery runs the step again`),
    );
  });

  test('at most once: rejections before the step ran, and nothing that it has ended with', () => {
    expect(() => stepRetries({ errors: ['Lambda.TooManyRequestsException'] }, AT_MOST_ONCE)).not.toThrow();
    expect(() => stepRetries({ errors }, AT_MOST_ONCE)).toThrow(
      /takes rejections before the step ran only.*got Busy/,
    );
  });
});

describe('retries that are rejected', () => {
  test.each<[string, unknown, RegExp]>([
    ['no errors: CDK takes all then', {}, /needs the names of `errors`: CDK's default, all errors, covers/],
    ['an empty list of errors', { errors: [] }, /needs the names of `errors`/],
    ['a number', 3, /takes RetryProps such as .*got 3/],
    [
      'an option that there is not',
      { errors, maxRetries: 3 },
      /no option `maxRetries`\. Its options are errors, interval/,
    ],
    [
      'half an attempt',
      { errors, maxAttempts: 1.5 },
      /`maxAttempts` of `retry` must be a whole number from 0 on/,
    ],
    ['attempts as text', { errors, maxAttempts: '3' }, /`maxAttempts` of `retry` must be a whole number/],
    [
      'delays that shrink',
      { errors, backoffRate: 0.5 },
      /`backoffRate` of `retry` must be a number from 1 on/,
    ],
    [
      'a delay in numbers',
      { errors, interval: 5 },
      /`interval` of `retry` must be a Duration of a second or more/,
    ],
    [
      'a bound below the first delay',
      { errors, interval: Duration.minutes(2), maxDelay: Duration.minutes(1) },
      /`maxDelay` of `retry` must be as long as `interval` at least, which is 2 minutes, got 1 minute/,
    ],
    ['no delay', { errors, interval: Duration.seconds(0) }, /`interval` of `retry` must be a Duration/],
    ['a jitter that there is not', { errors, jitterStrategy: 'SOME' }, /`jitterStrategy` of `retry` must be/],
    [
      'an error that is none',
      { errors: [5] },
      /`errors` of `retry` must be names that are known at synth, got 5/,
    ],
    [
      'more than a history holds',
      { errors, maxAttempts: 1001, backoffRate: 1 },
      /1000 attempts in all, got 1001/,
    ],
    ['an error that one retrier names twice', { errors: ['Busy', 'Busy'] }, /names Busy twice/],
    [
      'an error that two retriers name',
      [{ errors }, { errors: ['Down', 'Busy'], maxAttempts: 9 }],
      /`retry` names Busy twice, and Step Functions follows only the first/,
    ],
    ['delays without a bound', { errors, maxAttempts: 30 }, /longer than the year .* set `maxDelay`/],
  ])('%s', (_, retry, message) => {
    expect(() => stepRetries(retry, FUNCTION)).toThrow(message);
  });
});

describe('retries of a chain', () => {
  test('any error; none before what it has begun is over, whatever else is asked', () => {
    expect(stepRetries({ errors: ['States.ALL'], maxAttempts: 2 }, CHAIN)?.retriers).toEqual([
      { errors: ['States.ALL'], maxAttempts: 2, interval: Duration.minutes(2) },
    ]);
    const hourly = { errors: ['Busy'], interval: Duration.hours(1), jitterStrategy: JitterType.NONE };
    expect(stepRetries([hourly], CHAIN)?.retriers).toEqual([hourly]);
  });

  test.each<[string, object, RegExp]>([
    [
      'sooner',
      { interval: Duration.minutes(1) },
      /`interval` of `retry` must be 2 minutes or longer.*got 1 minute/,
    ],
    [
      'sooner, in the end',
      { maxDelay: Duration.minutes(1) },
      /`maxDelay` of `retry` must be 2 minutes or longer/,
    ],
    ['by chance at once', { jitterStrategy: JitterType.FULL }, /cannot have JitterType\.FULL/],
    ['after no error', { errors: [''] }, /`errors` of `retry` must be names of errors/],
  ])('%s: rejected', (_, more, message) => {
    expect(() => stepRetries({ errors: ['States.ALL'], ...more }, CHAIN)).toThrow(message);
  });

  test('at most once: rejected, because its effect is unknown', () => {
    expect(() => stepRetries({ errors }, { ...CHAIN, isAtMostOnce: true })).toThrow(
      /`delivery: 'at-most-once'` is for a Lambda function/,
    );
  });
});
