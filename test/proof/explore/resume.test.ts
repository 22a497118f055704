import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize } from 'node:v8';
import type { Subject } from '../../../proof/explore/model/subject';
import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import type { Budget } from '../../../proof/explore/search/expansion';
import { SaveFile } from '../../../proof/explore/search/save-file';
import { type Exploration, explore, type Watcher } from '../../../proof/explore/search/search';
import { replayTrace } from '../../../proof/explore/trace';
import { shippedExploration, shippedSubject } from './subject';

// With two faults these tests take minutes.
const FAULTS = process.env['ONCEFLOW_FAULTS'];
const BUDGET: Budget = { executions: 2, faults: Number(FAULTS ?? 1), channels: ['direct'], symmetry: true };
/** The subjects that are explored whole, again and again; by default those that `symmetry.test.ts` explores as well. */
const WHOLE: Budget = FAULTS
  ? BUDGET
  : { ...BUDGET, executions: 3, faults: 0, channels: ['direct', 'dispatcher'] };

/** New states of a turn: so few that a level takes several. */
const FEW = 330;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-resume-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

function saveIn(subject = shippedSubject(), budget = BUDGET): SaveFile {
  const opened = SaveFile.open(directory, subject, budget, 0);
  if (opened.kind === 'problem') throw new Error(opened.message);
  return opened.save;
}

function problemWith(subject: Subject, budget: Budget = BUDGET): string {
  const opened = SaveFile.open(directory, subject, budget);
  return opened.kind === 'problem' ? opened.message : 'none';
}

async function* parts() {
  yield { kind: 'seen' as const, records: new Uint32Array(12) };
}

/** Explores, and ends that as soon as it is so deep. */
function until(
  subject: Subject,
  depth: number,
  watcher: Watcher = {},
  budget = BUDGET,
): Promise<Exploration> {
  const ended = new AbortController();
  return explore(subject, budget, {
    ...watcher,
    saved: saveIn(subject, budget),
    signal: ended.signal,
    progress: reached => {
      if (reached.depth >= depth) ended.abort();
    },
  });
}

/** Ends an exploration at several levels, each time by the next process, and explores the rest. */
async function inPieces(
  subject: Subject,
  depths: readonly number[],
  watcher: Watcher = {},
  budget = WHOLE,
): Promise<Exploration> {
  for (const depth of depths) expect(await until(subject, depth, watcher, budget)).toMatchObject({ depth });
  return explore(subject, budget, { ...watcher, saved: saveIn(subject, budget) });
}

describe('an exploration that is ended, and goes on from what it has saved', () => {
  let atOnce: Exploration;
  beforeAll(async () => {
    atOnce = await shippedExploration(WHOLE);
  }, 120_000);

  test('at several levels: comes to what it comes to in one go', async () => {
    expect(await inPieces(shippedSubject(), [0, 5, 9, 11], { turnStates: FEW })).toEqual(atOnce);
  }, 120_000);

  test('by threads, before and after: the same', async () => {
    const pieces = await inPieces(shippedSubject(), [9, 11], { workers: 2, sharedFrom: 50, turnStates: FEW });

    expect(pieces).toEqual(atOnce);
  }, 120_000);

  test('in the middle of levels, again and again: the same', async () => {
    const ends: number[] = [];
    const oneMoreTurn = () => {
      const ended = new AbortController();
      return explore(shippedSubject(), WHOLE, {
        saved: saveIn(shippedSubject(), WHOLE),
        signal: ended.signal,
        turnStates: FEW,
        progress: ({ depth }) => {
          ends.push(depth);
          ended.abort();
        },
      });
    };

    let explored = await oneMoreTurn();
    while (explored.stopped) explored = await oneMoreTurn();

    expect(ends.length).toBeGreaterThan(new Set(ends).size);
    expect(explored).toEqual(atOnce);
  }, 240_000);

  test('a guard that is missing: the same violation, with the same schedule', async () => {
    const mutation = MUTATIONS.find(({ name }) => name === 'step-end-not-awaited-after-ServiceException');
    if (!mutation) throw new Error('no such mutation');
    const mutant = mutated(shippedSubject(), mutation);
    const inOneGo = await explore(mutant, BUDGET);

    const { violation } = await inPieces(mutant, [2, 4], {}, BUDGET);

    expect(violation).toEqual(inOneGo.violation);
    expect(replayTrace(mutant, BUDGET, violation?.schedule ?? []).violation?.invariant).toBe(
      violation?.invariant,
    );
  }, 120_000);

  test('levels that end: saved there, without an end by the user', async () => {
    const saved = () => saveIn(shippedSubject(), WHOLE);
    await explore(shippedSubject(), WHOLE, { saved: saved() });
    const depths: number[] = [];
    const progress = ({ depth }: Exploration | { depth: number }) => depths.push(depth);

    const again = await explore(shippedSubject(), WHOLE, { saved: saved(), progress });

    expect(again).toEqual(atOnce);
    expect(depths[0]).toBeGreaterThan(5);
  }, 120_000);
});

describe('SaveFile', () => {
  test('a save of something else: rejected, and says of what it is', async () => {
    await until(shippedSubject(), 1);
    const mutation = MUTATIONS[0];
    if (!mutation) throw new Error('no mutations');

    expect(problemWith(shippedSubject())).toBe('none');
    expect(problemWith(mutated(shippedSubject(), mutation))).toMatch(
      /exploration is of another definition; name/,
    );
    expect(problemWith(shippedSubject(), { ...BUDGET, executions: 3 })).toMatch(
      /is of --executions 2 --faults \d --start direct, and asked for is --executions 3 --faults \d --start direct; name/,
    );
    expect(problemWith(shippedSubject(), { ...BUDGET, symmetry: false })).toMatch(
      /--start direct --tell-apart; name/,
    );
    expect(problemWith({ ...shippedSubject(), without: 'step-ends' })).toMatch(/--without step-ends; name/);
  });

  test('a save of another version of the program: rejected', async () => {
    await until(shippedSubject(), 1);
    const file = path.join(directory, 'exploration');
    const bytes = readFileSync(file).subarray(0, -32);
    const { program } = deserialize(bytes.subarray(4, 4 + bytes.readUInt32LE())) as { program: string };
    bytes.set(Buffer.from('0'.repeat(program.length)), bytes.indexOf(program));
    writeFileSync(file, Buffer.concat([bytes, createHash('sha256').update(bytes).digest()]));

    expect(problemWith(shippedSubject())).toMatch(/exploration is of another version of this program; name/);
  });

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    [
      'changed',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -60), Buffer.from('x'), bytes.subarray(-59)]),
    ],
    ['empty', () => Buffer.alloc(0)],
  ])('a save that is %s: rejected', async (_how, damaged) => {
    await until(shippedSubject(), 3);
    const file = path.join(directory, 'exploration');
    writeFileSync(file, damaged(readFileSync(file)));

    expect(problemWith(shippedSubject())).toMatch(
      /exploration is damaged, or no save; name another directory, or remove it/,
    );
  });

  test('an end in the middle of saving: the save before it counts', async () => {
    await until(shippedSubject(), 3);
    const before = readFileSync(path.join(directory, 'exploration'));
    async function* breaking() {
      yield { kind: 'seen' as const, records: new Uint32Array(12) };
      throw new Error('no space left');
    }

    await expect(saveIn().save(breaking())).rejects.toThrow('what was saved before stays: no space left');

    expect(readFileSync(path.join(directory, 'exploration'))).toEqual(before);
    expect(problemWith(shippedSubject())).toBe('none');
  });

  test('a directory that is a file: rejected', () => {
    const file = path.join(directory, 'file');
    writeFileSync(file, '');

    expect(SaveFile.open(file, shippedSubject(), BUDGET)).toEqual({
      kind: 'problem',
      message: expect.stringMatching(/file cannot be used \(EEXIST.*; name one that can be written/),
    });
  });

  test('a directory that cannot be written: rejected before anything is explored', () => {
    // No user can create a file there.
    expect(SaveFile.open('/proc/self', shippedSubject(), BUDGET)).toEqual({
      kind: 'problem',
      message: expect.stringContaining('/proc/self cannot be used ('),
    });
  });

  test('two searches that save in it at the same time: one of the saves is there, and whole', async () => {
    const [one, other] = [saveIn(), saveIn()];
    async function* meanwhile() {
      await other.save(parts());
      yield* parts();
    }

    await one.save(meanwhile());

    expect(problemWith(shippedSubject())).toBe('none');
    expect(readdirSync(directory)).toEqual(['exploration']);
  });
});
