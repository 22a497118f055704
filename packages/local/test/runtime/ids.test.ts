import { randomIds, seededIds } from '../../runtime/ids';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const drawn = (seed: string) => {
  const ids = seededIds(seed);
  return [ids.uuid(), ids.random(), ids.fork('a').uuid(), ids.fork('b').random()];
};

describe('seededIds', () => {
  test('the same seed: the same ids; another seed: others', () => {
    expect(drawn('one')).toEqual(drawn('one'));
    expect(new Set([...drawn('one'), ...drawn('two')]).size).toBe(8);
  });

  test('a fork: not changed by what was drawn elsewhere', () => {
    const ids = seededIds('one');
    const before = ids.fork('x').uuid();
    ids.random();
    ids.fork('y').uuid();

    expect(ids.fork('x').uuid()).toBe(before);
  });

  test('many: uuids of version 4 without a repetition, numbers spread over [0, 1)', () => {
    const ids = seededIds('many');
    const uuids = Array.from({ length: 10_000 }, () => ids.uuid());
    const numbers = Array.from({ length: 10_000 }, () => ids.random());

    expect(uuids.every(uuid => UUID.test(uuid))).toBe(true);
    expect(new Set(uuids).size).toBe(10_000);
    const tenths = Array.from({ length: 10 }, (_, i) => numbers.filter(n => Math.floor(n * 10) === i).length);
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });

  test('first numbers of similar seeds: spread as well', () => {
    const firsts = Array.from({ length: 1000 }, (_, i) => seededIds(`execution-${i}`).random());
    const upper = firsts.filter(n => n >= 0.5).length;

    expect(Math.abs(upper - 500)).toBeLessThan(80);
  });
});

test('random ids: differ every time, forks included', () => {
  const ids = randomIds();

  expect(ids.uuid()).toMatch(UUID);
  expect(ids.fork('a').uuid()).not.toBe(ids.fork('a').uuid());
});
