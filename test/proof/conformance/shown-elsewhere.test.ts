import {
  recordedTextOf,
  withRecordedIds,
  withRecordedTrace,
} from '../../../proof/conformance/cases/shown-elsewhere';

describe('an id that was made up for the input', () => {
  test.each([
    [
      'stands elsewhere with other digits: has these',
      'http://shop-0000000a',
      'no shop-1234abcd',
      'http://shop-1234abcd',
    ],
    ['stands there itself: stays', 'shop-0000000a', 'shop-0000000a, shop-1234abcd', 'shop-0000000a'],
    ['stands nowhere: stays', 'shop-0000000a', 'yard-1234abcd', 'shop-0000000a'],
  ])('%s', (_, text, cause, outcome) => {
    expect(withRecordedIds(text, { output: { Cause: cause } })).toBe(outcome);
  });
});

describe('a stack trace that was not recorded', () => {
  const lambda = { behaviour: 'raiseException', errorPayload: { errorType: 'E', stackTrace: ['<any>'] } };

  test('is the one that a cause quotes', () => {
    const cause = '{"errorType":"E","requestId":<request-id>","stackTrace":["a\\n","b"]}';

    expect(withRecordedTrace(lambda, { output: { Cause: cause } }).errorPayload).toEqual({
      errorType: 'E',
      stackTrace: ['a\n', 'b'],
    });
  });

  test('that nothing quotes: stays open', () => {
    expect(withRecordedTrace(lambda, { output: 'a' })).toBe(lambda);
  });
});

test('a cause that was stored parsed: has the text in which the recording quotes it', () => {
  const quoted = '{"a": [1, 2]}';

  expect(recordedTextOf({ a: [1, 2] }, [{ output: { Cause: quoted } }])).toBe(quoted);
  expect(recordedTextOf({ a: [1] }, [{ output: { Cause: quoted } }])).toBe('{"a":[1]}');
});
