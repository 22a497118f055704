import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Session } from '../../../cli/commands/command';
import { verify } from '../../../cli/commands/verify';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-verify-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const session = (isAttended: boolean, shown: string[] = []): Session => ({
  env: {},
  ended: new AbortController().signal,
  terminal: {
    style: { width: 80, isColored: false },
    isAttended,
    say: () => undefined,
    progress: () => undefined,
    confirm: text => {
      shown.push(text);
      return Promise.resolve(false);
    },
    readInput: () => Promise.resolve(''),
  },
});

const run = (args: readonly string[], of: Session) => verify.read(args, {})?.run(of) ?? Promise.reject();
const EVIDENCE = ['--evidence', path.join(directory, 'evidence.json')];

test('no terminal and no --yes: rejected before anything is made', async () => {
  await expect(run(EVIDENCE, session(false))).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('--yes'),
  });
});

test('no: nothing is made; what would be made, and what it costs, was said', async () => {
  const shown: string[] = [];

  expect(await run(EVIDENCE, session(true, shown))).toMatchObject({ code: 1, json: { deployed: false } });
  expect(shown.join()).toMatch(/stack onceflow-verify .*below\s\$0\.\d\d/s);
});

test('a file that cannot be written: rejected before anything is made', async () => {
  const file = path.join(directory, 'nowhere', 'evidence.json');

  await expect(run(['--yes', '--evidence', file], session(false))).rejects.toMatchObject({ code: 2 });
});

test('--only of something unknown: rejected with the names there are', () => {
  expect(() => verify.read(['--only', 'nonsense'], {})).toThrow(/fresh-and-duplicate.*got nonsense/);
});
