import { checkBatch } from '../../../functions/check-message/check-batch';
import { holdFor } from '../../../functions/start-from-queue/hold';
import { startBatch } from '../../../functions/start-from-queue/start-batch';
import type { Answer, Invocation, QueueSubject } from './model';

/** The code of the two functions that is explored: the shipped one, or that of a mutant. */
export interface QueueCode {
  readonly startBatch: typeof startBatch;
  readonly holdFor: typeof holdFor;
  readonly checkBatch: typeof checkBatch;
}

/** The code as it is deployed. */
export const SHIPPED: QueueCode = { startBatch, holdFor, checkBatch };

/** A call that a function waits for. */
export interface Call {
  /** Which of its calls, from 0. */
  readonly index: number;
  readonly service: 'start' | 'sendCheck' | 'read' | 'describe' | 'remove' | 'hide';
  readonly given: readonly unknown[];
}

/** How far a function has come: it waits for these calls, or has returned. */
export interface Advance {
  readonly waitsFor: readonly Call[];
  /** Whether its record of the queue comes again; undefined before it has returned. */
  readonly isKept?: boolean;
}

/**
 * The two functions, suspended at each call of a service. A function runs from its beginning with the answers that it
 * has so far; the same answers lead to the same calls, so each of these runs is made once.
 */
export class Functions {
  readonly #known = new Map<string, Advance>();

  constructor(
    private readonly subject: QueueSubject,
    private readonly code: QueueCode,
  ) {}

  /** How far an invocation comes with its answers. */
  async advance({ of, input, answers }: Invocation): Promise<Advance> {
    const key = JSON.stringify([of, input, answers]);
    const known = this.#known.get(key);
    if (known) return known;
    const advance = await this.#run(of, input, answers);
    this.#known.set(key, advance);
    return advance;
  }

  async #run(of: Invocation['of'], input: string, answers: readonly Answer[]): Promise<Advance> {
    const calls: Call[] = [];
    const call = (service: Call['service'], ...given: readonly unknown[]): Promise<never> => {
      const index = calls.length;
      calls.push({ index, service, given });
      const answer = answers[index] ?? null;
      if (answer === null) return new Promise(() => undefined);
      return 'error' in answer
        ? Promise.reject(Object.assign(new Error(), { name: answer.error }))
        : (Promise.resolve(answer.value) as Promise<never>);
    };
    let isKept: boolean | undefined;
    const batch = { Records: [JSON.parse(input)] };
    const returned = of === 'start' ? this.#start(batch, call) : this.#check(batch, call);
    const ended = returned.then(answer => {
      const { batchItemFailures: kept } = answer as { readonly batchItemFailures: readonly object[] };
      isKept = kept.length > 0;
    });
    // Work that is left after all microtasks waits for a service.
    await Promise.race([ended, new Promise(setImmediate)]);
    const waitsFor = calls.filter(({ index }) => (answers[index] ?? null) === null);
    return isKept === undefined ? { waitsFor } : { waitsFor, isKept };
  }

  #start(batch: Parameters<QueueCode['startBatch']>[0], call: Caller): Promise<object> {
    const postpone = (handle: string, seconds: number) => call('hide', 'source', handle, seconds);
    const hold = this.code.holdFor(this.subject.checkAfterSeconds, postpone, (message, seconds) =>
      call('sendCheck', JSON.stringify(message), seconds),
    );
    const start = (input: string) => call('start', input);
    return this.code.startBatch(batch, {
      start,
      postpone,
      hold,
      complain: () => undefined,
      chance: () => 0.5,
    });
  }

  #check(batch: Parameters<QueueCode['checkBatch']>[0], call: Caller): Promise<object> {
    const services = {
      read: (recordKey: string) => call('read', recordKey),
      describe: (arn: string) => call('describe', arn),
      remove: (handle: string) => call('remove', handle),
      hide: (queue: string, handle: string, seconds: number) => call('hide', queue, handle, seconds),
    };
    const { checkAfterSeconds, stepSeconds } = this.subject;
    const options = { services, checkAfterSeconds, stepSeconds, tell: () => undefined };
    return this.code.checkBatch(batch, options);
  }
}

type Caller = (service: Call['service'], ...given: readonly unknown[]) => Promise<never>;
