import type { Interceptor, ServiceCall, ServiceResult } from '@onceflow/local';
import { seededIds } from '../../packages/local/runtime/ids';
import type { Answer, Request } from './conversation';
import { LocalApp } from './local-app';
import { BUSINESS_STEP, type Stage } from './step';

/** The requests, and the seed of all chance. */
export interface ChaosOptions {
  readonly requests: number;
  readonly keys: number;
  readonly seed: number;
}

/** What came of it. */
export interface ChaosReport extends ChaosOptions {
  /** Requests sent in all, those repeated included, and the rounds that it took. */
  readonly sent: number;
  readonly rounds: number;
  /** Answers by their status; `none` is an answer that was lost. */
  readonly answered: Readonly<Record<string, number>>;
  /** What went wrong on purpose, by its kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly stepRuns: number;
  /** What the provider did: once for each key that it was handed. */
  readonly effects: number;
  /** Keys whose requests had more than one answer. */
  readonly differing: readonly string[];
  /** Requests that had no result in the end. */
  readonly unanswered: number;
  /** Of the first round, in virtual time. */
  readonly slowestMs: number;
}

/** How often each fault happens to what it can happen to. */
const RATES = {
  startThrottled: 0.1,
  answerLost: 0.03,
  frontDoorStopped: 0.02,
  workflowStopped: 0.1,
  clientLost: 0.05,
} as const;

/** A client gives up after so many tries; a key whose owner was interrupted is finished within them. */
const ROUNDS_MAX = 40;
const BETWEEN_ROUNDS_MS = 30_000;
/** An operator decides about a key whose step was stopped more often: recovery redrives an execution three times. */
const STOPS_MAX = 3;
/** The state that ends an Express execution. */
const RECORD = 'Record the result';

/**
 * Sends all requests at once over HTTP to the reference app on a local stack in virtual time. Each request without a
 * result is sent again, as a client would do. Lost answers, throttled starts and stopped executions come on every path.
 */
export async function runChaos(assembly: string, options: ChaosOptions): Promise<ChaosReport> {
  const faults = new Faults(options.seed);
  const place = await LocalApp.open(assembly, stage => faults.interceptorOn(stage));
  try {
    const answered: Record<string, number> = {};
    const results = new Map<string, Set<string>>();
    let open = Array.from({ length: options.requests }, (_, at) => `key-${at % options.keys}`);
    let sent = 0;
    let slowestMs = 0;
    let rounds = 0;
    for (; open.length > 0 && rounds < ROUNDS_MAX; rounds += 1) {
      if (rounds > 0) await place.wait(BETWEEN_ROUNDS_MS);
      const pending: Promise<Answer>[] = [];
      for (const key of open) pending.push((await place.send(requestFor(key, faults))).answer);
      sent += open.length;
      const answers = await place.answersOf(pending);
      const again: string[] = [];
      for (const [at, answer] of answers.entries()) {
        const key = open[at] ?? '';
        const status = answer.kind === 'none' ? 'none' : String(answer.status);
        answered[status] = (answered[status] ?? 0) + 1;
        if (rounds === 0 && answer.kind === 'answer') slowestMs = Math.max(slowestMs, answer.tookMs);
        if (answer.kind === 'answer' && answer.status === 200) {
          results.set(key, (results.get(key) ?? new Set()).add(answer.body));
        } else again.push(key);
      }
      open = again;
    }
    await place.effects();
    return {
      ...options,
      sent,
      rounds,
      answered,
      faults: faults.counts,
      stepRuns: faults.stepRuns,
      effects: faults.charges.size,
      differing: [...results].flatMap(([key, bodies]) => (bodies.size > 1 ? [key] : [])),
      unanswered: open.length,
      slowestMs,
    };
  } finally {
    await place.close();
  }
}

function requestFor(key: string, faults: Faults): Request {
  return {
    method: 'POST',
    path: '/payments',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `"${key}"` },
    body: { orderId: `order of ${key}`, amount: 12.5, currency: 'EUR' },
    ...(faults.happens('clientLost') && { fault: 'answer-lost' }),
  };
}

/** Faults by chance, and a provider that honours the key that it is handed. */
class Faults {
  readonly #random: () => number;
  readonly counts: Record<string, number> = {};
  /** The charges of the provider, by the key that it was handed. */
  readonly charges = new Map<string, string>();
  stepRuns = 0;
  readonly #stops = new Map<string, number>();

  constructor(seed: number) {
    const ids = seededIds(`front door ${seed}`);
    this.#random = () => ids.random();
  }

  happens(fault: keyof typeof RATES): boolean {
    if (this.#random() >= RATES[fault]) return false;
    this.counts[fault] = (this.counts[fault] ?? 0) + 1;
    return true;
  }

  interceptorOn(stage: Stage): Interceptor {
    return async (call, next) => {
      if (call.stateName === BUSINESS_STEP) return this.#charge(call, stage);
      const isStart =
        call.executionArn.includes(':express:') && /start(Sync)?Execution$/i.test(call.resource);
      if (isStart && this.happens('startThrottled')) return failure(call, 'ThrottlingException');
      // It cannot be stopped: what would record its result does not.
      const isExpressEnd = call.stateName === RECORD && call.executionArn.includes(':express:');
      if (isExpressEnd && this.happens('workflowStopped')) return stage.lose();
      const answer = await next();
      if (isStart && this.happens('frontDoorStopped')) {
        return { kind: 'failed', error: 'States.Runtime', cause: 'stopped' };
      }
      return this.happens('answerLost') ? failure(call, 'SdkClientException') : answer;
    };
  }

  async #charge(call: ServiceCall, stage: Stage): Promise<ServiceResult> {
    this.stepRuns += 1;
    const { Payload } = call.arguments as unknown as {
      readonly Payload: { readonly idempotencyKey: string };
    };
    const isExpress = call.executionArn.includes(':express:');
    const { idempotencyKey } = Payload;
    const stops = this.#stops.get(idempotencyKey) ?? 0;
    if (!isExpress && stops < STOPS_MAX && this.happens('workflowStopped')) {
      this.#stops.set(idempotencyKey, stops + 1);
      void stage.stop(call.executionArn);
    }
    await stage.pause(Math.floor(this.#random() * 1500));
    const chargeId = this.charges.get(idempotencyKey) ?? `charge-${this.charges.size + 1}`;
    this.charges.set(idempotencyKey, chargeId);
    if (this.happens('answerLost')) return failure(call, 'SdkClientException');
    const output = { ExecutedVersion: '$LATEST', Payload: { chargeId }, StatusCode: 200 };
    return { kind: 'succeeded', output };
  }
}

const PREFIXES: Readonly<Record<string, string>> = {
  'aws-sdk:sfn': 'Sfn',
  'aws-sdk:dynamodb': 'DynamoDb',
  dynamodb: 'DynamoDB',
  lambda: 'Lambda',
  states: 'StepFunctions',
};

function failure({ resource }: ServiceCall, error: string): ServiceResult {
  const service = resource.slice(0, resource.lastIndexOf(':'));
  return { kind: 'failed', error: `${PREFIXES[service] ?? 'States'}.${error}`, cause: 'by chance' };
}
