import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The repository, in a folder of its own, as it was at some revision. */
export interface Checkout {
  readonly folder: string;
  close(): Promise<void>;
}

const REPOSITORY = path.join(__dirname, '../../..');
const MEASURES = 'proof/bench/measures';
const ARCHIVE_BYTES_MAX = 2 ** 30;

/**
 * The sources of a revision in a temporary folder, with the measuring programs and the packages of today: what is
 * measured at both is measured alike.
 *
 * @throws Error with what git says, where it does not know the revision
 */
export async function checkOut(revision: string): Promise<Checkout> {
  const folder = await mkdtemp(path.join(tmpdir(), 'onceflow-bench-against-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const run = promisify(execFile);
    const archive = path.join(folder, 'sources.tar');
    const { stdout } = await run('git', ['archive', '--format=tar', revision], {
      cwd: REPOSITORY,
      encoding: 'buffer',
      maxBuffer: ARCHIVE_BYTES_MAX,
    });
    await writeFile(archive, stdout);
    const sources = path.join(folder, 'sources');
    await mkdir(sources);
    await run('tar', ['-xf', archive, '-C', sources]);
    await rm(path.join(sources, MEASURES), { recursive: true, force: true });
    await cp(path.join(REPOSITORY, MEASURES), path.join(sources, MEASURES), { recursive: true });
    await symlink(path.join(REPOSITORY, 'node_modules'), path.join(sources, 'node_modules'));
    return { folder: sources, close };
  } catch (error) {
    await close();
    const { stderr } = error as { readonly stderr?: Buffer | string };
    throw new Error(`${revision} cannot be checked out: ${String(stderr ?? error).trim()}`);
  }
}
