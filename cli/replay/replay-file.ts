import type { ReplayReport } from '@onceflow/local';
import type { Local } from '../app/installed';
import { textOfFile } from '../input-file';
import { Rejection } from '../program/rejection';
import type { Terminal } from '../terminal';
import type { Candidate } from './definitions';

/** A file with a history, and how its replay came out. */
export interface ReplayedFile {
  readonly file: string;
  readonly report: ReplayReport;
  /** The program itself failed on it. */
  readonly isFault?: true;
}

/** How the replay of a file came out. An error at this file, a fault of ours included, is part of that. */
export async function replayFile(
  file: string,
  reportOf: (text: string) => ReplayReport,
  terminal: Pick<Terminal, 'readInput'>,
): Promise<ReplayedFile> {
  const notReplayed = (reason: string): ReplayedFile => ({
    file,
    report: { kind: 'notReplayed', subject: 'history', reason },
  });
  let text: string;
  try {
    text = file === '-' ? await terminal.readInput() : textOfFile(file);
  } catch (error) {
    if (error instanceof Rejection) return notReplayed(error.message);
    throw error;
  }
  try {
    return { file, report: reportOf(text) };
  } catch (error) {
    return { ...notReplayed(`internal error: ${(error as Error).message}`), isFault: true };
  }
}

/** The report on a history, replayed against the definition that its states belong to. */
export function reportOn(history: string, candidates: readonly Candidate[], local: Local): ReplayReport {
  const reports = candidates.map(({ name, ...candidate }) => ({
    name,
    report: local.replayHistory({ ...candidate, history }),
  }));
  const ranked = reports.toSorted((left, right) => strangeness(left.report) - strangeness(right.report));
  const [first, ...others] = ranked;
  if (!first) throw new Error('no definition to replay against');
  const alike = others.filter(({ report }) => strangeness(report) === strangeness(first.report));
  if (alike.length === 0 || first.report.kind === 'notReplayed') return first.report;
  const names = [first, ...alike].map(({ name }) => name).join(', ');
  const reason = `it could belong to several state machines of the app: ${names}. Pass --state-machine`;
  return { kind: 'notReplayed', subject: 'match', reason };
}

/** How little a history seems to be one of a definition. */
function strangeness(report: ReplayReport): number {
  if (report.kind !== 'notReplayed') return report.unknownStates.length;
  return { history: -1, definition: 1e6, match: 2e6 }[report.subject];
}
