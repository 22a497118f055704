import { closeSync, openSync, writeFileSync } from 'node:fs';
import { textOfFile } from '../input-file';
import { usage } from '../program/rejection';
import { valueOfText } from '../text';
import type { Row } from './rows';

/** A past answer, kept for a comparison with later answers. */
export interface Recording {
  /** When the last answer came, as an ISO 8601 date. */
  readonly recordedAt: string;
  /** Whose answers these are; null: AWS's. */
  readonly endpoint: string | null;
  readonly rows: readonly Row[];
}

/** A row that is answered in another way than it was; null: there is no such row. */
export interface Difference {
  readonly machine: string;
  readonly claim: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Writes a recording, as JSON with a line for each member. @throws Rejection for a file that cannot be written */
export function writeRecording(file: string, recording: Recording): void {
  try {
    writeFileSync(file, `${JSON.stringify(recording, null, 2)}\n`);
  } catch (error) {
    throw usage(`the recording cannot be written: ${(error as Error).message}`);
  }
}

/** Makes sure before a long piece of work that its answer can be written. @throws Rejection where it cannot */
export function requireWritable(file: string, what: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw usage(`${what} cannot be written: ${(error as Error).message}`);
  }
}

/** The recording in a file. @throws Rejection for a file that is not a recording */
export function readRecording(file: string): Recording {
  const recording = valueOfText(textOfFile(file, '--compare')) as Partial<Recording> | null;
  const { rows } = recording ?? {};
  if (Array.isArray(rows) && rows.every(isRow)) return recording as Recording;
  throw usage(`${file} is not a recording: onceflow validate --record FILE writes one`);
}

function isRow(row: Partial<Row> | null): row is Row {
  const texts = [row?.machine, row?.claim, row?.verdict, row?.detail];
  return texts.every(one => typeof one === 'string');
}

/** The answers that differ from those of a recording, in the order of the rows; last, the rows that are gone. */
export function differencesFrom(recording: Recording, rows: readonly Row[]): readonly Difference[] {
  const before = new Map(recording.rows.map(row => [nameOf(row), row]));
  const after = new Map(rows.map(row => [nameOf(row), row]));
  return [...new Map([...after, ...before])].flatMap(([name, { machine, claim }]) => {
    const [old, now] = [before.get(name), after.get(name)].map(row => (row ? answerOf(row) : null));
    return old === now ? [] : [{ machine, claim, before: old ?? null, after: now ?? null }];
  });
}

const nameOf = ({ machine, claim }: Row) => JSON.stringify([machine, claim]);
const answerOf = ({ verdict, detail }: Row) => (detail === '' ? verdict : `${verdict}: ${detail}`);
