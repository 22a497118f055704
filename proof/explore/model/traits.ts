import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';

/** What a definition promises otherwise than the reference app's, as it can be seen in its states. */
export interface Traits {
  /** An Express workflow: its claims have a lease, and an owner cannot be described, stopped or redriven. */
  readonly isExpress: boolean;
  /** A fragment: a part of a machine whose execution may be in it several times, and goes on behind it. */
  readonly isPart: boolean;
  /** Delivery at most once: an interrupted step leaves its key held, until an operator releases it. */
  readonly isAtMostOnce: boolean;
  /** A stored failure is the answer until it expires. */
  readonly returnsStoredFailure: boolean;
  /** The errors whose stored failure is; undefined: all. */
  readonly returnedErrors?: readonly string[] | undefined;
  /** A step that has failed is run again within its attempt, so many times at most. */
  readonly stepRetries: number;
  /** The step is a chain: what it makes of errors is its own. */
  readonly isChain: boolean;
  /** A chain as the step is run again within its attempt after any error, so many times at most. */
  readonly chainRetries: number;
  /** Failures are sent to a destination, when the record says so. */
  readonly sendsFailures: boolean;
  /** So are deliveries that are rejected for good. */
  readonly sendsRejections: boolean;
  /** Results are in a bucket. */
  readonly storesResults: boolean;
  /** Results are sent to a destination, when the record says so. */
  readonly sendsResults: boolean;
  /** For how many milliseconds a delivery waits for the owner of its key; undefined: it does not. */
  readonly waitMs: number | undefined;
  /** How often an unfinished owner is redriven; undefined: never, or as often as it can be. */
  readonly maxRedrives: number | undefined;
}

/** How often a step may be run again that has failed with its own error: retriers for Lambda's errors are others. */
function stepRetriesOf(step: JsonObject | undefined): number {
  if (step?.['Type'] !== 'Task') return 0;
  const isOfTheStep = ({ ErrorEquals: errors }: JsonObject) =>
    Array.isArray(errors) && !errors.some(error => /^(Lambda|States)\./.test(String(error)));
  return attemptsOf(retriersOf(step).filter(isOfTheStep));
}

function retriersOf(step: JsonObject | undefined): readonly JsonObject[] {
  return Array.isArray(step?.['Retry']) ? step['Retry'].filter(isJsonObject) : [];
}

function attemptsOf(retriers: readonly JsonObject[]): number {
  return retriers.reduce((sum, { MaxAttempts }) => sum + Number(MaxAttempts ?? 3), 0);
}

function returnedErrorsIn(states: Readonly<Record<string, JsonObject>>): readonly string[] | undefined {
  const choices = states['What does the record say?']?.['Choices'];
  const conditions = Array.isArray(choices)
    ? choices.filter(isJsonObject).map(rule => String(rule['Condition']))
    : [];
  const [names] = conditions.flatMap(text => /\.Error in \[(.*?)\]/.exec(text)?.[1] ?? []);
  return names === undefined ? undefined : [...names.matchAll(/'([^']*)'/g)].map(([, name = '']) => name);
}

/** Whether a failure of this name that is stored is the answer for later deliveries. */
export function isFailureReturned(traits: Traits, error: string | undefined): boolean {
  const { returnsStoredFailure, returnedErrors } = traits;
  return (
    returnsStoredFailure &&
    (returnedErrors === undefined || (error !== undefined && returnedErrors.includes(error)))
  );
}

/** The traits of a definition with these states. */
export function traitsOf(states: Readonly<Record<string, JsonObject>>): Traits {
  const step = states['Business step'];
  const request = states['Claim record']?.['Arguments'];
  const item = isJsonObject(request) && isJsonObject(request['Item']) ? request['Item'] : {};
  const [, total] = /EnteredTime\) \+ (\d+)/.exec(JSON.stringify(states['Wait for the owner'] ?? {})) ?? [];
  return {
    isExpress: item['leaseExpiry'] !== undefined,
    isPart: states['Make a claim ID'] !== undefined,
    isAtMostOnce: states['Hold the key for review'] !== undefined,
    returnsStoredFailure: states['Return stored failure'] !== undefined,
    returnedErrors: returnedErrorsIn(states),
    stepRetries: stepRetriesOf(step),
    isChain: step?.['Type'] === 'Parallel',
    chainRetries: step?.['Type'] === 'Parallel' ? attemptsOf(retriersOf(step)) : 0,
    sendsFailures: states['Send failure'] !== undefined,
    sendsRejections: states['Send invalid event'] !== undefined,
    storesResults: states['Store result'] !== undefined,
    sendsResults: states['Send result'] !== undefined,
    waitMs: total === undefined ? undefined : Number(total),
    maxRedrives: maxRedrivesIn(states),
  };
}

/** The states that judge an owner: of a fragment, and of recovery. */
const JUDGES = ['Is the owner running?', 'What is due?', 'Where did it stop?'];

/** How often one owner is redriven by a definition with these states; undefined: it redrives none. */
export function maxRedrivesIn(states: Readonly<Record<string, JsonObject>>): number | undefined {
  const rules = JUDGES.flatMap(name => [states[name]?.['Choices'] ?? []].flat());
  // Others ask for the redrives of a notice, which are another number.
  const bounds = JSON.stringify(
    rules.filter(rule => /redriv(en|es|able)/i.test(JSON.stringify(commentOf(rule)))),
  );
  const [, max] = /\$owner\.redriveCount\]\) >= (\d+)/.exec(bounds) ?? [];
  return max === undefined ? undefined : Number(max);
}

function commentOf(rule: Json): Json {
  return isJsonObject(rule) ? (rule['Comment'] ?? null) : null;
}
