import { BlockList } from 'node:net';
import fc from 'fast-check';
import { runs } from '../../../../../../test/support/scale';
import type { Json } from '../../../../json/json';
import { compilePattern } from '../../../../services/events/pattern/pattern';

function passes(operator: Json, value: Json): boolean {
  const compiled = compilePattern({ x: [operator] });
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled.problems));
  return compiled.matches({ x: value });
}

type Row = readonly [operator: Json, passing: readonly Json[], failing: readonly Json[]];

const TEXT: readonly Row[] = [
  [{ prefix: 'ab' }, ['ab', 'abc'], ['Ab', 'a', 'cab', 5, null]],
  [{ prefix: '' }, ['', 'a'], [5, null, true]],
  [{ prefix: { 'equals-ignore-case': 'Ab' } }, ['aB', 'ABC'], ['ba', 5]],
  [{ suffix: '.png' }, ['.png', 'a.png'], ['a.PNG', 'png', 5]],
  [{ suffix: { 'equals-ignore-case': '.pNg' } }, ['a.PnG'], ['a.pn', 5]],
  [{ 'equals-ignore-case': 'Straße' }, ['STRAßE', 'straße'], ['STRASSE', 'Straß', null]],
  // The lower case of İ is two characters; EventBridge compares character by character.
  [{ 'equals-ignore-case': 'İ' }, ['İ'], ['i\u0307']],
  [{ exactly: 'a' }, ['a'], ['A', null]],
];

const WILDCARD: readonly Row[] = [
  [{ wildcard: 'a' }, ['a'], ['aa', '']],
  [{ wildcard: '' }, [''], ['a']],
  [{ wildcard: '*' }, ['', 'anything'], [5, null]],
  [{ wildcard: 'a*a' }, ['aa', 'aba'], ['a', 'ab']],
  [{ wildcard: '*b*c*' }, ['bc', 'xbyczc'], ['cb']],
  [{ wildcard: 'a\\*b' }, ['a*b'], ['axb']],
  [{ wildcard: 'a\\\\*' }, ['a\\', 'a\\x'], ['a*', 'ax']],
];

const NUMERIC: readonly Row[] = [
  [{ numeric: ['=', 5] }, [5, 5.0], [5.000001, '5', null]],
  [{ numeric: ['<', 0.3] }, [0.299999, -5e9], [0.3, '0.1']],
  [{ numeric: ['<=', 0.3] }, [0.3], [0.300001]],
  [{ numeric: ['>', 0.3] }, [0.300001, 5e9], [0.3, 5e9 + 1, null]],
  [{ numeric: ['>=', 0.3] }, [0.3, 5e9], [0.299999]],
  [{ numeric: ['>', 0, '<=', 5] }, [1e-6, 5], [0, 5.000001]],
  [{ numeric: ['>=', 0, '<', 5] }, [0, 4.999999], [5, 1.23456789]],
];

const ANYTHING_BUT: readonly Row[] = [
  [{ 'anything-but': 'a' }, ['b', '', 5, null, true, ['a', 'b']], ['a', ['a']]],
  [{ 'anything-but': ['a', 'b'] }, ['c', null], ['a', 'b']],
  [{ 'anything-but': 0 }, [1, '0', null, 1.23456789], [0]],
  [{ 'anything-but': [100, 200] }, [150, '100'], [100, 200]],
  [{ 'anything-but': { prefix: 'in' } }, ['on', 12, null], ['in', 'init']],
  [{ 'anything-but': { prefix: ['in', 'on'] } }, ['off'], ['inn', 'on']],
  [{ 'anything-but': { suffix: '.png' } }, ['a.txt', 12], ['a.png']],
  [{ 'anything-but': { suffix: ['.png', '.jpg'] } }, ['a.txt'], ['a.png', 'a.jpg']],
  [{ 'anything-but': { 'equals-ignore-case': 'a' } }, ['b', null], ['a', 'A']],
  [{ 'anything-but': { 'equals-ignore-case': ['a', 'b'] } }, ['c'], ['A', 'B']],
  [{ 'anything-but': { wildcard: '*/lib/*' } }, ['a/bin/b', 12], ['a/lib/b']],
  [{ 'anything-but': { wildcard: ['*.a', '*.b'] } }, ['x.c'], ['x.a', 'x.b']],
  [{ 'anything-but': { wildcard: '' } }, ['a'], ['']],
];

const CIDR: readonly Row[] = [
  [
    { cidr: '10.0.0.0/24' },
    ['10.0.0.0', '10.0.0.255'],
    ['10.0.1.0', '9.255.255.255', 'x', '', 10, '::a00:0'],
  ],
  [{ cidr: '10.0.0.77/24' }, ['10.0.0.0', '10.0.0.255'], ['10.0.1.77']],
  [{ cidr: '0.0.0.0/0' }, ['255.255.255.255'], ['::1']],
  [{ cidr: '2001:db8::/32' }, ['2001:db8::', '2001:DB8:ffff::1'], ['2001:db9::', '10.0.0.1', 'fe80::1%eth0']],
  [{ cidr: '::/127' }, ['::1', '0:0:0:0:0:0:0:0'], ['::2']],
];

describe.each([
  ['text operators', TEXT],
  ['wildcard', WILDCARD],
  ['numeric', NUMERIC],
  ['anything-but', ANYTHING_BUT],
  ['cidr', CIDR],
])('%s', (_family, rows) => {
  test.each(rows)('%j: passes %j, fails %j', (operator, passing, failing) => {
    expect(passing.filter(value => !passes(operator, value))).toEqual([]);
    expect(failing.filter(value => passes(operator, value))).toEqual([]);
  });

  test.each(rows)('%j: absent does not pass', operator => {
    const compiled = compilePattern({ x: [operator] });
    expect(compiled.kind === 'pattern' && compiled.matches({ y: 'a' })).toBe(false);
  });
});

describe('operators against a second opinion', () => {
  test('wildcard: agrees with a regular expression', () => {
    const shape = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const value = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(shape, value, (raw, text) => {
        const wildcard = raw.replaceAll(/\*+/g, '*');
        const regex = new RegExp(`^${wildcard.replaceAll('*', '.*')}$`);
        expect(passes({ wildcard }, text)).toBe(regex.test(text));
      }),
      { numRuns: runs(100, 500) },
    );
  });

  test('wildcard with many stars on a long text: answers at once', () => {
    expect(passes({ wildcard: `${'*a'.repeat(200)}*b` }, 'a'.repeat(100_000))).toBe(false);
  });

  test('cidr: agrees with the block list of Node', () => {
    const family = fc.constantFrom(
      { type: 'ipv4' as const, address: fc.ipV4(), bits: 31 },
      { type: 'ipv6' as const, address: fc.ipV6().filter(text => !text.includes('.')), bits: 127 },
    );
    const drawn = family.chain(({ type, address, bits }) =>
      fc.record({ type: fc.constant(type), base: address, other: address, mask: fc.nat(bits) }),
    );
    fc.assert(
      fc.property(drawn, ({ type, base, other, mask }) => {
        const block = new BlockList();
        block.addSubnet(base, mask, type);
        expect(passes({ cidr: `${base}/${mask}` }, other)).toBe(block.check(other, type));
        expect(passes({ cidr: `${base}/${mask}` }, base)).toBe(true);
      }),
      { numRuns: runs(100, 500) },
    );
  });
});
