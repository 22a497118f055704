import { STATE } from '../../state-machine/contract/state-names';
import type { Claim } from './claims';
import { type InputPath, inputPathOf } from './input-paths';

/** The longest a Lambda function runs, and the margin of a cold start. */
const STEP_TIMEOUT_MAX_MS = (15 * 60 + 30) * 1000;

const RETENTION_SECONDS = 90 * 24 * 3600;

/** What the states of a workflow say of its settings. */
export function settingsOf(claim: Claim) {
  const { prefix, states, keyParts } = claim;
  const stateNamed = (name: string) => states[`${prefix}${name}`];
  const has = (name: string) => stateNamed(name) !== undefined;
  const judge = JSON.stringify(stateNamed(STATE.whatDoesRecordSay) ?? '');
  return {
    prefix,
    keyParts,
    keyExpression: keyExpressionOf(claim),
    keyPaths: keyPathsOf(claim),
    isAtMostOnce: has(STATE.ownerInDoubt),
    storesResults: has(STATE.storeResult),
    sendsResults: has(STATE.sendResult),
    returnsStoredFailure: has(STATE.returnFailure),
    returnedErrors: returnedErrorsIn(judge),
    formerStateMachines: formerNamesIn(judge),
    failedRetentionSeconds: retentionIn(JSON.stringify(states[`${prefix}${STATE.failed}`] ?? '')),
  };
}

function keyExpressionOf({ isStart, keyExpression, scope }: Claim) {
  return isStart && scope !== undefined ? { jsonata: keyExpression, scope } : undefined;
}

function keyPathsOf({ isStart, keySources }: Claim): readonly InputPath[] | undefined {
  const paths = keySources?.map(inputPathOf);
  // Where other states come first, what they make of the input decides.
  return isStart && paths?.every(path => path !== undefined) ? paths : undefined;
}

/** For how long the step may run on after its execution has ended, in milliseconds. */
export function stepTimeoutOf({ prefix, states }: Claim): number {
  const waits = states[`${prefix}${STATE.letStepEnd}`]?.['Seconds'];
  const lasts = states[`${prefix}${STATE.step}`]?.['TimeoutSeconds'];
  const seconds = [waits, lasts].find(value => typeof value === 'number');
  return typeof seconds === 'number' ? seconds * 1000 : STEP_TIMEOUT_MAX_MS;
}

// In the rule that knows another workflow's record: its own name, and behind it literals.
function formerNamesIn(judge: string): readonly string[] {
  const [, names = ''] = / in \[\$split\([^)]*\)\[6\]([^\]]*)\]/.exec(judge) ?? [];
  return literalsIn(names);
}

function returnedErrorsIn(judge: string): readonly string[] | undefined {
  const [, names] = /\.Error in \[((?:'[^']*'(?:, )?)+)\]/.exec(judge) ?? [];
  return names === undefined ? undefined : literalsIn(names);
}

/** The texts in a list of JSONata. The definition is text within text here, and so is what a literal escapes. */
function literalsIn(list: string): readonly string[] {
  return [...list.matchAll(/'([^']*)'/g)].map(([, text = '']) => {
    const literal: string = JSON.parse(`"${text}"`);
    return JSON.parse(`"${literal.replaceAll('"', '\\"')}"`);
  });
}

/** The ARN of the recovery that deliveries start; undefined where there is none. */
export function recoveryArnIn({ prefix, states }: Claim): string | undefined {
  const { Arguments } = (states[`${prefix}${STATE.callRecovery}`] ?? {}) as {
    readonly Arguments?: { readonly StateMachineArn?: unknown };
  };
  return typeof Arguments?.StateMachineArn === 'string' ? Arguments.StateMachineArn : undefined;
}

/** How often the rules over owners redrive one. Without the bound they redrive as long as they can. */
export function maxRedrivesIn(choices: string): number {
  return Number(/\$owner\.redriveCount\]\) >= (\d+)/.exec(choices)?.[1] ?? Number.MAX_SAFE_INTEGER);
}

function retentionIn(finalize: string): number {
  return Number(/\$millis\(\) \/ 1000\) \+ (\d+)\)/.exec(finalize)?.[1] ?? RETENTION_SECONDS);
}
