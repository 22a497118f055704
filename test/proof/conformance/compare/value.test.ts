import type { PlaceholderSpec } from '../../../../proof/conformance/cases/recorded-case';
import { ignoring } from '../../../../proof/conformance/compare/ignored';
import { Placeholders } from '../../../../proof/conformance/compare/placeholders';
import { compareValue } from '../../../../proof/conformance/compare/value';

/** Where the comparison finds the first difference; undefined where it finds none. */
function differenceAt(
  actual: unknown,
  expected: unknown,
  {
    placeholders = {},
    bindings = {},
    ignore = [],
  }: {
    readonly placeholders?: Record<string, PlaceholderSpec>;
    readonly bindings?: Record<string, string>;
    readonly ignore?: readonly string[];
  } = {},
): string | undefined {
  const terms = {
    placeholders: new Placeholders(placeholders, new Map(Object.entries(bindings))),
    isIgnored: ignoring(ignore),
  };
  return compareValue(terms, expected, actual)?.path;
}

describe('values', () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ['another order of members: equal', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, undefined],
    ['a member is missing: differs there', { a: 1 }, { a: 1, b: 2 }, '/b'],
    ['a member is too many: differs there', { a: 1, b: 2 }, { a: 1 }, '/b'],
    ['a member without value: counts as absent', { a: 1, b: undefined }, { a: 1 }, undefined],
    ['a deep value: the path leads to it', { a: [1, { x: 2 }] }, { a: [1, { x: 3 }] }, '/a/1/x'],
    ['an element is missing: differs there', [1], [1, 2], '/1'],
    ['an element is too many: differs there', [1, 2], [1], '/1'],
    ['a name with a slash: escaped in the path', { 'a/b': 1 }, { 'a/b': 2 }, '/a~1b'],
    ['null for an object: differs', null, {}, '/'],
    ['an object for an array: differs', { 0: 1 }, [1], '/'],
    ['an array for an object: differs', [1], { 0: 1 }, '/'],
    ['a number for its text: differs', 1, '1', '/'],
    ['null for null: equal', null, null, undefined],
  ])('%s', (_title, actual, expected, path) => {
    expect(differenceAt(actual, expected)).toBe(path);
  });
});

describe('JSON text', () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ['the text of a recorded object: equal', '{"a": 1}', { a: 1 }, undefined],
    ['the text of another object: differs inside', '{"a": 2}', { a: 1 }, '/a'],
    ['a text that is none, for an object: differs', '{"a":', { a: 1 }, '/'],
    ['spaces: mean nothing', '[1,2]', '[1, 2]', undefined],
    ['numbers: by value', '0', '0.0', undefined],
    ['the text of a text is not a number', '"1"', '1', '/'],
    ['a word that is JSON by chance: is a word', '"true"', 'true', '/'],
  ])('%s', (_title, actual, expected, path) => {
    expect(differenceAt(actual, expected)).toBe(path);
  });
});

describe('what differs in every run', () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ['timestamp under a time: any value', { timestamp: 17.4 }, { timestamp: 'timestamp' }, undefined],
    ['timestamp under another name: a text', { x: 17.4 }, { x: 'timestamp' }, '/x'],
    ['datetime: any value', { startDate: 17 }, { startDate: 'datetime' }, undefined],
    ['date inside a text: an ISO time', 'at 2026-01-02T03:04:05.678Z!', 'at date!', undefined],
    ['date inside a text: no other word', 'at noon!', 'at date!', '/'],
    ['a value equal to its name: any value', { RequestId: 'x' }, { RequestId: 'RequestId' }, undefined],
    ['the same under another name: a text', { Id: 'x' }, { Id: 'RequestId' }, '/Id'],
    ['headers of a service call: never compared', { SdkHttpMetadata: 1 }, { SdkHttpMetadata: 2 }, undefined],
    ['headers of a service call: may be absent', {}, { a: undefined, SdkResponseMetadata: 2 }, '/a'],
  ])('%s', (_title, actual, expected, path) => {
    expect(differenceAt(actual, expected)).toBe(path);
  });
});

describe('placeholders', () => {
  const ARN = 'arn:<partition>:states:<region>:111111111111:stateMachine:<name>';

  test.each<[string, unknown, unknown, Record<string, PlaceholderSpec>, string | undefined]>([
    ['the same text twice: equal', ['x', 'x'], ['<n:1>', '<n:1>'], { '<n:1>': {} }, undefined],
    ['two texts for one: differs at the second', ['x', 'y'], ['<n:1>', '<n:1>'], { '<n:1>': {} }, '/1'],
    [
      'two texts for one that says so: equal',
      ['x', 'y'],
      ['<n:1>', '<n:1>'],
      { '<n:1>': { consistent: false } },
      undefined,
    ],
    ['any value for a whole text', { n: [1] }, { n: '<n>' }, { '<n>': {} }, undefined],
    ['nothing for a whole text: differs', {}, { n: '<n>' }, { '<n>': {} }, '/n'],
    ['one that is not declared: a text', 'x', '<n>', {}, '/'],
    ['brackets that are no placeholder: a text', "<class 'int'>", "<class 'str'>", {}, '/'],
    ['twice bracketed', 'AQ==', '<<token>:1>', { '<<token>:1>': {} }, undefined],
    ['a UUID: equal', '11111111-2222-3333-4444-555555555555', '<uuid:1>', { '<uuid:1>': {} }, undefined],
    ['no UUID: differs', 'abc', '<uuid:1>', { '<uuid:1>': {} }, '/'],
    ['a bare word: equal where declared', 'p:fn-7:q', 'p:fn_name:q', { fn_name: {} }, undefined],
    ['a bare word inside another: a text', 'p:my-fn-7', 'p:my-fn', { fn: {} }, '/'],
    ['of two that begin alike: the longer', 'a-x', 'a-long', { long: {}, 'a-long': {} }, undefined],
    ['a name of a member', { k7: 1 }, { '<k>': 1 }, { '<k>': {} }, undefined],
    ['an ARN', 'arn:aws:states:eu-west-1:123456789012:stateMachine:m', ARN, { '<name>': {} }, undefined],
    ['a region that is none', 'arn:aws:states:here:123456789012:stateMachine:m', ARN, { '<name>': {} }, '/'],
    ['an account that is none', 'arn:aws:states:eu-west-1:12:stateMachine:m', ARN, { '<name>': {} }, '/'],
  ])('%s', (_title, actual, expected, placeholders, path) => {
    expect(differenceAt(actual, expected, { placeholders })).toBe(path);
  });

  test('one that is known from the start: only that text', () => {
    const known = { placeholders: { '<n>': {} }, bindings: { '<n>': 'x' } };

    expect(differenceAt('x', '<n>', known)).toBeUndefined();
    expect(differenceAt('y', '<n>', known)).toBe('/');
  });

  test('a reading as JSON that fails: binds nothing', () => {
    const placeholders = { '<n>': {} };

    const path = differenceAt(['["x",2]', 'y'], ['["<n>",1]', '<n>'], { placeholders });

    expect(path).toBe('/0');
  });
});

describe('ignored places', () => {
  test.each<[string, readonly string[], string | undefined]>([
    ['none: the first difference', [], '/h/0/t'],
    ['a place', ['/h/0/t'], '/h/1/t'],
    ['one segment', ['/h/*/t'], '/z/deep/t'],
    ['any number of segments', ['**/t'], undefined],
    ['a segment is not several', ['/*/t'], '/h/0/t'],
    ['an entry that is no pointer: names a placeholder', ['t'], '/h/0/t'],
  ])('%s', (_title, ignore, path) => {
    const actual = { h: [{ t: 1 }, { t: 2 }], z: { deep: { t: 3 } } };
    const expected = { h: [{ t: 8 }, { t: 9 }], z: { deep: { t: 7 } } };

    expect(differenceAt(actual, expected, { ignore })).toBe(path);
  });
});
