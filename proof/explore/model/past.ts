/** What the invariants have to remember of a key since its record was absent or expired. */
export interface Past {
  /** The runs of the step whose success came to their execution, of all retentions; others were interrupted, or failed. */
  readonly successes: readonly Run[];
  /** How many of them there may be by now. */
  readonly allowed: number;
  /** Results that a record has stood for, as their texts, the last two. */
  readonly results: readonly string[];
  /** When a record became COMPLETED last, epoch milliseconds; absent: none has. */
  readonly completedAt?: number;
  /** The executions that have written them. */
  readonly finishers: readonly number[];
  /** The payload that the key was claimed with. */
  readonly payload: number | null;
  readonly lastRun: LastRun | undefined;
  /**
   * How many runs of the step may have had their effect: they have begun, and did not answer with their failure.
   * Undefined if it may run again for that.
   */
  readonly mayHaveRun: number | undefined;
  /** Whether an operator has redriven an execution that was interrupted in its step: it runs once more. */
  readonly isAllowedAgain?: true;
  /** If failures are sent: what the record says has been sent, at least once. */
  readonly isFailureSent?: true;
  /** If results are sent: that of the record has been sent, at least once. */
  readonly isResultSent?: true;
  /** An operator releases the record: holds it first, and writes it when no redrive can be on its way any more. */
  readonly releasing?: Releasing;
  /** The answers of steps that executions got, as long as a redrive may lead to another end. */
  readonly heard?: readonly Heard[];
  /** In a fragment: the entry whose write has made its execution the owner of the record. */
  readonly claimant?: number;
  /** Executions that a redelivery has started, or a recovery for one of these. */
  readonly redelivered?: readonly Redelivered[];
  /** Since when executions wait for an owner, epoch milliseconds, and how often they had been redriven. */
  readonly waiting?: readonly Waiting[];
}

/** How the step of an execution has ended, by the index of its entry. */
export interface Heard {
  readonly execution: number;
  /** Undefined: it has succeeded. */
  readonly error: string | undefined;
  /** If ends are sent: what the record has said then, and with which attempt. */
  readonly status?: string;
  readonly attempt?: number;
}

/** An execution that is a redelivery, by its index. */
export interface Redelivered {
  readonly execution: number;
  /** The failed execution that it was delivered for: itself, if a recovery has delivered it. */
  readonly of: number;
  /** How often the event was delivered again because its step had failed, this time included. */
  readonly times: number;
}

/** A release that is under way. */
export interface Releasing {
  /** When the record was held, epoch milliseconds. */
  readonly since: number;
  /** How often its owner had been redriven then. */
  readonly redrives: number;
  /** What the record said before: it is written back if the owner was redriven meanwhile. */
  readonly status: string;
  readonly error?: string;
  /** True if the operator completes the key instead: the step has taken effect. */
  readonly isCompletion?: true;
}

/** An execution that waits for the owner of its key, by its index. */
export interface Waiting {
  readonly execution: number;
  readonly redrives: number;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Which run of the step it is: whose, by its index, and with which fencing token. */
export interface Run {
  readonly execution: number;
  readonly attempt: number;
}

/** The last run of the step. */
export interface LastRun extends Run {
  /** How often its execution had been redriven. */
  readonly redrives: number;
  /** If a step is retried: how often it has been within its attempt, and that it has failed again. */
  readonly retries?: number;
  readonly hasFailed?: true;
  /** Its execution has heard of its end. */
  readonly isTold?: true;
  /** At most once: an operator has let it run, after one that was interrupted. */
  readonly isAllowedAgain?: true;
}

/** The memory in which an execution got no answer of its step. */
export function withoutHeard(past: Past, execution: number): Past {
  if (!past.heard) return past;
  const { heard, ...rest } = past;
  const others = heard.filter(other => other.execution !== execution);
  return others.length === 0 ? rest : { ...rest, heard: others };
}

/**
 * The memory with its executions, or entries, at other places. Of lists whose order says nothing, the elements come in
 * the order of their places.
 */
export function movedPast(past: Past, placeOf: (entry: number) => number): Past {
  const { successes, finishers, lastRun, claimant, waiting, heard, redelivered, ...others } = past;
  const placed = <Of extends { readonly execution: number }>(each: Of): Of => {
    return { ...each, execution: placeOf(each.execution) };
  };
  const inOrder = <Of extends { readonly execution: number }>(list: readonly Of[]) =>
    list.map(placed).sort((a, b) => a.execution - b.execution);
  return {
    ...others,
    successes: successes.map(placed),
    finishers: finishers.map(placeOf),
    lastRun: lastRun && placed(lastRun),
    ...(claimant !== undefined && { claimant: placeOf(claimant) }),
    ...(waiting && { waiting: inOrder(waiting) }),
    ...(heard && { heard: inOrder(heard) }),
    ...(redelivered && {
      redelivered: inOrder(redelivered.map(each => ({ ...each, of: placeOf(each.of) }))),
    }),
  };
}
