import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCasesOf } from '../../../cli/validate/error-cases';

const GOLDEN = readFileSync(path.join(__dirname, '../../golden/minimal.asl.json'), 'utf8');

/** The cases of one state with these retriers and catchers, without its name. */
function casesOf(state: object) {
  return errorCasesOf(JSON.stringify({ States: { S: state } })).map(({ state: _, ...one }) => one);
}

describe('the cases of a state', () => {
  test('an error that is retried, then caught: before its retries, and after them', () => {
    expect(
      casesOf({
        Retry: [{ ErrorEquals: ['A.B'], MaxAttempts: 2 }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'End' }],
      }),
    ).toEqual([
      { error: 'A.B', retries: 0, expected: { status: 'RETRIABLE' } },
      { error: 'A.B', retries: 2, expected: { status: 'CAUGHT_ERROR', nextState: 'End' } },
    ]);
  });

  test('an error that is not to be retried, although all others are: caught at once', () => {
    expect(
      casesOf({
        Retry: [{ ErrorEquals: ['A.B'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] }],
        Catch: [{ ErrorEquals: ['A.B'], Next: 'Rejected' }],
      }),
    ).toEqual([{ error: 'A.B', retries: 0, expected: { status: 'CAUGHT_ERROR', nextState: 'Rejected' } }]);
  });

  test('an error that nothing catches: fails', () => {
    expect(casesOf({ Retry: [{ ErrorEquals: ['A.B'] }] }).at(-1)).toEqual({
      error: 'A.B',
      retries: 3,
      expected: { status: 'FAILED' },
    });
  });

  test('the states of a Map are asked about, as those of a Parallel', () => {
    const state = { Retry: [{ ErrorEquals: ['A.B'], MaxAttempts: 0 }] };
    const inner = { StartAt: 'I', States: { I: state } };
    const of = (outer: object) =>
      errorCasesOf(JSON.stringify({ States: { S: outer } })).map(one => one.state);

    expect([of({ ItemProcessor: inner }), of({ Branches: [inner] })]).toEqual([['I'], ['I']]);
  });

  test('States.DataLimitExceeded that States.ALL would have to cover: not asked about', () => {
    const all = { ErrorEquals: ['States.ALL'], Next: 'End' };
    const named = { ErrorEquals: ['States.DataLimitExceeded'], MaxAttempts: 0 };

    expect(casesOf({ Retry: [named], Catch: [all] })).toEqual([]);
  });
});

describe('the cases of the shipped definition', () => {
  test.each([
    ['Claim record', 'DynamoDB.ConditionalCheckFailedException', 'Read record'],
    ['Call recovery', 'Sfn.ExecutionAlreadyExistsException', 'In progress'],
  ])('%s, %s: leads to %s', (state, error, nextState) => {
    expect(errorCasesOf(GOLDEN)).toContainEqual({
      state,
      error,
      retries: 0,
      expected: { status: 'CAUGHT_ERROR', nextState },
    });
  });
});
