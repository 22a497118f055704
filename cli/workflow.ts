import { DescribeStateMachineCommand } from '@aws-sdk/client-sfn';
import { STATE } from '../state-machine/contract/state-names';
import { type Aws, answerOf } from './aws/aws';
import { Refusal } from './refusal';

/** A workflow, as its definition describes it. */
export interface Workflow {
  /** Without a version or alias. */
  readonly stateMachineArn: string;
  readonly name: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly table: string;
  readonly scope: string;
  /** How many parts a composite key has, or that it is one expression; undefined where the definition does not say. */
  readonly keyParts: number | 'one' | undefined;
  /** What stands before the names of our states where they are part of a larger machine. */
  readonly prefix: string;
  /** For how long the step may work on after its execution has ended. */
  readonly stepTimeoutMs: number;
  /** True where a person has said how long, who knows better than definition and record. */
  readonly isStepTimeoutGiven: boolean;
  readonly retentionSeconds: number;
  /** True where a step that was cut off is never run again by itself. */
  readonly isAtMostOnce: boolean;
  /** True where a failed step is the answer for later deliveries, instead of being run again. */
  readonly returnsStoredFailure: boolean;
}

/** A workflow, and the clients that reach it: what every look at its keys takes. */
export interface WorkflowAccess {
  readonly aws: Aws;
  readonly workflow: Workflow;
}

/** What the command line knows better than the definition. */
export interface Overrides {
  readonly table: string | undefined;
  readonly scope: string | undefined;
  readonly stepTimeoutMs: number | undefined;
}

/** The longest a Lambda function runs, and the margin of a cold start. */
const STEP_TIMEOUT_MAX_MS = (15 * 60 + 30) * 1000;
const RETENTION_SECONDS = 90 * 24 * 3600;

/** Reads what a state machine is. @throws Refusal where it is no workflow of ours, or more than one */
export async function workflowOf(aws: Aws, arn: string, overrides: Overrides): Promise<Workflow> {
  const stateMachineArn = arn.split(':').slice(0, 7).join(':');
  const request = new DescribeStateMachineCommand({ stateMachineArn });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'DescribeStateMachine', `state machine ${stateMachineArn}`, sent);
  const claims = claimsIn(answer?.definition ?? '');
  const { scope } = overrides;
  // A single claim is the one that is meant, whatever its scope; of several the scope decides.
  const [claim, second] =
    claims.length > 1 && scope !== undefined ? claims.filter(one => one.scope === scope) : claims;
  const name = answer?.name ?? stateMachineArn;
  if (claim === undefined) {
    const known = claims.map(one => one.scope).join(', ');
    throw new Refusal(
      known === ''
        ? `${name} is no workflow of onceflow: it has no state "${STATE.claim}"; check --state-machine`
        : `${name} has no workflow of scope ${scope}, only ${known}; check --scope`,
    );
  }
  if (second !== undefined) {
    throw new Refusal(
      `${name} has several workflows; say which with --scope: ${claims.map(one => one.scope).join(', ')}`,
    );
  }
  return {
    stateMachineArn,
    name,
    type: answer?.type ?? 'STANDARD',
    ...settingsOf(claim),
    table: overrides.table ?? claim.table,
    scope: scope ?? requireScope(claim, name),
    stepTimeoutMs: overrides.stepTimeoutMs ?? stepTimeoutOf(claim),
    isStepTimeoutGiven: overrides.stepTimeoutMs !== undefined,
  };
}

/** The scopes of the workflows in a definition, one for each; undefined for one that cannot be read from it. */
export function scopesIn(definition: string): readonly (string | undefined)[] {
  return claimsIn(definition).map(({ scope }) => scope);
}

/** A claim of ours within a definition. */
interface Claim {
  readonly prefix: string;
  readonly table: string;
  readonly scope: string | undefined;
  readonly keyParts: Workflow['keyParts'];
  /** The states beside it, itself included. */
  readonly states: States;
}

type States = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function claimsIn(definition: string): readonly Claim[] {
  try {
    return claimsUnder(JSON.parse(definition));
  } catch {
    return [];
  }
}

function claimsUnder(node: unknown): readonly Claim[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(claimsUnder);
  const { States } = node as { readonly States?: States };
  const own = typeof States === 'object' ? Object.keys(States).flatMap(name => claimAt(States, name)) : [];
  return [...own, ...Object.values(node).flatMap(claimsUnder)];
}

function claimAt(states: States, name: string): Claim[] {
  if (!name.endsWith(STATE.claim)) return [];
  const { Resource, Arguments } = states[name] as {
    readonly Resource?: string;
    readonly Arguments?: {
      readonly TableName?: unknown;
      readonly Item?: { idempotencyKey?: { S?: unknown } };
    };
  };
  const key = Arguments?.Item?.idempotencyKey?.S;
  const isOurs = /:dynamodb:putItem$/.test(Resource ?? '') && typeof key === 'string';
  if (!isOurs || typeof Arguments?.TableName !== 'string') return [];
  const prefix = name.slice(0, -STATE.claim.length);
  return [{ prefix, table: Arguments.TableName, scope: scopeIn(key), keyParts: keyPartsIn(key), states }];
}

// The key's expression ends with the scope as a literal, written with JSON's escapes in single quotes.
function scopeIn(keyExpression: string): string | undefined {
  const literal = /'((?:[^'\\]|\\.)*)#' & \$key \) %\}$/.exec(keyExpression)?.[1];
  if (literal === undefined) return undefined;
  try {
    return JSON.parse(`"${literal.replaceAll('"', '\\"')}"`) as string;
  } catch {
    return undefined;
  }
}

// A composite key binds one object for each of its parts, one expression a single one.
function keyPartsIn(keyExpression: string): Workflow['keyParts'] {
  if (/^\{% \( \$given := \{'part': \(/.test(keyExpression)) return 'one';
  const parts = /^\{% \( \$parts := \[(.*?)\]; \$isList := true;/s.exec(keyExpression)?.[1];
  return parts?.split("{'part': (").slice(1).length;
}

function requireScope(claim: Claim, name: string): string {
  if (claim.scope !== undefined) return claim.scope;
  throw new Refusal(
    `the definition of ${name} does not say its scope; pass --scope (the construct's id unless set)`,
  );
}

function settingsOf({ prefix, states, keyParts }: Claim) {
  const has = (name: string) => states[`${prefix}${name}`] !== undefined;
  return {
    prefix,
    keyParts,
    isAtMostOnce: has(STATE.refuseInDoubt),
    returnsStoredFailure: has(STATE.returnFailure),
    retentionSeconds: retentionIn(JSON.stringify(states[`${prefix}${STATE.completed}`] ?? '')),
  };
}

function stepTimeoutOf({ prefix, states }: Claim): number {
  const waits = states[`${prefix}${STATE.letStepEnd}`]?.['Seconds'];
  const lasts = states[`${prefix}${STATE.step}`]?.['TimeoutSeconds'];
  const seconds = [waits, lasts].find(value => typeof value === 'number');
  return typeof seconds === 'number' ? seconds * 1000 : STEP_TIMEOUT_MAX_MS;
}

function retentionIn(finalize: string): number {
  return Number(/\$millis\(\) \/ 1000\) \+ (\d+)\)/.exec(finalize)?.[1] ?? RETENTION_SECONDS);
}
