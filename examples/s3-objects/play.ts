import { type Archive, type Change, LIFE } from './archive';

/** An order in which the events of objects arrive, and what came of it. */
export interface Row {
  readonly what: string;
  readonly objects: number;
  readonly deliveries: number;
  /** Of versions: one for each that was created, if it was done once. */
  readonly scans: number;
  /** Objects of which the catalogue had the last state of those that had arrived, after each delivery. */
  readonly right: number;
  readonly isRight: boolean;
}

const VERSIONS = LIFE.filter(({ etag }) => etag !== undefined).length;
const MINUTE = 60_000;

/** Every order of the items. */
function permutationsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, index) =>
    permutationsOf(items.toSpliced(index, 1)).map(rest => [first, ...rest]),
  );
}

/** Plays the life of objects in every order, with duplicates, at once, and with an execution that is interrupted. */
export async function play(archive: Archive): Promise<readonly Row[]> {
  const orders = permutationsOf(LIFE);
  const keys = orders.map((_, index) => `object-${index}`);
  const rows = [
    await arrive(archive, 'as it happened', ['in-order'], [LIFE]),
    await arrive(archive, 'in every order', keys, orders),
    await arrive(
      archive,
      'all of it again, backwards',
      keys,
      orders.map(order => order.toReversed()),
      LIFE,
    ),
  ];

  await archive.deliver(...[...LIFE, ...LIFE].map(change => ['at-once', change] as const));
  rows.push(await noted(archive, 'all at once, each twice', ['at-once'], 2 * LIFE.length));

  const [first, ...later] = LIFE;
  if (first !== undefined) await archive.deliverAndDie('recovered', first);
  await archive.deliver(...later.map(change => ['recovered', change] as const));
  await archive.pass(10 * MINUTE);
  rows.push(
    await noted(archive, 'the first one is interrupted, and resumed last', ['recovered'], LIFE.length),
  );
  return rows;
}

/** Lets events arrive, one of each object at a time; what is known of each object must be its last state every time. */
async function arrive(
  archive: Archive,
  what: string,
  keys: readonly string[],
  orders: readonly (readonly Change[])[],
  known: readonly Change[] = [],
): Promise<Row> {
  const wrong = new Set<string>();
  for (const round of LIFE.keys()) {
    const events = keys.flatMap((key, index) => {
      const change = orders[index]?.[round];
      return change === undefined ? [] : [[key, change] as const];
    });
    await archive.deliver(...events);
    const states = await archive.states();
    for (const [index, key] of keys.entries()) {
      const arrived = [...known, ...(orders[index]?.slice(0, round + 1) ?? [])];
      if (states.get(key) !== lastOf(arrived)) wrong.add(key);
    }
  }
  return noted(archive, what, keys, keys.length * LIFE.length, wrong);
}

/** How the latest of these events has left its object. */
function lastOf(arrived: readonly Change[]): string {
  return LIFE.filter(change => arrived.includes(change)).at(-1)?.etag ?? 'deleted';
}

async function noted(
  archive: Archive,
  what: string,
  keys: readonly string[],
  deliveries: number,
  wrong: ReadonlySet<string> = new Set(),
): Promise<Row> {
  const [states, allScans] = [await archive.states(), await archive.scans()];
  const right = keys.filter(key => states.get(key) === lastOf(LIFE) && !wrong.has(key)).length;
  const scans = allScans.filter(scan => keys.includes(scan.split(' ')[0] ?? ''));
  // A version that is in the list twice was scanned twice.
  const isRight =
    right === keys.length && scans.length === keys.length * VERSIONS && new Set(scans).size === scans.length;
  return { what, objects: keys.length, deliveries, scans: scans.length, right, isRight };
}
