import { type DeployedWorkflow, SETTINGS_VERSION } from '../../state-machine/contract/deployed-settings';
import { STATE } from '../../state-machine/contract/state-names';
import { Rejection } from '../program/rejection';
import { type Claim, deployedIn, keySourcesOf, settingsOfMachine } from './claims';
import { type InputPath, inputPathOf } from './input-paths';

/** The longest a Lambda function runs, and the margin of a cold start. */
const STEP_TIMEOUT_MAX_MS = (15 * 60 + 30) * 1000;

/** What a workflow's definition says of its settings: its states, and what travels as data. */
export function settingsOf(claim: Claim, deployed: DeployedWorkflow) {
  const { prefix, states } = claim;
  const has = (name: string) => states[`${prefix}${name}`] !== undefined;
  const { retentionSeconds, failedRetentionSeconds = retentionSeconds, waitSeconds } = deployed;
  const { returnedErrors, formerStateMachines = [], executionNames = 'readable' } = deployed;
  const keySources = keySourcesOf(deployed);
  return {
    prefix,
    keyParts: typeof deployed.key === 'string' || !keySources ? ('one' as const) : keySources.length,
    keyExpression: claim.isStart ? { jsonata: claim.keyExpression, scope: deployed.scope } : undefined,
    keyPaths: keyPathsOf(claim, keySources),
    isAtMostOnce: has(STATE.ownerInDoubt),
    storesResults: has(STATE.storeResult),
    sendsResults: has(STATE.sendResult),
    returnsStoredFailure: has(STATE.returnFailure),
    returnedErrors,
    formerStateMachines,
    failedRetentionSeconds,
    waitSeconds,
    executionNames,
  };
}

/** The settings in a claim's definition. @throws Rejection if there are none, or none that this version reads */
export function requireSettings({ settings }: Claim, name: string): DeployedWorkflow {
  const deployed = deployedIn(settings);
  if (deployed) return deployed;
  throw notReadable(name, settings.kind === 'otherVersion' ? settings.version : undefined, settings.kind);
}

/** How often recovery redrives one owner, by its definition; undefined: it redrives none. @throws Rejection */
export function redrivesOfRecovery(definition: string, name: string): number | undefined {
  const read = settingsOfMachine(definition);
  if (read.kind === 'settings' && read.settings.machine === 'recovery') return read.settings.maxRedrives;
  throw notReadable(name, read.kind === 'otherVersion' ? read.version : undefined, read.kind);
}

function notReadable(name: string, version: number | undefined, kind: string): Rejection {
  if (version !== undefined) {
    const [who, remedy] =
      version > SETTINGS_VERSION
        ? ['a newer', 'Use the onceflow command of the version that deployed it']
        : ['an older', 'Deploy it again with this version'];
    return new Rejection(
      `${name} has settings of ${who} version of onceflow (form ${version}, this command reads ${SETTINGS_VERSION}). ${remedy}`,
    );
  }
  const what =
    kind === 'absent' ? 'has no settings of onceflow in its definition' : 'has settings that cannot be read';
  return new Rejection(
    `${name} ${what}: its Comment was changed, or an earlier version of onceflow deployed it. Deploy it again`,
  );
}

function keyPathsOf({ isStart }: Claim, keySources: readonly string[] | undefined) {
  const paths = keySources?.map(inputPathOf);
  const isKnown = (all: readonly (InputPath | undefined)[]): all is readonly InputPath[] =>
    all.every(path => path !== undefined);
  // If other states come first, what they make of the input decides.
  return isStart && paths && isKnown(paths) ? paths : undefined;
}

/** For how long the step may run on after its execution has ended, in milliseconds. */
export function stepTimeoutOf({ prefix, states }: Claim): number {
  const waits = states[`${prefix}${STATE.letStepEnd}`]?.['Seconds'];
  const lasts = states[`${prefix}${STATE.step}`]?.['TimeoutSeconds'];
  const seconds = [waits, lasts].find(value => typeof value === 'number');
  return typeof seconds === 'number' ? seconds * 1000 : STEP_TIMEOUT_MAX_MS;
}

/** The ARN of the recovery that deliveries start; undefined if there is none. */
export function recoveryArnIn({ prefix, states }: Claim): string | undefined {
  const { Arguments } = (states[`${prefix}${STATE.callRecovery}`] ?? {}) as {
    readonly Arguments?: { readonly StateMachineArn?: unknown };
  };
  return typeof Arguments?.StateMachineArn === 'string' ? Arguments.StateMachineArn : undefined;
}
