import type { DescribeStateMachineOutput } from '@aws-sdk/client-sfn';
import type { DeployedWorkflow } from '../../state-machine/contract/deployed-settings';
import type { ExecutionNames } from '../../state-machine/contract/execution-name';
import type { TableSchema } from '../../state-machine/contract/index';
import { STATE } from '../../state-machine/contract/state-names';
import { claimsIn, deployedIn, settingsOfMachine } from '../definition/claims';
import type { InputPath } from '../definition/input-paths';
import { recoveryArnIn, settingsOf, stepTimeoutOf, whyUnread } from '../definition/workflow-settings';
import { Rejection } from '../program/rejection';
import type { Aws } from './aws';
import { describeStateMachine } from './state-machines';

/** A workflow, as its definition describes it. */
export interface Workflow {
  /** Without a version or alias. */
  readonly stateMachineArn: string;
  readonly name: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly table: string;
  /** How the table names what every table has. */
  readonly schema: TableSchema;
  readonly scope: string;
  /** The scope that the definition says, where the command line says another one: that may be a former scope. */
  readonly scopeInDefinition?: string;
  /** How many parts a composite key has, or that it is one expression. */
  readonly keyParts: number | 'one';
  /**
   * What the state machine itself evaluates for its record's key, and the scope that stands in front of it; undefined
   * if other states come first, which may make another input.
   */
  readonly keyExpression: { readonly jsonata: string; readonly scope: string } | undefined;
  /**
   * The place of the key, or of each of its parts, in the input of an execution; undefined if the input alone does not
   * give the key.
   */
  readonly keyPaths: readonly InputPath[] | undefined;
  /** Why two events can share a key, as the app says it; undefined if the key's expressions are checked. */
  readonly uncheckedKey?: string | undefined;
  /** The way in which callers that start by key name executions. */
  readonly executionNames: ExecutionNames;
  /** What stands before the names of our states where they are part of a larger machine. */
  readonly prefix: string;
  /** For how long the step may work on after its execution has ended. */
  readonly stepTimeoutMs: number;
  /** True where a person has said how long, who knows better than definition and record. */
  readonly isStepTimeoutGiven: boolean;
  /** How long the record of a result counts. */
  readonly retentionSeconds: number;
  /** How long the record of a failure counts. */
  readonly failedRetentionSeconds: number;
  /** True if an interrupted step never runs again automatically. */
  readonly isAtMostOnce: boolean;
  /** True where a failed step is the answer for later deliveries, instead of being run again. */
  readonly returnsStoredFailure: boolean;
  /** The errors that are such an answer; undefined: all. */
  readonly returnedErrors?: readonly string[] | undefined;
  /** True where results that a record does not hold are in a bucket. */
  readonly storesResults: boolean;
  /** True where each result is sent to a success destination once its record has it. */
  readonly sendsResults: boolean;
  /** The ARN of the state machine that recovers its executions: its deliveries start it. Undefined: there is none. */
  readonly recoveryArn: string | undefined;
  /** How often recovery, or a delivery to a team's own state machine, redrives one owner. */
  readonly maxRedrives: number;
  /** The names of the state machines that it has had before. */
  readonly formerStateMachines: readonly string[];
  /** For how many seconds a delivery waits for the owner of its key; undefined: it does not wait. */
  readonly waitSeconds?: number | undefined;
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

/** Reads the kind of a state machine. @throws Rejection if it is not a workflow of ours, or more than one */
export async function workflowOf(aws: Aws, arn: string, overrides: Overrides): Promise<Workflow> {
  return workflowIn(aws, await describeUnqualified(aws, arn), overrides);
}

/** What Step Functions says of a state machine, without the version or alias of the ARN. @throws Rejection */
export async function describeUnqualified(aws: Aws, arn: string): Promise<DescribeStateMachineOutput> {
  const stateMachineArn = arn.split(':').slice(0, 7).join(':');
  const described = await describeStateMachine(aws, stateMachineArn);
  return { ...(described as DescribeStateMachineOutput), stateMachineArn };
}

/** The workflow of a state machine that was described. @throws Rejection where it is none of ours, or more than one */
export async function workflowIn(
  aws: Aws,
  described: DescribeStateMachineOutput,
  overrides: Overrides,
): Promise<Workflow> {
  const { stateMachineArn = '', definition = '' } = described;
  const claims = claimsIn(definition);
  const { scope } = overrides;
  // A single claim is the one that is meant, whatever its scope; of several the scope decides.
  const [claim, second] =
    claims.length > 1 && scope !== undefined
      ? claims.filter(({ settings }) => deployedIn(settings)?.scope === scope)
      : claims;
  const name = described.name ?? stateMachineArn;
  const scopes = claims.map(({ settings }) => deployedIn(settings)?.scope ?? 'unknown');
  if (claim === undefined) {
    const known = scopes.join(', ');
    throw new Rejection(
      known === ''
        ? `${name} is not a workflow of onceflow, because it has no state "${STATE.claim}". Check --state-machine`
        : `${name} has no workflow with the scope ${scope}, only ${known}. Check --scope`,
    );
  }
  if (second !== undefined) {
    throw new Rejection(`${name} has several workflows. Select one with --scope: ${scopes.join(', ')}`);
  }
  const deployed = deployedIn(claim.settings);
  if (deployed === undefined) throw new Rejection(`${name} ${whyUnread(claim.settings)}`);
  const recoveryArn = recoveryArnIn(claim);
  return {
    stateMachineArn,
    name,
    type: described.type ?? 'STANDARD',
    ...settingsOf(claim, deployed),
    recoveryArn,
    maxRedrives: (await maxRedrivesOf(aws, deployed, recoveryArn)) ?? Number.MAX_SAFE_INTEGER,
    table: overrides.table ?? claim.table,
    schema: claim.schema,
    scope: scope ?? deployed.scope,
    ...(scope !== undefined && deployed.scope !== scope && { scopeInDefinition: deployed.scope }),
    stepTimeoutMs: overrides.stepTimeoutMs ?? stepTimeoutOf(claim),
    isStepTimeoutGiven: overrides.stepTimeoutMs !== undefined,
  };
}

/** How often one owner is redriven: by recovery, or by the deliveries of a fragment. Undefined: without a bound. */
async function maxRedrivesOf(
  aws: Aws,
  { maxRedrives }: DeployedWorkflow,
  recoveryArn: string | undefined,
): Promise<number | undefined> {
  if (recoveryArn === undefined) return maxRedrives;
  let definition: string | undefined;
  try {
    definition = (await describeStateMachine(aws, recoveryArn))?.definition;
  } catch (error) {
    // Without a permission to read it, only the bound is not known.
    if (error instanceof Rejection) return undefined;
    throw error;
  }
  if (definition === undefined) return undefined;
  const read = settingsOfMachine(definition);
  if (read.kind === 'settings' && read.settings.machine === 'recovery') return read.settings.maxRedrives;
  throw new Rejection(`${recoveryArn.split(':').at(-1)} ${whyUnread(read)}`);
}
