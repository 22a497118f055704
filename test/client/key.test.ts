import { Key, MissingKeyError, StartOnceError } from '../../client/index';
import { payloadHash } from '../../state-machine/contract/index';

describe('Key.ofPayload', () => {
  test('any order of members, and members that are undefined: the hash of the payload', () => {
    const payload = { amount: 12.5, lines: [{ sku: 'a' }] };

    expect(Key.ofPayload({ lines: [{ sku: 'a' }], note: undefined, amount: 12.5 })).toBe(
      payloadHash(payload),
    );
  });

  test.each([null, false, '', [], {}, { a: undefined }, '\ud800'])('%j: no key', payload => {
    expect(() => Key.ofPayload(payload)).toThrow(MissingKeyError);
  });

  test('a whole number from 2^53 on, which may stand for another: rejected with its place, and never its value', () => {
    expect(() => Key.ofPayload({ customer: { ids: [1, 2 ** 53] } })).toThrow(
      expect.objectContaining({
        name: 'MissingKeyError',
        message: expect.stringMatching(
          /got a whole number beyond 2\^53 - 1 at #\/customer\/ids\/1; send it as text$/,
        ),
      }),
    );
  });

  test('what JSON cannot hold: rejected with its path, and never its value', () => {
    expect(() => Key.ofPayload({ a: { b: new Map([['secret', 1]]) } })).toThrow(
      new StartOnceError('`payload.a.b` is a Map, which JSON cannot hold'),
    );
  });
});
