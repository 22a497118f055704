import type { FolderReport, Report } from './report';

/** The report for people: a line per folder with the reasons of its skips, then the failures. */
export function renderReport(report: Report): string {
  const width = Math.max(...report.folders.map(({ folder }) => folder.length), TOTAL.length);
  const folders = report.folders.flatMap(folder => renderFolder(folder, width));
  const total = countsLine(TOTAL, report, width);
  const failures = report.failures.flatMap(({ file, path, message, expected, actual }) => [
    '',
    `${file}`,
    `  ${path} ${message}`,
    ...(expected === undefined ? [] : [`    expected  ${shown(expected)}`]),
    ...(actual === undefined ? [] : [`    actual    ${shown(actual)}`]),
  ]);
  return [
    ...folders,
    ...(report.folders.length > 1 ? [total] : []),
    `  ${report.seconds} s`,
    ...failures,
    '',
  ].join('\n');
}

const TOTAL = 'all';

function renderFolder(report: FolderReport, width: number): string[] {
  const indent = ' '.repeat(width + 4);
  const reasons = Object.entries(report.skips).map(
    ([reason, count]) => `${indent}${count} skipped for ${reason}`,
  );
  return [countsLine(report.folder, report, width), ...reasons];
}

function countsLine(
  name: string,
  { passed, failed, skipped }: Pick<Report, 'passed' | 'failed' | 'skipped'>,
  width: number,
): string {
  return `  ${name.padEnd(width)}  ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Characters of a value that are enough to see what it is; `--json` has the whole of it. */
const SHOWN_CHARACTERS = 400;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
