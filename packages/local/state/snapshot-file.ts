import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DamagedState } from './damage';

/** One JSON value in a file of its own. */
export class SnapshotFile {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** What was saved last. @throws DamagedState where it is no JSON, or the file system's error */
  load(): unknown {
    const text = readFileSync(this.file, 'utf8');
    try {
      return JSON.parse(text);
    } catch (error) {
      const reason = text === '' ? 'it is empty' : (error as { readonly message?: string }).message;
      throw new DamagedState([`${this.file} is no JSON: ${reason}`]);
    }
  }

  /** Replaces what was saved, before it returns. A crash leaves the one or the other. */
  save(snapshot: unknown): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(snapshot));
    renameSync(`${this.file}.new`, this.file);
  }
}
