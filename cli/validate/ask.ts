import { setTimeout as sleep } from 'node:timers/promises';
import {
  type SFNClient,
  TestStateCommand,
  type TestStateCommandOutput,
  ValidateStateMachineDefinitionCommand,
} from '@aws-sdk/client-sfn';
import { sentenceFor } from '../aws/failures';
import type { ErrorCase, Expected } from './error-cases';
import type { SampleData } from './sample-data';

/** The finding about one thing. `unknown`: it could not be asked, or the answer is about something else. */
export interface Finding {
  readonly verdict: 'confirmed' | 'rejected' | 'unknown';
  /** Why, for a person; empty where it is confirmed. */
  readonly detail: string;
}

/** How questions are asked. */
export interface AskingOptions {
  /** For how long an answer is waited for. */
  readonly answersWithinMs?: number;
  /** Receives what is waited for while a request is throttled. */
  readonly progress?: (text: string) => void;
  /** Waits for so many milliseconds. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Asks Step Functions, or an endpoint in its place, and creates nothing. */
export class Questions {
  /** Operations that need not be asked for again, and why. */
  readonly #missing = new Map<string, string>();

  constructor(
    private readonly sfn: SFNClient,
    private readonly signal: AbortSignal,
    private readonly options: AskingOptions = {},
  ) {}

  /** Whether Step Functions takes a definition. */
  definition(text: string, type: 'STANDARD' | 'EXPRESS'): Promise<Finding> {
    return this.#asked('ValidateStateMachineDefinition', 'a definition', async abortSignal => {
      const request = new ValidateStateMachineDefinitionCommand({
        definition: text,
        type,
        severity: 'ERROR',
      });
      const { result, diagnostics = [] } = await this.sfn.send(request, { abortSignal });
      if (result === 'OK') return CONFIRMED;
      if (result === undefined) return NO_ANSWER;
      const said = diagnostics.map(
        ({ code, message, location }) => `${code}: ${message} at ${location ?? 'the root'}`,
      );
      return { verdict: 'rejected', detail: said.join('; ') || 'no reason is given' };
    });
  }

  /**
   * Whether a state does with an error what the definition says. The error is a mock, and no role is given: nothing is
   * called, also where an SDK is too old to know of mocks.
   */
  error(text: string, one: ErrorCase, sample: SampleData): Promise<Finding> {
    return this.#asked('TestState', `state ${one.state}`, async abortSignal => {
      const request = new TestStateCommand({
        definition: text,
        stateName: one.state,
        ...sample,
        inspectionLevel: 'DEBUG',
        mock: { errorOutput: { error: one.error, cause: 'a mock of onceflow validate' } },
        ...(one.retries > 0 && { stateConfiguration: { retrierRetryCount: one.retries } }),
      });
      return judged(one, await this.sfn.send(request, { abortSignal }));
    });
  }

  async #asked(operation: string, subject: string, ask: Ask): Promise<Finding> {
    const missing = this.#missing.get(operation);
    if (missing !== undefined) return { verdict: 'unknown', detail: missing };
    const { answersWithinMs = ANSWERS_WITHIN_MS, progress, pause = sleepFor } = this.options;
    for (let tries = 0; ; tries += 1) {
      const late = AbortSignal.timeout(answersWithinMs);
      try {
        return await ask(AbortSignal.any([this.signal, late]));
      } catch (error) {
        this.signal.throwIfAborted();
        const name = error instanceof Error ? error.name : '';
        const delay = THROTTLED.test(name) ? DELAYS_MS[tries] : undefined;
        if (delay === undefined)
          return this.#unknown(operation, { subject, error, name, isLate: late.aborted, answersWithinMs });
        progress?.(`${operation} is throttled, asking again in ${delay / 1000} s`);
        await pause(delay, this.signal);
      }
    }
  }

  #unknown(operation: string, failed: Failed): Finding {
    const { name, error, subject, isLate, answersWithinMs } = failed;
    const isMissing = /^(?:Unsupported|Unknown)Operation/.test(name);
    const detail = isLate
      ? `${operation} was not answered within ${answersWithinMs / 1000} s`
      : isMissing
        ? `this endpoint does not support ${operation}`
        : sentenceFor(error, operation, subject);
    if (isMissing || !OF_THE_REQUEST.test(name)) this.#missing.set(operation, detail);
    return { verdict: 'unknown', detail };
  }
}

interface Failed {
  readonly subject: string;
  readonly error: unknown;
  readonly name: string;
  readonly isLate: boolean;
  readonly answersWithinMs: number;
}

type Ask = (signal: AbortSignal) => Promise<Finding>;

/** What Step Functions throttles: it publishes no rate of these operations. */
const THROTTLED = /^(?:Throttling|TooManyRequests|RequestLimitExceeded|SlowDown)/;
/** After how long a throttled request is made again, beside the tries of the SDK: for five minutes in all. */
const DELAYS_MS: readonly number[] = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60].map(seconds => seconds * 1000);
const sleepFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });

/** With the tries of the SDK. After one that is late, the operation is not asked for again. */
const ANSWERS_WITHIN_MS = 15_000;

const CONFIRMED: Finding = { verdict: 'confirmed', detail: '' };
const NO_ANSWER: Finding = { verdict: 'unknown', detail: 'the answer is neither yes nor no' };

/** Errors about one request, after which another one may be answered. */
const OF_THE_REQUEST = /^(?:ValidationException|InvalidDefinition|InvalidExecutionInput)$/;

const NOT_EVALUATED = 'States.QueryEvaluationError';

function judged({ error, expected }: ErrorCase, answer: TestStateCommandOutput): Finding {
  if (answer.status === undefined) return NO_ANSWER;
  const got = seen(answer);
  if (got === worded(expected)) return CONFIRMED;
  const isAboutTheInput = error !== NOT_EVALUATED && JSON.stringify(answer).includes(NOT_EVALUATED);
  if (isAboutTheInput)
    return { verdict: 'unknown', detail: `${error}: the state cannot be evaluated with made-up values` };
  return { verdict: 'rejected', detail: `${error}: ${worded(expected)} by the definition, but ${got}` };
}

function worded(expected: Expected): string {
  return expected.status === 'CAUGHT_ERROR' ? `CAUGHT_ERROR to ${expected.nextState}` : expected.status;
}

function seen({ status, nextState }: TestStateCommandOutput): string {
  return status === 'CAUGHT_ERROR' ? `CAUGHT_ERROR to ${nextState ?? 'nowhere'}` : String(status);
}
