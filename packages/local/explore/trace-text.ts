import type { Execution } from '../engine/index';
import type { JobResult } from '../runtime/calls/service';
import { numbered } from './kernel/index';
import type { ModelState } from './state';
import type { ModelStep } from './steps';

/** Characters of what a call is answered, and of how an execution has ended: Step Functions has long sentences. */
const ANSWER_CHARACTERS_MAX = 160;
const END_CHARACTERS_MAX = 320;

/** What happened, step by step, the problem, and how each execution stands then, a line each. */
export function traceText(steps: readonly ModelStep[], { executions }: ModelState, message: string): string {
  const lines = steps.map(({ name, result }) =>
    result === undefined ? [name] : [name, bounded(answerOf(result), ANSWER_CHARACTERS_MAX)],
  );
  const ends = executions.map(({ number, execution }) => `     execution ${number}: ${endOf(execution)}`);
  return [...numbered(lines), `  => ${message}`, ...ends].join('\n');
}

/** How an execution stands: its status, and the error and cause that it has ended with. One line, bounded. */
export function endOf({ status, end }: Execution): string {
  if (end?.error === undefined) return status;
  return bounded(`${status} ${failure(end.error, end.cause)}`, END_CHARACTERS_MAX);
}

function answerOf(result: JobResult): string {
  return result.kind === 'succeeded'
    ? `answers ${JSON.stringify(result.output)}`
    : `fails with ${failure(result.error, result.cause)}`;
}

function failure(error: string, cause = ''): string {
  // What the SDK adds to the message of a service says nothing more.
  const short = cause.replace(/ \(Service: .*$/s, '');
  return short === '' ? error : `${error}: ${short}`;
}

/** One line, that says where it is cut off. */
function bounded(text: string, charactersMax: number): string {
  const line = text.replace(/\s+/g, ' ');
  const cut = line.slice(0, charactersMax - 1).replace(/[\ud800-\udbff]$/, '');
  return line.length <= charactersMax ? line : `${cut}…`;
}
