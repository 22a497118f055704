import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { STATE } from '../../state-machine/contract/state-names';
import { valueOfText } from '../text';

/** One visit of one state, until it was left, the execution ended, or it was redriven. */
export interface StateVisit {
  /** The state's name without the prefix of the workflow; today's name, if it was another one. */
  readonly name: string;
  /** False for a state that is not one of the workflow's own. */
  readonly isOurs: boolean;
  readonly enteredAt: Date;
  /** True for a Fail state, which is where an execution ends. */
  readonly isFail: boolean;
  /** True where a redrive has brought the execution back into the state. */
  readonly isRedriven: boolean;
  exitedAt?: Date;
  /** Variables that were assigned when the state was left, as far as the history has them: it may leave them out. */
  variables: Readonly<Record<string, unknown>>;
  /** Whether its last try succeeded; undefined for a state without tries, and while the first is under way. */
  hasSucceeded?: boolean;
  /** Failed tries, in order. */
  readonly failures: { readonly at: Date; readonly error: string; readonly cause: string }[];
  /** What the task was called with, last. */
  request?: unknown;
  /** JSON text of what the state gave on. */
  output?: string;
}

/** Names of the workflow's states; all others are the user's, or those of another version. */
const OUR_STATES: ReadonlySet<string> = new Set(Object.values(STATE));

/** A part of a history: a visit of a state, or what happened to the execution as a whole. */
export type HistoryPart =
  | { readonly kind: 'visit'; readonly visit: StateVisit }
  | { readonly kind: 'redriven'; readonly at: Date; readonly count: number | undefined }
  | {
      readonly kind: 'ended';
      readonly at: Date;
      readonly status: string;
      readonly error: string;
      readonly cause: string;
      /** The state it was in, if it had not left it. */
      readonly within: StateVisit | undefined;
    };

/** What a history says, in order. States inside of the business step belong to the user, and are left out. */
export interface ExecutionHistory {
  readonly parts: readonly HistoryPart[];
  /** The visits of states among the parts. */
  readonly visits: readonly StateVisit[];
}

/** What the events of a history say; `prefix` stands before the names of the workflow's states. */
export function historyIn(events: readonly HistoryEvent[], prefix: string): ExecutionHistory {
  const reader = new Reader(prefix);
  for (const event of events) reader.read(event);
  const { parts } = reader;
  return { parts, visits: parts.flatMap(part => (part.kind === 'visit' ? [part.visit] : [])) };
}

class Reader {
  readonly parts: HistoryPart[] = [];
  readonly #prefix: string;
  #open: StateVisit | undefined;

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
    const isWithinStep = this.#open?.name === STATE.step && !isOurs;
    if (!isWithinStep) this.#begin({ name, isOurs, isFail, enteredAt: at, isRedriven: false });
  }

  #begin(begun: Pick<StateVisit, 'name' | 'isOurs' | 'isFail' | 'enteredAt' | 'isRedriven'>): void {
    const visit: StateVisit = { ...begun, variables: {}, failures: [] };
    this.#open = visit;
    this.parts.push({ kind: 'visit', visit });
  }

  #exit(details: NonNullable<HistoryEvent['stateExitedEventDetails']>, at: Date): void {
    const visit = this.#open;
    if (visit === undefined || visit.name !== this.#nameOf(details.name ?? '').name) return;
    visit.exitedAt = at;
    if (details.output !== undefined) visit.output = details.output;
    const assigned = Object.entries(details.assignedVariables ?? {});
    visit.variables = Object.fromEntries(assigned.map(([name, text]) => [name, valueOfText(text)]));
    this.#open = undefined;
  }

  #redrive(at: Date, count: number | undefined): void {
    this.parts.push({ kind: 'redriven', at, count });
    // Step Functions does not record again that the state was entered.
    const last = this.parts.findLast(one => one.kind === 'visit');
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
    const { error = '', cause = '' } = details ?? {};
    this.parts.push({ kind: 'ended', at, status, error, cause, within: this.#open });
    this.#open = undefined;
  }

  #try(event: HistoryEvent, at: Date): void {
    const visit = this.#open;
    if (visit === undefined) return;
    const failure = Object.entries(event).find(([name]) => FAILURE.test(name))?.[1] as
      | { readonly error?: string; readonly cause?: string }
      | undefined;
    if (/Succeeded$/.test(event.type ?? '')) visit.hasSucceeded = true;
    if (failure) {
      const { error = '', cause = '' } = failure;
      visit.failures.push({ at, error, cause });
      visit.hasSucceeded = false;
    }
    const { parameters } = event.taskScheduledEventDetails ?? {};
    if (parameters !== undefined) visit.request = valueOfText(parameters);
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

/** Members of an event about a try that failed, whatever was called. */
const FAILURE =
  /^(?:task|lambdaFunction|evaluation)(?:Failed|TimedOut|StartFailed|ScheduleFailed|SubmitFailed)EventDetails$/;
