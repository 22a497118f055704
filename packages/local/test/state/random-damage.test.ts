import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runs } from '../../../../test/support/scale';
import { seededIds } from '../../runtime/ids';
import { openStateDirectory } from '../../state/directory';
import type { ValueKind } from '../../state/persistent-values';
import {
  cleanUp,
  closeAll,
  ENDED,
  event,
  execution,
  machine,
  newPath,
  open,
  reopen,
  revisions,
  whenCompressed,
} from './world';

afterEach(cleanUp);

const DAMAGES = Number(process.env['ONCEFLOW_DAMAGES'] ?? runs(60, 500));
const KINDS: readonly ValueKind[] = ['table', 'transaction', 'queue', 'message', 'stateMachine', 'delivery'];

/** A directory that a process has written to twice, so that there are tables and a log, and what is in it. */
async function busy(): Promise<string> {
  const directory = newPath();
  for (const round of [0, 1]) {
    const state = round === 0 ? await open(directory) : await reopen(directory);
    for (let n = 0; n < 20; n += 1) {
      const name = `e${round}-${n}`;
      await state.store.create({ machine: machine() }, execution(name));
      for (let id = 1; id <= 4; id += 1) await state.store.save(execution(name, id), [event(id)]);
      if (n % 2 === 1) await state.store.save(execution(name, 5, ENDED), [event(5)]);
      for (const kind of KINDS) {
        const values = [`${n}`, `${round}!${n}`].map(key => ({ kind, key, value: { round, n, kind } }));
        await state.write(n % 5 === 4 ? [{ kind, key: `${n - 1}`, value: undefined }] : values);
      }
    }
    await whenCompressed();
  }
  await closeAll();
  return directory;
}

/** All that the next process reads. */
async function contentOf(directory: string): Promise<string> {
  const opened = await openStateDirectory(directory);
  if (opened.kind === 'rejected') return 'rejected';
  const { store, load, close } = opened.directory;
  try {
    await store.load(revisions());
    const loaded = await Promise.all(KINDS.map(kind => load(kind)));
    return JSON.stringify([[...store.all()].map(({ execution: e, history }) => [e, history]), loaded]);
  } finally {
    await close();
  }
}

async function outcomeOf(directory: string, whole: string): Promise<string> {
  try {
    const content = await contentOf(directory);
    if (content === 'rejected') return 'rejected';
    return content === whole ? 'same' : 'silently other';
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'DamagedState' ? 'rejected' : `raw: ${message}`;
  }
}

/** Files that say nothing of the data: LevelDB's lock and its diary. */
const IDLE = /^(LOCK|LOG(\.old)?)$/;

test(`${DAMAGES} damages at random: rejected, or read as it was, and never silently other`, async () => {
  const directory = await busy();
  const whole = await contentOf(directory);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !IDLE.test(entry.name))
    .map(entry => path.relative(directory, path.join(entry.parentPath, entry.name)));
  const { random } = seededIds('damage').fork('damage');
  const below = (end: number) => Math.floor(random() * end);
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (let n = 0; n < DAMAGES; n += 1) {
    const copy = newPath();
    cpSync(directory, copy, { recursive: true });
    const name = files[below(files.length)] ?? '';
    const file = path.join(copy, name);
    const bytes = readFileSync(file);
    const kind = below(6);
    if (kind === 0) rmSync(file);
    else if (kind === 1) writeFileSync(file, Buffer.alloc(bytes.length));
    else if (kind === 2) writeFileSync(file, bytes.subarray(0, below(bytes.length)));
    else {
      const at = below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      writeFileSync(file, bytes);
    }
    const outcome = await outcomeOf(copy, whole);
    if (outcome !== 'rejected' && outcome !== 'same') wrong.push(`${n} ${name}: ${outcome}`);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    rmSync(copy, { recursive: true });
  }

  expect(wrong).toEqual([]);
  expect(counts['rejected']).toBeGreaterThan(DAMAGES / 2);
}, 600_000);
