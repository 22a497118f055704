/** What a run of random requests came to. */
export interface FuzzReport {
  requests: number;
  seconds: number;
  /** Answers by their status. */
  answered: Record<string, number>;
  /** Requests that were carried out, by what they were about: an operation that is not here was never reached. */
  accepted: Record<string, number>;
  /** Requests that wait for something, and whose answer was not waited for any longer. */
  timedOut: number;
  /** Requests whose connection ended without an answer. */
  broken: number;
  /** Executions that no request is about, and that went on beside them. */
  checks: number;
  slowestCheckMs: number;
  /** The most memory that a process of the stack had in its end, where the system tells. */
  residentMegabytes: number;
  /** The first of what must not happen. */
  readonly wrong: string[];
  wrongCount: number;
}

/** A report of a run that has not begun. */
export function newReport(): FuzzReport {
  return {
    requests: 0,
    seconds: 0,
    answered: {},
    accepted: {},
    timedOut: 0,
    broken: 0,
    checks: 0,
    slowestCheckMs: 0,
    residentMegabytes: 0,
    wrong: [],
    wrongCount: 0,
  };
}

/** The report as lines for a person. */
export function renderReport(report: FuzzReport, seed: number): string {
  const answers = Object.entries(report.answered).map(([status, count]) => `${count} with ${status}`);
  const rows: readonly (readonly [string, string])[] = [
    ['requests', `${report.requests} (seed ${seed})`],
    ['answers', answers.join(', ') || 'none'],
    ['timed out', `${report.timedOut} after five seconds, which wait for something`],
    ['broken', `${report.broken}`],
    ['other executions', `${report.checks}, the slowest took ${report.slowestCheckMs} ms`],
    ['memory', report.residentMegabytes > 0 ? `${report.residentMegabytes} MB in the end` : 'not known'],
    ['time', `${report.seconds} s`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return [...lines, '', ...verdictOn(report), ''].join('\n');
}

function verdictOn({ wrong, wrongCount }: FuzzReport): string[] {
  if (wrongCount === 0) {
    return [
      'ok: the stack answered everything, no answer was an error of the server, and the others went on',
    ];
  }
  const more = wrongCount - wrong.length;
  return [
    `FAILED: ${wrongCount} times`,
    ...wrong.map(what => `  ${what}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
