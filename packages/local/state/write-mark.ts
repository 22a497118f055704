import { readFileSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { DamagedState } from './damage';
import { sealed, unsealed } from './sealed';

const KEY = 'mark';

/**
 * The number of a write that the disk has, in a file beside the database: one that has lost its end knows nothing of
 * that.
 */
export class WriteMark {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Makes the file, for a database without a write. @throws the file system's error */
  create(): void {
    writeFileSync(this.#file, sealed(KEY, '0'));
  }

  /** @throws DamagedState where it is not what was written, or the file system's error */
  read(): number {
    const text = unsealed(KEY, readFileSync(this.#file, 'utf8'));
    if (text === undefined) throw new DamagedState([`${this.#file} is not what was written`]);
    return Number(text);
  }

  /** Replaces the number; a crash leaves the one or the other. Rejects with the file system's error. */
  async write(number: number): Promise<void> {
    await writeFile(`${this.#file}.new`, sealed(KEY, String(number)));
    await rename(`${this.#file}.new`, this.#file);
  }
}
