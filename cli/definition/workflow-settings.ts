import {
  type DeployedWorkflow,
  type ReadSettings,
  SETTINGS_VERSION,
} from '../../state-machine/contract/deployed-settings';
import { STATE } from '../../state-machine/contract/state-names';
import { type Claim, keyExpressionsOf } from './claims';
import { type InputPath, inputPathOf } from './input-paths';

/** The longest a Lambda function runs, and the margin of a cold start. */
const STEP_TIMEOUT_MAX_MS = (15 * 60 + 30) * 1000;

/** What a workflow's definition says of its settings: its states, and what travels as data. */
export function settingsOf(claim: Claim, deployed: DeployedWorkflow) {
  const { prefix, states } = claim;
  const has = (name: string) => states[`${prefix}${name}`] !== undefined;
  const { retentionSeconds, failedRetentionSeconds = retentionSeconds, waitSeconds } = deployed;
  const { returnedErrors, formerStateMachines = [], executionNames = 'readable', uncheckedKey } = deployed;
  const keyExpressions = keyExpressionsOf(deployed);
  return {
    prefix,
    keyParts: typeof deployed.key === 'string' || !keyExpressions ? ('one' as const) : keyExpressions.length,
    keyExpression: claim.isStart ? { jsonata: claim.keyExpression, scope: deployed.scope } : undefined,
    keyPaths: keyPathsOf(claim, keyExpressions),
    uncheckedKey,
    isAtMostOnce: has(STATE.ownerInDoubt),
    storesResults: has(STATE.storeResult),
    sendsResults: has(STATE.sendResult),
    returnsStoredFailure: has(STATE.returnFailure),
    returnedErrors,
    formerStateMachines,
    retentionSeconds,
    failedRetentionSeconds,
    waitSeconds,
    executionNames,
  };
}

/** Why the settings of a machine cannot be used, and what to do, going on from its name. */
export function whyUnread(read: ReadSettings): string {
  switch (read.kind) {
    case 'otherVersion':
      return read.version > SETTINGS_VERSION
        ? `has settings of a newer version of onceflow (form ${read.version}; this command reads ${SETTINGS_VERSION}). Use the command of the version that deployed it`
        : `has settings of an older version of onceflow (form ${read.version}; this command reads ${SETTINGS_VERSION}). Deploy it again with this version`;
    case 'absent':
      return 'has no settings of onceflow in its definition: its Comment was changed, or an earlier version of onceflow deployed it. Deploy it again with this version';
    case 'unreadable':
      return 'has settings of onceflow that cannot be read: its Comment was changed. Deploy it again';
    case 'settings':
      return `is a ${read.settings.machine} of onceflow, and not what its name is used for here. Check the ARN`;
  }
}

function keyPathsOf({ isStart }: Claim, keyExpressions: readonly string[] | undefined) {
  const paths = keyExpressions?.map(inputPathOf);
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
