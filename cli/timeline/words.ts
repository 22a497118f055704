import type { Visit } from '../key/history';
import { failureInWords } from '../key/record';
import { QUOTED_MAX, shortened } from '../text';
import { duration } from '../time-text';
import type { Chapter, EntryKind } from './events';

/** What became of the business step: its result, its error, or that it was cut off. */
export function businessStep(visit: Visit, chapter: Chapter): readonly [EntryKind, string] {
  const attempt = attemptIn(visit) ?? chapter.attempt;
  const again = visit.isRedriven ? ' again' : '';
  const as = attempt === undefined ? '' : `, attempt ${attempt}`;
  if (visit.exitedAt === undefined) return ['ran', `began the step${again}${as}${lastFailure(visit)}`];
  const took = duration(visit.exitedAt.getTime() - visit.enteredAt.getTime());
  const failure = visit.variables['failure'] as
    | { readonly Error?: string; readonly Cause?: string }
    | undefined;
  if (failure !== undefined) {
    chapter.failure = { error: failure.Error ?? '', cause: failure.Cause ?? '' };
    const said = failureInWords(chapter.failure);
    return ['ran', `ran the step${again}${as}: it failed after ${took} with ${shortened(said, QUOTED_MAX)}`];
  }
  const retried = visit.failures.length === 0 ? '' : `, at try ${visit.failures.length + 1}`;
  const result = shortened(visit.output ?? 'nothing', QUOTED_MAX);
  return ['ran', `ran the step${again}${as}${retried}: it returned after ${took} ${result}`];
}

/** The last error of a state that was not left in peace. */
export function lastFailure({ failures }: Visit): string {
  const last = failures.at(-1);
  if (last === undefined) return '';
  const times = failures.length > 1 ? ` (${failures.length} tries)` : '';
  return `: ${shortened(failureInWords(last), QUOTED_MAX)}${times}`;
}

/** `1 day`, `2 days`. */
export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function attemptIn({ request }: Visit): number | undefined {
  const payload = (request as { readonly Payload?: { readonly attempt?: unknown } } | undefined)?.Payload;
  return typeof payload?.attempt === 'number' ? payload.attempt : undefined;
}
