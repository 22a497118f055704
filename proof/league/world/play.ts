import type { VirtualClock, WorkTracker } from '@onceflow/local';
import type { MarkName } from '../../lanes/lanes';
import type { Fault, Schedule } from '../schedule';

/** An event as a contender gets it. */
export interface Order {
  readonly key: string;
  readonly amount: number;
  /** Which of the schedule's deliveries it came with; undefined for an event beside. */
  readonly delivery: number | undefined;
}

/** One run of the business effect: it cannot be undone or hidden. */
export interface Effect {
  readonly key: string;
  readonly at: number;
  readonly amount: number;
  /** What the provider answered: which of its charges it is. */
  readonly result: string;
}

/**
 * The answers of a delivery, one for each try. An answer is the step's result of its own run, that of a duplicate (with
 * the result, if the contender gives one), a key in use, another payload, or an error. By HTTP a request can also be
 * accepted without a result.
 */
export interface Answer {
  readonly delivery: number | undefined;
  readonly key: string;
  readonly at: number;
  readonly kind: 'result' | 'duplicate' | 'rejected' | 'mismatch' | 'failed' | 'accepted';
  readonly result?: string | undefined;
  /** How the record contradicts the answer; undefined if it does not, or is not compared. */
  readonly contradiction?: string | undefined;
}

/** Something that happened, for people: in which lane of a chart, and with which mark. */
export interface Step {
  /** Milliseconds since the schedule began. */
  readonly at: number;
  readonly lane: 'deliveries' | 'calls' | 'provider' | 'elsewhere';
  readonly mark: MarkName;
  readonly text: string;
}

/** A call that the processing of an event makes, and what its faults come to. */
export interface CallSite<Result> {
  /** For people, such as `PutItem`. */
  readonly name: string;
  readonly isEffect: boolean;
  /** Whether it is of the table, which may be out. */
  readonly isTable: boolean;
  readonly make: () => Promise<Result>;
  readonly rejected: () => Result | Promise<Result>;
  readonly answerLost: () => Result | Promise<Result>;
  readonly killed: () => Promise<Result>;
  /** What it comes to if its process is suspended before or after it; undefined where there is no process. */
  readonly frozen: ((how: Freeze) => Promise<Result>) | undefined;
}

/** How a process is suspended: before the call is made, or when it has been. */
export interface Freeze {
  readonly isBefore: boolean;
  readonly ms: number;
  /** To be called when it goes on. */
  readonly wakes: () => void;
}

/** How long a call of the table takes, and the business effect, in milliseconds. */
const CALL_MS = 5;
const EFFECT_MS = 1000;

/** The amount of every order, unless its payload is another one. */
export const AMOUNT = 100;
/** The amount of an order with another payload under the same key. */
export const OTHER_AMOUNT = 200;

/** One schedule while it is played: it decides about each call, and writes down what happens. */
export class Play {
  readonly effects: Effect[] = [];
  readonly answers: Answer[] = [];
  readonly steps: Step[] = [];
  /** Whether a delivery still waited for its answer in the end. */
  isWaiting = false;
  /** When the last fault was over, epoch milliseconds. */
  lastFaultAt: number;
  #calls = 0;
  #effectCalls = 0;
  #failuresLeft: number;

  constructor(
    readonly schedule: Schedule,
    readonly key: string,
    private readonly clock: VirtualClock,
    private readonly work: WorkTracker,
  ) {
    this.startedAt = clock.now();
    this.lastFaultAt = this.startedAt;
    this.#failuresLeft = schedule.failures ?? Number.POSITIVE_INFINITY;
    if (schedule.outage) this.lastFaultAt += schedule.outage[1] * 1000;
  }

  readonly startedAt: number;

  /** Whether the step fails this time, before its effect. */
  takeFailure(key: string): boolean {
    if (key !== this.key || this.#failuresLeft === 0) return false;
    this.#failuresLeft -= 1;
    this.lastFaultAt = Math.max(this.lastFaultAt, this.clock.now());
    this.note('calls', 'fault', 'the step fails before its effect');
    return true;
  }

  /** Makes a call for an event, with the fault that the schedule has for it. */
  async call<Result>(key: string, site: CallSite<Result>): Promise<Result> {
    await this.work.pause(this.clock, site.isEffect ? EFFECT_MS : CALL_MS);
    const number = this.#number(key, site);
    const name = site.isEffect ? 'the business effect' : site.name;
    if (site.isTable && this.#isOut()) {
      this.note('calls', 'fault', `call ${number}: ${name}: rejected, as the table is out`, key);
      return site.rejected();
    }
    const fault = key === this.key ? this.#faultAt(number, site.isEffect) : undefined;
    if (fault === undefined || (isFreeze(fault) && !site.frozen)) {
      this.note('calls', 'step', `call ${number}: ${name}`, key);
      return site.make();
    }
    this.note(
      'calls',
      'fault',
      `call ${number}: ${name}: ${WORDS[fault.kind]}${isFreeze(fault) ? ` for ${fault.seconds} s` : ''}`,
    );
    return this.#faulty(site, fault);
  }

  async #faulty<Result>(site: CallSite<Result>, { kind, seconds }: Fault): Promise<Result> {
    this.lastFaultAt = Math.max(this.lastFaultAt, this.clock.now() + seconds * 1000);
    switch (kind) {
      case 'rejected':
        return site.rejected();
      case 'answerLost':
        await site.make();
        return site.answerLost();
      case 'killedBefore':
        return site.killed();
      case 'killedAfter':
        await site.make();
        return site.killed();
      case 'frozenBefore':
      case 'frozenAfter':
        return this.#frozen(site, {
          isBefore: kind === 'frozenBefore',
          ms: seconds * 1000,
          wakes: () => this.note('calls', 'step', 'the suspended process goes on'),
        });
    }
  }

  #frozen<Result>({ frozen, make }: CallSite<Result>, how: Freeze): Promise<Result> {
    return frozen === undefined ? make() : frozen(how);
  }

  /** The effect itself. The caller learns the number of the provider's charge. */
  effect({ key, amount }: Pick<Order, 'key' | 'amount'>): string {
    const result = `charge-${this.effects.length + 1}`;
    this.effects.push({ key, amount, result, at: this.clock.now() });
    this.note('provider', 'charged', `the provider charges ${amount}: ${result}`, key);
    return result;
  }

  answered(
    { key, delivery }: Pick<Order, 'key' | 'delivery'>,
    kind: Answer['kind'],
    result?: string,
    contradiction?: string,
  ): void {
    this.answers.push({ delivery, key, kind, result, contradiction, at: this.clock.now() });
    const which = delivery === undefined ? 'the event beside' : `delivery ${delivery + 1}`;
    const mark = kind === 'result' || kind === 'duplicate' ? 'answered' : 'rejected';
    const isWrong = contradiction === undefined ? '' : `, and ${contradiction}`;
    const text = `${which} is answered: ${kind}${result === undefined ? '' : ` ${result}`}${isWrong}`;
    this.note('deliveries', mark, text, key);
  }

  note(lane: Step['lane'], mark: MarkName, text: string, key: string = this.key): void {
    const whose = key === this.key ? '' : `${key}: `;
    this.steps.push({ at: this.clock.now() - this.startedAt, lane, mark, text: `${whose}${text}` });
  }

  #number(key: string, { isEffect }: Pick<CallSite<unknown>, 'isEffect'>): number {
    if (key !== this.key) return 0;
    if (isEffect) this.#effectCalls += 1;
    this.#calls += 1;
    return this.#calls;
  }

  #faultAt(number: number, isEffect: boolean): Fault | undefined {
    return this.schedule.faults.find(
      ({ call }) => call === number || (call === 'effect' && isEffect && this.#effectCalls === 1),
    );
  }

  #isOut(): boolean {
    const { outage } = this.schedule;
    if (outage === undefined) return false;
    const at = (this.clock.now() - this.startedAt) / 1000;
    return at >= outage[0] && at < outage[1];
  }
}

function isFreeze({ kind }: Fault): boolean {
  return kind === 'frozenBefore' || kind === 'frozenAfter';
}

const WORDS: Readonly<Record<Fault['kind'], string>> = {
  rejected: 'rejected',
  answerLost: 'carried out, and its answer is lost',
  killedBefore: 'the process is killed before it',
  killedAfter: 'carried out, and the process is killed',
  frozenBefore: 'the process is suspended before it',
  frozenAfter: 'carried out, and the process is suspended',
};
