import type { LocalStack } from '@onceflow/local';

/** What somebody needs to use a stack that runs. */
export interface Summary {
  readonly endpoint: string;
  readonly region: string;
  readonly account: string;
  /** The process to end. */
  readonly pid: number;
  /** The directory that keeps the state, or null for memory. */
  readonly state: string | null;
  /** Those of the assembly, as all below; what somebody has made by request is not among them. */
  readonly stateMachines: readonly { readonly name: string; readonly arn: string }[];
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  readonly eventBuses: readonly string[];
  /** Executions that were under way when the stack last ended, and go on. */
  readonly resumed: number;
}

/** What a running stack has to tell. */
export function summaryOf(stack: LocalStack, state: string | undefined): Summary {
  const { assembly, runtime, region, account, endpoint = '' } = stack;
  const stateMachines = assembly.stateMachines.map(({ name, arn }) => ({ name, arn }));
  return {
    endpoint,
    region,
    account,
    pid: process.pid,
    state: state ?? null,
    stateMachines,
    tables: assembly.tables.map(({ name }) => name),
    functions: assembly.functions.map(({ name }) => name),
    eventBuses: assembly.eventBuses.map(({ name }) => name),
    resumed: runtime.running().length,
  };
}
