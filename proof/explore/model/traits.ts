import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import {
  type DeployedSettings,
  readSettings,
  SETTINGS_VERSION,
} from '../../../state-machine/contract/deployed-settings';
import { statesOf } from './definition-states';

/** What a definition promises: as it can be seen in its states, and as its settings say. */
export interface Traits {
  /** An Express workflow: its claims have a lease, and an owner cannot be described, stopped or redriven. */
  readonly isExpress: boolean;
  /** A fragment: a part of a machine whose execution may be in it several times, and goes on behind it. */
  readonly isFragment: boolean;
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
  /** For how many seconds a completed record counts; undefined: not said. */
  readonly retentionSeconds: number | undefined;
  /** The same for the record of a failure. */
  readonly failedRetentionSeconds: number | undefined;
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

/** Whether a failure of this name that is stored is the answer for later deliveries. */
export function isFailureReturned(traits: Traits, error: string | undefined): boolean {
  const { returnsStoredFailure, returnedErrors } = traits;
  return (
    returnsStoredFailure &&
    (returnedErrors === undefined || (error !== undefined && returnedErrors.includes(error)))
  );
}

/** The settings that a definition says of itself, undefined for a machine of another kind, or why they cannot be read. */
export function settingsIn(json: JsonObject): SettingsIn {
  const states = statesOf(json);
  const first = states['Make a claim ID'];
  const read = readSettings(first === undefined ? json['Comment'] : first['Comment']);
  if (read.kind === 'settings') return read;
  const isOurs = read.kind !== 'absent' || states['Claim record'] !== undefined;
  if (!isOurs) return { kind: 'settings', settings: undefined };
  const what =
    read.kind === 'absent'
      ? 'the definition does not say its settings'
      : read.kind === 'unreadable'
        ? 'the settings of the definition cannot be read'
        : `the definition has settings of form ${read.version}, and the exploration reads ${SETTINGS_VERSION}`;
  return {
    kind: 'problem',
    message: `${what}. They are one line of JSON at the end of its Comment: render it with this version of onceflow`,
  };
}

type SettingsIn =
  | { readonly kind: 'settings'; readonly settings: DeployedSettings | undefined }
  | { readonly kind: 'problem'; readonly message: string };

/** Whether claims of a workflow with these states have a lease, as those of an Express workflow have. */
export function isExpressIn(states: Readonly<Record<string, JsonObject>>): boolean {
  const request = states['Claim record']?.['Arguments'];
  const item = isJsonObject(request) && isJsonObject(request['Item']) ? request['Item'] : {};
  return item['leaseExpiry'] !== undefined;
}

/** The traits of a definition with these states, and with these settings, which say what is expected of it. */
export function traitsOf(
  states: Readonly<Record<string, JsonObject>>,
  settings: DeployedSettings | undefined,
): Traits {
  const step = states['Business step'];
  const isOfWorkflow = settings?.machine === 'workflow' || settings?.machine === 'fragment';
  const deployed = isOfWorkflow ? settings : undefined;
  const { waitSeconds, retentionSeconds, failedRetentionSeconds = retentionSeconds } = deployed ?? {};
  return {
    isExpress: isExpressIn(states),
    isFragment: states['Make a claim ID'] !== undefined,
    isAtMostOnce: states['Hold the key for review'] !== undefined,
    returnsStoredFailure: states['Return stored failure'] !== undefined,
    returnedErrors: deployed?.returnedErrors,
    stepRetries: stepRetriesOf(step),
    isChain: step?.['Type'] === 'Parallel',
    chainRetries: step?.['Type'] === 'Parallel' ? attemptsOf(retriersOf(step)) : 0,
    sendsFailures: states['Send failure'] !== undefined,
    sendsRejections: states['Send invalid event'] !== undefined,
    storesResults: states['Store result'] !== undefined,
    sendsResults: states['Send result'] !== undefined,
    waitMs: waitSeconds === undefined ? undefined : waitSeconds * 1000,
    maxRedrives: settings?.maxRedrives,
    retentionSeconds,
    failedRetentionSeconds,
  };
}
