import { LocalError } from '../local-error';
import { problemWithNames } from '../option-names';

/**
 * Which calls a fault happens to.
 *
 * @example
 * stack.faults.freeze('Business step', { times: 1 });
 */
export interface FaultOptions {
  /** To how many calls it happens, from now on; `Infinity` for all of them. @default 1 */
  readonly times?: number;
  /** The construct path of the state machine whose calls are meant. @default - those of any */
  readonly stateMachine?: string;
}

/**
 * How a call fails.
 *
 * @example
 * stack.faults.throttle('dynamodb:putItem', { error: 'DynamoDB.ThrottlingException', times: 2 });
 */
export interface FailureOptions extends FaultOptions {
  /** The name of the error, as `Retry` and `Catch` know it. */
  readonly error?: string;
  /** @default 'injected' */
  readonly cause?: string;
}

/** The options of each fault, by the name of its method. */
interface OptionsOf {
  readonly loseAnswer: FailureOptions;
  readonly failStep: FailureOptions;
  readonly throttle: FailureOptions;
  readonly killIn: FaultOptions & { readonly when?: 'before' | 'after' };
  readonly delayAnswer: FaultOptions & { readonly ms: number };
  readonly freeze: FaultOptions;
  readonly answerWith: FaultOptions;
}

const ANY = { times: true, stateMachine: true } as const;
const FAILURE = { ...ANY, error: true, cause: true } as const;
const NAMES: { readonly [Fault in keyof OptionsOf]: Readonly<Record<keyof OptionsOf[Fault], true>> } = {
  loseAnswer: FAILURE,
  failStep: FAILURE,
  throttle: FAILURE,
  killIn: { ...ANY, when: true },
  delayAnswer: { ...ANY, ms: true },
  freeze: ANY,
  answerWith: ANY,
};

/**
 * Rejects values that callers without types may give. @throws LocalError `InvalidRequest` that names the expected value
 */
export function checkFaultOptions<Fault extends keyof OptionsOf>(
  fault: Fault,
  options: OptionsOf[Fault],
): void {
  const problem =
    problemWithNames(`\`faults.${fault}\``, options, NAMES[fault]) ??
    problemWithValues(fault === 'delayAnswer' ? options : { ...options, ms: 0 });
  if (problem !== undefined) throw new LocalError('InvalidRequest', [problem]);
}

function problemWithValues(options: FaultOptions & { readonly ms?: unknown; readonly when?: unknown }) {
  const { times = 1, when = 'after', ms } = options;
  if (!(times >= 1 && (Number.isInteger(times) || times === Number.POSITIVE_INFINITY))) {
    return `\`times\` of a fault is a whole number of calls from 1, or Infinity, got ${times}`;
  }
  if (!(when === 'before' || when === 'after')) {
    return `\`when\` of a fault is 'before' or 'after' the call, got ${when}`;
  }
  const isTime = typeof ms === 'number' && Number.isFinite(ms) && ms >= 0;
  return isTime ? undefined : `\`ms\` of a delay is in milliseconds from 0, got ${ms}`;
}
