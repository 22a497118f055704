import type { HistoryEvent } from '@aws-sdk/client-sfn';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  FAILS_AFTER_THE_STEP,
  REFUSALS_BEFORE_THE_STEP,
  STEP_STATE,
  STORED_ANSWERS,
} from '../../state-machine/contract/state-names';

/** One stay in one state, until it was left, the execution ended, or it was redriven. */
export interface Visit {
  /** The state's name without the prefix of the workflow. */
  readonly name: string;
  /** False for a state that is not one of the workflow's own. */
  readonly isOurs: boolean;
  readonly enteredAt: Date;
  /** True for a Fail state, which is where an execution ends. */
  readonly isFail: boolean;
  /** True where a redrive has brought the execution back into the state. */
  readonly isRedriven: boolean;
  exitedAt?: Date;
  /** Variables that were assigned when the state was left. */
  variables: Readonly<Record<string, unknown>>;
  /** True where a try of it succeeded: what was left without one was left by an error. */
  hasSucceeded?: boolean;
  /** Failed tries, in order. */
  readonly failures: { readonly at: Date; readonly error: string; readonly cause: string }[];
  /** What the task was called with, last. */
  request?: unknown;
  /** JSON text of what the state gave on. */
  output?: string;
}

/** Names of the workflow's states; all others are the user's, or of another version. */
const OUR_STATES: ReadonlySet<string> = new Set([
  ...BEFORE_THE_STEP,
  ...REFUSALS_BEFORE_THE_STEP,
  ...STORED_ANSWERS,
  STEP_STATE,
  ...AFTER_THE_STEP,
  ...FAILS_AFTER_THE_STEP,
]);

/** How an execution went: the states it stayed in, and what befell the execution itself. In order. */
export type Happening =
  | { readonly kind: 'visit'; readonly visit: Visit }
  | { readonly kind: 'redriven'; readonly at: Date; readonly count: number }
  | {
      readonly kind: 'ended';
      readonly at: Date;
      readonly status: string;
      readonly error: string;
      readonly cause: string;
      /** The state it was in, if it had not left it. */
      readonly within: Visit | undefined;
    };

/** Reads a history. States inside of the business step are its own business and left out. */
export function happeningsIn(events: readonly HistoryEvent[], prefix: string): readonly Happening[] {
  const reader = new Reader(prefix);
  for (const event of events) reader.read(event);
  return reader.happenings;
}

/** The states alone. */
export function visitsIn(events: readonly HistoryEvent[], prefix: string): readonly Visit[] {
  return happeningsIn(events, prefix).flatMap(one => (one.kind === 'visit' ? [one.visit] : []));
}

class Reader {
  readonly happenings: Happening[] = [];
  readonly #prefix: string;
  #open: Visit | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  read(event: HistoryEvent): void {
    const at = event.timestamp ?? new Date(0);
    const { type = '' } = event;
    const { stateEnteredEventDetails: entered } = event;
    if (entered) this.#enter(entered.name ?? '', type === 'FailStateEntered', at);
    else if (event.stateExitedEventDetails) this.#exit(event.stateExitedEventDetails, at);
    else if (type === 'ExecutionRedriven')
      this.#redrive(at, event.executionRedrivenEventDetails?.redriveCount);
    else if (/^Execution(?:Succeeded|Failed|Aborted|TimedOut)$/.test(type)) this.#end(event, at);
    else this.#try(event, at);
  }

  #enter(fullName: string, isFail: boolean, at: Date): void {
    const { name, isOurs } = this.#nameOf(fullName);
    const isWithinStep = this.#open?.name === 'Business step' && !isOurs;
    if (!isWithinStep) this.#begin({ name, isOurs, isFail, enteredAt: at, isRedriven: false });
  }

  #begin(begun: Pick<Visit, 'name' | 'isOurs' | 'isFail' | 'enteredAt' | 'isRedriven'>): void {
    const visit: Visit = { ...begun, variables: {}, failures: [] };
    this.#open = visit;
    this.happenings.push({ kind: 'visit', visit });
  }

  #exit(details: NonNullable<HistoryEvent['stateExitedEventDetails']>, at: Date): void {
    const visit = this.#open;
    if (visit === undefined || visit.name !== this.#nameOf(details.name ?? '').name) return;
    visit.exitedAt = at;
    if (details.output !== undefined) visit.output = details.output;
    const assigned = Object.entries(details.assignedVariables ?? {});
    visit.variables = Object.fromEntries(assigned.map(([name, text]) => [name, valueIn(text)]));
    this.#open = undefined;
  }

  #redrive(at: Date, count: number | undefined): void {
    this.happenings.push({ kind: 'redriven', at, count: count ?? 1 });
    // The entry is not recorded again.
    const last = this.happenings.findLast(one => one.kind === 'visit');
    if (last?.kind !== 'visit' || last.visit.exitedAt !== undefined) return;
    const { name, isOurs, isFail } = last.visit;
    this.#begin({ name, isOurs, isFail, enteredAt: at, isRedriven: true });
  }

  #end(event: HistoryEvent, at: Date): void {
    const details =
      event.executionFailedEventDetails ??
      event.executionAbortedEventDetails ??
      event.executionTimedOutEventDetails;
    const status = STATUS_OF[event.type ?? ''] ?? String(event.type);
    this.happenings.push({
      kind: 'ended',
      at,
      status,
      error: details?.error ?? '',
      cause: details?.cause ?? '',
      within: this.#open,
    });
    this.#open = undefined;
  }

  #try(event: HistoryEvent, at: Date): void {
    const visit = this.#open;
    if (visit === undefined) return;
    const failure = Object.entries(event).find(([name]) => FAILURE.test(name))?.[1] as
      | { readonly error?: string; readonly cause?: string }
      | undefined;
    if (/Succeeded$/.test(event.type ?? '')) visit.hasSucceeded = true;
    if (failure) visit.failures.push({ at, error: failure.error ?? '', cause: failure.cause ?? '' });
    const { parameters } = event.taskScheduledEventDetails ?? {};
    if (parameters !== undefined) visit.request = valueIn(parameters);
  }

  #nameOf(fullName: string): { readonly name: string; readonly isOurs: boolean } {
    if (!fullName.startsWith(this.#prefix)) return { name: fullName, isOurs: false };
    const name = fullName.slice(this.#prefix.length);
    return OUR_STATES.has(name) ? { name, isOurs: true } : { name: fullName, isOurs: false };
  }
}

const STATUS_OF: Readonly<Record<string, string>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionAborted: 'ABORTED',
  ExecutionTimedOut: 'TIMED_OUT',
};

/** Members of an event that tell of a try that failed, whatever was called. */
const FAILURE =
  /^(?:task|lambdaFunction|evaluation)(?:Failed|TimedOut|StartFailed|ScheduleFailed|SubmitFailed)EventDetails$/;

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
