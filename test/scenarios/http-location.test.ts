import fc from 'fast-check';
import { STATUS } from '../../state-machine/contract/record';
import type { HttpWorld } from '../support/http';
import {
  ALICES,
  askedAt,
  asks,
  base64url,
  checkOf,
  KINDS,
  partsOf,
  type Request,
  sent,
  withLastBitsSet,
} from '../support/http-location';
import { runs } from '../support/scale';

const LOCATION = /^[0-9A-Za-z_-]+\.[0-9a-f]{32}\.[0-9]{10}\.[0-9]{10}$/;
const raw = (text: string) => Buffer.from(text).toString('base64url');

describe.each(KINDS)('the location of a request, with %s', (_, frontDoor) => {
  let world: HttpWorld;
  let legitimate: string;
  let parts: [string, string, string, string];

  beforeAll(async () => {
    world = await frontDoor.open();
    const accepted = await world.answered(sent(ALICES, { Prefer: 'respond-async' }));
    await world.answered(sent({ ...ALICES, key: 'k2' }));
    // Absent records of locations that are as young as this one would be 202.
    await world.pass(16 * 60_000);
    legitimate = askedAt(accepted);
    parts = legitimate.split('.') as typeof parts;
  });
  afterAll(() => world.close());

  test('has a key, a check of the payload, the caller and the key, and two times', () => {
    const [key, check] = partsOf(frontDoor, ALICES, world.clock.now());

    expect(legitimate).toMatch(LOCATION);
    expect(parts.slice(0, 2)).toEqual([key, check]);
  });

  test('answers its caller', async () => {
    expect(await asks(world, 'alice', legitimate)).toBe('read, 200');
  });

  test('is 202 while an operator has reserved the record for a release', async () => {
    const key = `ChargePayment#${frontDoor.keyText(ALICES)}`;
    const item = (await world.record(key)) ?? {};
    await world.putRecord({ ...item, status: { S: STATUS.releasing } });
    const answer = await asks(world, 'alice', legitimate);
    await world.putRecord(item);

    expect(answer).toBe('read, 202');
  });

  test.each<[what: string, change: (of: typeof parts) => readonly string[]]>([
    ['the key alone', ([key]) => [key]],
    ['the key and an empty check', ([key]) => [key, '']],
    ['no key', ([, ...rest]) => rest],
    ['no check', ([key, , sentAt, started]) => [key, sentAt, started]],
    ['no time of sending', ([key, check, , started]) => [key, check, started]],
    ['no time of starting', ([key, check, sentAt]) => [key, check, sentAt]],
    ['an empty key', ([, ...rest]) => ['', ...rest]],
    ['an empty check', ([key, , ...rest]) => [key, '', ...rest]],
    ['an empty time of sending', ([key, check, , started]) => [key, check, '', started]],
    ['an empty time of starting', ([key, check, sentAt]) => [key, check, sentAt, '']],
    ['a check that lacks a digit', ([key, check, ...rest]) => [key, check.slice(1), ...rest]],
    ['a check with one more digit', ([key, check, ...rest]) => [key, `${check}0`, ...rest]],
    ['a check in capitals', ([key, , ...rest]) => [key, 'A'.repeat(32), ...rest]],
    ['a time of sending that lacks a digit', ([key, check, at, to]) => [key, check, at.slice(1), to]],
    ['a time of sending with one more digit', ([key, check, at, to]) => [key, check, `${at}0`, to]],
    ['a time of starting that lacks a digit', ([key, check, at, to]) => [key, check, at, to.slice(1)]],
    ['a time of starting with one more digit', ([key, check, at, to]) => [key, check, at, `${to}0`]],
    ['a time that is not a number', ([key, check, , to]) => [key, check, 'abcdefghij', to]],
    ['a time of sending in the future', ([key, check, , to]) => [key, check, '9999999999', to]],
    ['a fifth part', of => [...of, '0']],
    ['an empty fifth part', of => [...of, '']],
    ['a line break behind it', ([key, check, at, to]) => [key, check, at, `${to}\n`]],
    ['a space in front of it', ([key, ...rest]) => [` ${key}`, ...rest]],
    ['itself twice', of => [...of.slice(0, 3), of.join('.')]],
    ['a key in another form of base64', ([key, ...rest]) => [`${key}=`, ...rest]],
    ['a key with its last bits set', ([key, ...rest]) => [withLastBitsSet(key), ...rest]],
    ['a key that lacks a character', ([key, ...rest]) => [key.slice(0, -1), ...rest]],
    ['a key of characters that are not encoded', ([, ...rest]) => [raw('"'), ...rest]],
  ])('%s: not found, and nothing is read', async (_, change) => {
    expect(await asks(world, 'alice', change(parts).join('.'))).toBe('404 not-found');
  });

  test.each<[what: string, principal: string, change: (of: typeof parts) => readonly string[]]>([
    ['another caller', 'bob', of => of],
    ['nobody', '', of => of],
    ['a check that is made up', 'alice', ([key, , ...rest]) => [key, '0'.repeat(32), ...rest]],
    ["another request's key", 'alice', ([, ...rest]) => [codedOf('k2'), ...rest]],
    [
      "another request's check",
      'alice',
      ([key, , ...rest]) => [key, checkOf(frontDoor, { ...ALICES, key: 'k2' }), ...rest],
    ],
    [
      "another payload's check",
      'alice',
      ([key, , ...rest]) => [key, checkOf(frontDoor, { ...ALICES, amount: 2 }), ...rest],
    ],
  ])('%s: not found', async (_, principal, change) => {
    expect(await asks(world, principal, change(parts).join('.'))).toMatch(/^(read, )?404 not-found$/);
  });

  const codedOf = (key: string) => base64url(frontDoor.coded({ ...ALICES, key }));

  test('random locations, keys and callers: no result for a caller who could not have sent the request', async () => {
    const known = fc.constantFrom(ALICES.key, 'k2');
    const request = fc.record<Request>({
      principal: fc.constantFrom('alice', 'bob', '', `alice,${ALICES.key}`),
      key: fc.oneof(known, fc.string({ minLength: 1, maxLength: 8 })),
      amount: fc.constantFrom(1, 2),
    });
    const part = fc.oneof(
      fc.constantFrom('', '0', '0'.repeat(10), '0'.repeat(32), 'f'.repeat(32), '9999999999', ...parts),
      known.map(codedOf),
      fc.string({ maxLength: 40 }),
      fc.stringMatching(/^[0-9a-f]{32}$/),
      fc.stringMatching(/^[0-9]{10}$/),
    );
    const change = fc.oneof(
      fc.constant((of: readonly string[]) => of),
      fc.tuple(fc.nat(3), part).map(
        ([at, other]) =>
          (of: readonly string[]) =>
            of.with(at, other),
      ),
      fc.nat(3).map(at => (of: readonly string[]) => of.toSpliced(at, 1)),
      fc.nat(4).map(count => (of: readonly string[]) => of.slice(0, count)),
      fc.tuple(fc.nat(4), part).map(
        ([at, more]) =>
          (of: readonly string[]) =>
            of.toSpliced(at, 0, more),
      ),
    );
    const changed = fc
      .tuple(request, change)
      .map(([of, change]) => change(partsOf(frontDoor, of, world.clock.now())).join('.'));
    const madeUp = fc.array(part, { maxLength: 6 }).map(all => all.join('.'));
    const asked = fc.oneof({ weight: 5, arbitrary: changed }, madeUp);
    // Only what the asker would send itself: under the key of a record, with its payload.
    const permittedTo = (asker: string) =>
      [ALICES.key, 'k2'].flatMap(key => {
        const own = { ...ALICES, key, principal: asker || 'anonymous' };
        const isOfARecord = frontDoor.keyText(own) === frontDoor.keyText({ ...ALICES, key });
        return isOfARecord ? [partsOf(frontDoor, own, 0).slice(0, 2).join('.')] : [];
      });
    let results = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('alice', 'bob', ''), asked, async (principal, location) => {
        const [opening] = /^[^.]*\.[^.]*/.exec(location) ?? [''];
        // When it was sent, and when its execution was started.
        const [, , ...times] = location.split('.').map(Number);
        const isPast = times.every(at => at * 1000 <= world.clock.now() + 60_000);
        const isPermitted = LOCATION.test(location) && isPast && permittedTo(principal).includes(opening);
        const answer = await world.request({ principal, asked: location });
        if (answer.status === 200) results += 1;
        expect(answer.status === 200).toBe(isPermitted);
      }),
      {
        numRuns: runs(100, 2000),
        examples: [
          ['alice', legitimate],
          ['bob', legitimate],
        ],
      },
    );
    expect(results).toBeGreaterThan(0);
  }, 300_000);
});
