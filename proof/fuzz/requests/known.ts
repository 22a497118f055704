import type { JsonObject } from '@onceflow/local';
import type { Random } from './json';

/** What requests can be about: what the stack has when the run begins, and what answers have since contained. */
export interface Known {
  readonly environment: { readonly region: string; readonly account: string };
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  readonly stateMachines: readonly string[];
  readonly executions: readonly string[];
  readonly queues: readonly string[];
  readonly receiptHandles: readonly string[];
  readonly taskTokens: readonly string[];
  /** The URLs of the stages of REST APIs. */
  readonly restApis: readonly string[];
}

/** The body of a request as a client might well send it. */
export type Body = (random: Random, known: Known) => JsonObject;

/** The operations of one service, by name. */
export type Operations = Readonly<Record<string, Body>>;

/** One of six names: few enough that requests meet what others have made. */
export function someName(random: Random): string {
  return `fuzz-${Math.floor(random() * 6)}`;
}

/** The name of one of a few machines that requests make: those of the stack are not theirs to change. */
export function ownMachineName(random: Random): string {
  return `fuzz-${1 + Math.floor(random() * 5)}`;
}

/** The ARN of such a machine. */
export function ownMachine(random: Random, known: Known): string {
  return `${statesArn(known)}:stateMachine:${ownMachineName(random)}`;
}

/** How the ARNs of Step Functions begin. */
export function statesArn({ environment: { region, account } }: Known): string {
  return `arn:aws:states:${region}:${account}`;
}
