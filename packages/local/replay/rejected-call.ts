import { RUNTIME_ERROR } from '../engine/index';
import type { RecordedEvent } from './recording';

/**
 * Why a call was not made where an execution ended for its parameters; undefined for any other event. Empty where the
 * cause is so long that the recording has only its beginning.
 */
export function rejectionIn({ type, details }: RecordedEvent): string | undefined {
  if (type !== 'ExecutionFailed' || details['error'] !== RUNTIME_ERROR) return undefined;
  const cause = String(details['cause']);
  if (!/The (?:Parameters|Arguments) '/.test(cause)) return undefined;
  return /could not be used to start the Task: \[([\s\S]*)\]$/.exec(cause)?.[1] ?? '';
}

/** The calls of a recording that were rejected, by what they follow. */
export class Rejections {
  readonly #rejected: readonly RecordedEvent[];
  /** The redrives of the execution, by id. */
  readonly #redriven: readonly number[];

  constructor(events: readonly RecordedEvent[]) {
    this.#rejected = events.filter(event => rejectionIn(event) !== undefined);
    this.#redriven = events.filter(isRedrive).map(({ id }) => id);
  }

  /** The rejection of the call that is made when this happens; undefined where none is made, or it was taken. */
  behind(event: RecordedEvent): RecordedEvent | undefined {
    if (this.#rejected.length === 0) return undefined;
    // States that begin again with a redrive follow what they followed before it.
    const next = this.#redriven.find(id => id > event.id) ?? Number.POSITIVE_INFINITY;
    return this.#rejected.find(({ id, previousEventId: previous }) => {
      const follows = previous === event.id || (isRedrive(event) && previous < event.id && id > event.id);
      return id < next && (id === event.id || follows);
    });
  }
}

function isRedrive({ type }: RecordedEvent): boolean {
  return type === 'ExecutionRedriven';
}
