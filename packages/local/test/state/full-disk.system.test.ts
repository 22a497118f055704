import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanUp, closeAll, event, execution, machine, newPath, open, reopen } from './world';

const BYTES = 2 * 1024 * 1024;

/** A small disk of its own; undefined where this process may not have one. */
function smallDisk(): { readonly root: string; remove(): void } | undefined {
  const root = newPath();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES}`, 'tmpfs', root], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { root, remove: () => void execFileSync('umount', [root]) };
}

const disk = smallDisk();

afterAll(async () => {
  await closeAll();
  disk?.remove();
  await cleanUp();
});

const testWithDisk = disk ? test : test.skip;

testWithDisk(
  'a full disk: each write is rejected or there, later ones go well with room again, and the next process has them',
  async () => {
    const { root = '' } = disk ?? {};
    const [directory, ballast] = [path.join(root, 'state'), path.join(root, 'ballast')];
    mkdirSync(directory);
    const { store, writeBehind: values } = await open(directory);
    await store.create({ machine: machine() }, execution('before'));
    let bytes = BYTES;
    // The rest of the disk, in ever smaller pieces.
    for (let n = 0; bytes >= 1; n += 1, bytes = Math.floor(bytes / 2)) {
      try {
        writeFileSync(`${ballast}-${n}`, Buffer.alloc(bytes));
      } catch {}
    }

    const rejected: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      await store
        .create({ machine: machine() }, execution(`full-${n}`))
        .catch(() => rejected.push(`full-${n}`));
      values.write([{ kind: 'message', key: `${n}`, value: { text: 'x'.repeat(5_000) } }]);
      await expect(values.written()).rejects.toMatchObject({
        name: 'StateNotWritten',
        cause: { code: expect.stringMatching(/^LEVEL_/) },
      });
    }
    for (let n = 0; n < 30; n += 1) rmSync(`${ballast}-${n}`, { force: true });
    await values.written();
    await store.create({ machine: machine() }, execution('after'));
    await store.save(execution('after', 1), [event(1)]);

    const again = await reopen(directory);
    expect((await again.load('message')).map(([key]) => key)).toEqual(['0', '1', '2', '3', '4']);
    const names = [...again.store.all()].map(({ execution: { name } }) => name);
    const taken = Array.from({ length: 5 }, (_, n) => `full-${n}`).filter(name => !rejected.includes(name));
    expect(names).toEqual(['before', ...taken, 'after']);
  },
  60_000,
);
