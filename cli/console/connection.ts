import type { WorkflowItem } from '@onceflow/console';
import type { Aws } from '../aws/aws';
import { isNamedAfter, listWorkflows, type WorkflowSelector } from '../aws/find-workflow';
import { type Overrides, type Workflow, type WorkflowAccess, workflowIn } from '../aws/workflow';
import { each } from '../concurrency';
import type { LocalStackAccess } from '../dev/local-stack-access';
import { Rejection } from '../program/rejection';
import { DAY_MS } from '../time-range';

/** Where the views are read from. */
export interface Connection {
  readonly aws: Aws;
  /** For people: an address, or a region. */
  readonly where: string;
  readonly isLocal: boolean;
  /** Whether a page may write there. */
  readonly mayWrite: boolean;
  /** The stack, if it runs in this process; undefined between two of them. */
  readonly local?: () => LocalStackAccess | undefined;
  readonly selector: WorkflowSelector;
  readonly overrides: Overrides;
  /** How far back executions of a key are looked for, and how many are opened. */
  readonly search: { readonly sinceMs: number; readonly openedMax: number };
}

/** The connection of these clients, with what `onceflow show` searches where nothing else is said. */
export function connectionTo(
  aws: Aws,
  {
    where,
    isLocal,
    mayWrite = false,
    local,
    stack,
    stateMachine,
  }: Pick<Connection, 'where' | 'isLocal' | 'local'> & {
    readonly mayWrite?: boolean;
    readonly stack: string | undefined;
    readonly stateMachine?: string | undefined;
  },
): Connection {
  return {
    aws,
    where,
    isLocal,
    mayWrite,
    ...(local && { local }),
    selector: { stateMachine, stack, scope: undefined },
    overrides: { table: undefined, scope: undefined, stepTimeoutMs: undefined },
    search: { sinceMs: 7 * DAY_MS, openedMax: 0 },
  };
}

/** The same, to read them. @throws Rejection */
export async function allAccesses({
  aws,
  selector,
  overrides,
}: Connection): Promise<readonly WorkflowAccess[]> {
  const machines = await listWorkflows(aws, selector);
  return each(machines, async machine => ({ aws, workflow: await workflowIn(aws, machine, overrides) }));
}

/**
 * A workflow of the connection, by the name of its state machine, its scope, or the id of its construct.
 *
 * @throws Rejection where there is none, or several
 */
export async function accessTo(connection: Connection, name: string): Promise<WorkflowAccess> {
  const { aws, selector, overrides } = connection;
  const machines = await listWorkflows(aws, selector);
  const named = machines.find(machine => machine.stateMachineArn?.split(':').at(-1) === name);
  if (named !== undefined) return { aws, workflow: await workflowIn(aws, named, overrides) };
  const workflows = await each(machines, machine => workflowIn(aws, machine, overrides));
  const meant = workflows.filter(one => one.scope === name || isNamedAfter(one.name, name));
  const [workflow, other] = meant;
  if (workflow === undefined) throw new Rejection(`${connection.where} has no workflow ${name}`);
  if (other === undefined) return { aws, workflow };
  const names = meant.map(one => one.name).join(', ');
  throw new Rejection(
    `${connection.where} has several workflows ${name}; select one by its state machine: ${names}`,
  );
}

/** A workflow as views have it. */
export function itemOf({ name, stateMachineArn, type, scope, table }: Workflow): WorkflowItem {
  return { name, stateMachineArn, type, scope, table };
}
