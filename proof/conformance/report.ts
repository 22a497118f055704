import type { Difference } from './compare/difference';
import type { Outcome } from './outcome';

/** A case by its path, with its outcome. */
export interface CaseResult {
  readonly file: string;
  readonly outcome: Outcome;
}

/** How many cases of a folder came out how. */
export interface FolderReport {
  /** Path from the folder that was asked for; `.` is that folder itself. */
  readonly folder: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many were skipped for each reason, the commonest first. */
  readonly skips: Readonly<Record<string, number>>;
}

/** What a whole run came to. */
export interface Report {
  /** No case failed. */
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How long the program has been running. */
  readonly seconds: number;
  readonly folders: readonly FolderReport[];
  readonly failures: readonly ({ readonly file: string } & Difference)[];
}

/** The report on these results. */
export function reportOf(results: readonly CaseResult[], seconds: number): Report {
  const names = new Set(results.map(({ file }) => folderOf(file)));
  const folders = [...names].map(folder =>
    folderReport(
      folder,
      results.filter(({ file }) => folderOf(file) === folder),
    ),
  );
  const failures = results.flatMap(({ file, outcome }) =>
    outcome.kind === 'failed' ? [{ file, ...outcome.difference }] : [],
  );
  return {
    ok: failures.length === 0,
    passed: count(results, 'passed'),
    failed: failures.length,
    skipped: count(results, 'skipped'),
    seconds: Math.round(seconds * 100) / 100,
    folders,
    failures,
  };
}

function folderOf(file: string): string {
  return file.split('/').slice(0, -1).join('/') || '.';
}

function folderReport(folder: string, results: readonly CaseResult[]): FolderReport {
  const reasons = results.flatMap(({ outcome }) => (outcome.kind === 'skipped' ? [outcome.reason] : []));
  const counts = [...new Set(reasons)].map(
    reason => [reason, reasons.filter(other => other === reason).length] as const,
  );
  return {
    folder,
    passed: count(results, 'passed'),
    failed: count(results, 'failed'),
    skipped: reasons.length,
    skips: Object.fromEntries(counts.toSorted(([, a], [, b]) => b - a)),
  };
}

function count(results: readonly CaseResult[], kind: Outcome['kind']): number {
  return results.filter(({ outcome }) => outcome.kind === kind).length;
}
