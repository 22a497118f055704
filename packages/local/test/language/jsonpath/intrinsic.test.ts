import fc from 'fast-check';
import { JavaRandom } from '../../../json/java-random';
import type { Json } from '../../../json/json';
import type { Scope } from '../../../language/jsonpath/evaluation';
import { isSame } from '../../../language/jsonpath/filter';
import { evaluateIntrinsic } from '../../../language/jsonpath/intrinsic';
import { parseIntrinsic } from '../../../language/jsonpath/parse-intrinsic';

const INPUT: Json = {
  items: [3, 1, 2, 1],
  mixed: [{ a: 1, b: [2] }, { b: [2], a: 1 }, '1', 1, null, null, [1], [1]],
  text: 'one two',
  person: { name: 'Ada', tags: ['x', null, 1.5], of: { age: 36 } },
  template: 'a {} b \\{{}',
  none: null,
};

function scopeOf(input: Json, random = 0.5): Scope {
  const randomness = { random: () => random, uuid: () => '00000000-0000-4000-8000-000000000000' };
  return { input, context: { Execution: { Name: 'run-1' } }, variables: { limit: 4 }, randomness };
}

/** The value of a call, or why it has none. */
function call(text: string, input: Json = INPUT, random?: number): Json {
  const parsed = parseIntrinsic(text);
  if (parsed.kind === 'invalid') return `invalid: ${parsed.reason}`;
  const result = evaluateIntrinsic(parsed.intrinsic, scopeOf(input, random));
  return result.kind === 'value' ? result.value : `${result.error}: ${result.cause}`;
}

describe('a function', () => {
  test.each<[string, Json]>([
    ['States.Array()', []],
    ["States.Array('a', 1, -2.5, true, null, $.text, $limit)", ['a', 1, -2.5, true, null, 'one two', 4]],
    ['States.ArrayContains($.items, 2)', true],
    ["States.ArrayContains($.items, '2')", false],
    ['States.ArrayContains($.mixed, $.person)', false],
    ['States.ArrayGetItem($.items, 0)', 3],
    ['States.ArrayGetItem($.items, 1.9)', 1],
    ['States.ArrayGetItem(States.Array(), 3)', null],
    ['States.ArrayLength($.mixed)', 8],
    ['States.ArrayPartition($.items, 3.9)', [[3, 1, 2], [1]]],
    ['States.ArrayPartition(States.Array(), 2)', []],
    ['States.ArrayRange(1, 7, 3)', [1, 4, 7]],
    ['States.ArrayRange(5.9, -0.9, -2.9)', [5, 3, 1]],
    ['States.ArrayRange(2, 1, 1)', []],
    ['States.ArrayUnique($.mixed)', [{ a: 1, b: [2] }, '1', 1, null, [1]]],
    ["States.Base64Encode('grün')", 'Z3LDvG4='],
    ["States.Base64Decode('Z3LDvG4=')", 'grün'],
    ["States.Base64Decode('Z3!L DvG4')", 'grün'],
    ["States.Hash('abc', 'MD5')", '900150983cd24fb0d6963f7d28e17f72'],
    ["States.Hash('abc', 'SHA-1')", 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ["States.Hash('', 'SHA-256')", 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [
      'States.JsonMerge($.person, States.StringToJson(\'{"of":1}\'), false)',
      {
        name: 'Ada',
        tags: ['x', null, 1.5],
        of: 1,
      },
    ],
    ['States.JsonToString($.person)', '{"name":"Ada","tags":["x",null,1.5],"of":{"age":36}}'],
    ['States.StringToJson(\'[1, "a"]\')', [1, 'a']],
    ["States.StringToJson('')", null],
    ["States.StringToJson(' \n')", null],
    ["States.StringToJson('-0')", 0],
    ['States.MathAdd(2.5, -2.5)', 1],
    ['States.MathAdd(2147483646, 1)', 2147483647],
    ["States.StringSplit('a, b;;c ', ', ;')", ['a', 'b', 'c']],
    ["States.StringSplit('abc', '')", ['abc']],
    ["States.StringSplit('', ',')", []],
    ['States.UUID()', '00000000-0000-4000-8000-000000000000'],
  ])('%s: its value', (text, value) => {
    const found = call(text);
    expect(found).toEqual(value);
    expect(Object.is(found, -0)).toBe(false);
  });

  test('States.MathRandom: whole numbers from the start on, below the end', () => {
    expect(call('States.MathRandom(1.9, 5)', INPUT, 0)).toBe(1);
    expect(call('States.MathRandom(1, 5)', INPUT, 0.999)).toBe(4);
    expect(call('States.MathRandom(-2147483648, 2147483647)', INPUT, 0.999999)).toBe(2147479352);
  });

  test('States.MathRandom with a seed: the same number whatever chance says', () => {
    const throws = [0, 0.25, 0.99].map(random => call('States.MathRandom(10, 110, 42)', INPUT, random));
    expect(new Set(throws)).toEqual(new Set([40]));
  });

  test('texts with escapes: what follows a backslash stands for itself', () => {
    expect(call("States.Array('it\\'s', '\\{\\}', '\\\\')")).toEqual(["it's", '{}', '\\']);
  });
});

describe('States.Format', () => {
  test.each<[string, Json]>([
    ["States.Format('plain')", 'plain'],
    ["States.Format('{}-{}', $.text, 7)", 'one two-7'],
    ["States.Format('{} {} {}', null, true, 0.5)", 'null true 0.5'],
    ["States.Format('{}', $.person)", '{name=Ada, tags=[x, null, 1.5], of={age=36}}'],
    ["States.Format('{}', 0.00001234)", '1.234E-5'],
    ["States.Format('{}', 12345678.5)", '1.23456785E7'],
    ["States.Format('\\{\\} is \\'{}\\'', 1)", "{} is '1'"],
    ['States.Format($.template, 1, 2)', 'a 1 b {2'],
    ["States.Format('{}', States.Format('{}', $$.Execution.Name))", 'run-1'],
  ])('%s: the text', (text, value) => expect(call(text)).toBe(value));

  test.each([
    [
      "States.Format('{}')",
      'Invalid arguments in States.Format: number of arguments do not match the occurrences of {}.',
    ],
    [
      "States.Format('', 1)",
      'Invalid arguments in States.Format: number of arguments do not match the occurrences of {}.',
    ],
    ["States.Format('{ }', 1)", "Invalid template in States.Format: matching '}' not found for '{'."],
    ["States.Format('\\{}', 1)", "Invalid template in States.Format: matching '}' not found for '{'."],
    ['States.Format(1)', 'Invalid arguments in States.Format'],
  ])('%s: rejected', (text, problem) =>
    expect(call(text)).toBe(`States.Runtime: The function '${text}' had the following error: ${problem}`),
  );
});

describe('arguments that a function does not take', () => {
  test.each([
    "States.ArrayContains('a', 'a')",
    'States.ArrayContains($.items)',
    'States.ArrayGetItem($.items, 4)',
    'States.ArrayGetItem($.items, -1)',
    "States.ArrayGetItem($.items, '0')",
    'States.ArrayLength($.text)',
    'States.ArrayLength()',
    'States.ArrayPartition($.items, 0.9)',
    'States.ArrayPartition($.text, 1)',
    'States.ArrayRange(1, 1001, 1)',
    'States.ArrayRange(1, 5, 0.5)',
    "States.ArrayRange('1', 5, 1)",
    'States.ArrayUnique($.person)',
    'States.Base64Decode(1)',
    'States.Base64Encode($.none)',
    "States.Hash('a', 'sha-256')",
    "States.Hash('a', 'MD5', 1)",
    'States.JsonMerge($.person, $.person, true)',
    'States.JsonMerge($.person, $.items, false)',
    "States.MathAdd(1, '1')",
    'States.MathAdd(2147483647, 1)',
    'States.MathAdd(3000000000, -3000000000)',
    'States.MathRandom(1.2, 1.8)',
    'States.MathRandom(2, 1)',
    "States.MathRandom(1, 9, 'seed')",
    "States.StringSplit(1, ',')",
    'States.StringSplit($.text, 1)',
    "States.StringToJson('\\{')",
    'States.StringToJson(1)',
    'States.UUID(1)',
  ])('%s: the state fails', text => {
    const name = text.slice(0, text.indexOf('('));
    const cause = `The function '${text}' had the following error: Invalid arguments in ${name}`;
    expect(call(text)).toBe(`States.Runtime: ${cause}`);
  });

  test.each(['States.Base64Encode($.long)', 'States.Base64Decode($.long)', "States.Hash($.long, 'MD5')"])(
    '%s of more than 10,000 characters: the state fails, and not of 10,000',
    text => {
      expect(call(text, { long: 'A'.repeat(10_001) })).toContain('Invalid arguments');
      expect(call(text, { long: 'A'.repeat(10_000) })).not.toContain('Invalid arguments');
    },
  );

  test('a path to nothing: the state fails, by the innermost function', () => {
    const text = 'States.Array(States.ArrayLength($.missing))';
    expect(call(text, { a: 1 })).toBe(
      "States.Runtime: The function 'States.ArrayLength($.missing)' had the following error: " +
        `The JsonPath argument for the field '$.missing' could not be found in the input '{"a":1}'`,
    );
  });
});

describe('a text that is not a call', () => {
  test.each([
    ['States.Frmt()', "there is no function 'States.Frmt'"],
    ['States.UUID', "expected '(', the text ends at position 12"],
    ['States.UUID()x', "expected the end, found 'x' at position 14"],
    ['States.Array(1,)', "expected an argument, found ')' at position 16"],
    ['States.Array(1 2)', "expected ')', found '2' at position 16"],
    ["States.Array('a)", "expected an argument, found ''' at position 14"],
    ["States.Array('\\n')", "expected an argument, found ''' at position 14"],
    ["States.Array('\\\"')", "expected an argument, found ''' at position 14"],
    ['States.Array("a")', "expected an argument, found '\"' at position 14"],
    ['States.Array($.)', "expected a name, found ')' at position 16"],
    ['States.Array('.repeat(11), 'at most 10 functions within one another'],
  ])('%s: rejected', (text, reason) => expect(call(text)).toBe(`invalid: ${reason}`));

  test('ten functions within one another: taken', () => {
    expect(call(`${'States.Array('.repeat(10)}1${')'.repeat(10)}`)).toEqual([[[[[[[[[[1]]]]]]]]]]);
  });
});

describe('two ways to the same value', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  const small = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom<Json>('a', [1], { b: 1 }), json),
  );

  test('States.ArrayUnique: the items that States.ArrayContains does not find before them', () => {
    fc.assert(
      fc.property(small, items => {
        const seen: Json[] = [];
        for (const item of items) {
          if (call('States.ArrayContains($.seen, $.item)', { seen, item }) === false) seen.push(item);
        }
        expect(call('States.ArrayUnique($)', items)).toEqual(seen);
      }),
      { numRuns: 100 },
    );
  });

  test('States.StringToJson of States.JsonToString: the value itself', () => {
    fc.assert(
      fc.property(json, value => {
        expect(isSame(call('States.StringToJson(States.JsonToString($))', value), value)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('States.ArrayPartition: the items again when its parts are joined, all of one size but the last', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (items, size) => {
        const parts = call('States.ArrayPartition($.items, $.size)', { items, size }) as readonly Json[][];
        expect(parts.flat()).toEqual(items);
        expect(parts.slice(0, -1).every(part => part.length === size)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe('java.util.Random', () => {
  test('a seed: the numbers that its documentation and every Java have', () => {
    const random = new JavaRandom(42);
    expect([0, 0, 0, 0, 0].map(() => random.nextInt(10))).toEqual([0, 3, 8, 4, 0]);
    expect(new JavaRandom(42).nextDouble()).toBe(0.7275636800328681);
  });

  test('a bound that is a power of two, and the largest: within it', () => {
    const random = new JavaRandom(-7);
    for (const bound of [1, 8, 2 ** 30, 2 ** 31 - 1, 3 * 2 ** 29]) {
      const value = random.nextInt(bound);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(bound);
    }
  });
});
