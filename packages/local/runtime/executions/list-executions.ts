import type { ExecutionStatus } from '../../engine/index';
import type { MachineRegistry } from '../catalogue/machine-registry';
import { childMachineArn } from '../map-runs/child-machine';
import { requireMachineArn, requireMapRunArn, splitMachineArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import { type PageRequest, pageOf } from '../requests/pages';
import type { ListedExecution, Store } from '../store/store';
import { type ExecutionSummary, summarize } from './descriptions';

/** What ListExecutions takes. */
export interface ListExecutionsRequest extends PageRequest {
  /** A machine, or a version or alias of it: then only what was started through that. */
  readonly stateMachineArn?: string;
  readonly statusFilter?: ExecutionStatus | 'PENDING_REDRIVE';
  readonly redriveFilter?: 'REDRIVEN' | 'NOT_REDRIVEN';
  /** A Map Run, in place of a machine. */
  readonly mapRunArn?: string;
}

/**
 * Executions of a machine, newest first: with the status of an end by when they ended, else by when they started.
 *
 * Pages fit together while executions start and end: those that do so later are on no page after the first.
 *
 * @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`, `StateMachineTypeNotSupported`, `ValidationException`,
 * `ResourceNotFound`.
 */
export function listExecutions(
  machines: MachineRegistry,
  store: Pick<Store, 'list'>,
  request: ListExecutionsRequest,
): { readonly executions: readonly ExecutionSummary[]; readonly nextToken?: string } {
  const { mapRunArn } = request;
  const isWanted = filterOf(machines, request);
  const machineArn =
    mapRunArn === undefined
      ? splitMachineArn(request.stateMachineArn ?? '').machineArn
      : childMachineArn(mapRunArn);
  const listed = isOfAnEnd(request) ? byEnd(store.list(machineArn)) : store.list(machineArn);
  const { items, ...more } = pageOf(listed, request, { isNewestFirst: true, isWanted });
  const executions = items.map(item => ({ ...summarize(item), ...mapRunOf(item, request) }));
  return { executions, ...more };
}

/** Said of an execution where a Map Run's are asked for. */
function mapRunOf({ choice }: ListedExecution, { mapRunArn }: ListExecutionsRequest) {
  return mapRunArn === undefined || !choice.mapRun
    ? {}
    : { mapRunArn: choice.mapRun.arn, itemCount: choice.mapRun.items };
}

function isOfAnEnd({ statusFilter }: ListExecutionsRequest): boolean {
  return statusFilter !== undefined && statusFilter !== 'RUNNING';
}

/** Those that have ended, oldest end first. */
function byEnd(listed: readonly ListedExecution[]): readonly ListedExecution[] {
  const ended = listed.flatMap(one => (one.execution.end ? { one, at: one.execution.end.at } : []));
  return ended.sort((a, b) => a.at - b.at).map(({ one }) => one);
}

function filterOf(
  machines: MachineRegistry,
  request: ListExecutionsRequest,
): (listed: ListedExecution) => boolean {
  const { stateMachineArn, mapRunArn, statusFilter, redriveFilter } = request;
  if ((stateMachineArn === undefined) === (mapRunArn === undefined)) {
    const message = 'Must specify exactly one of stateMachineArn or mapRunArn';
    throw new StatesError('ValidationException', message);
  }
  const isInState = ({ execution }: ListedExecution) =>
    (statusFilter === undefined || execution.status === statusFilter) &&
    (redriveFilter === undefined || execution.redriveCount > 0 === (redriveFilter === 'REDRIVEN'));
  if (stateMachineArn === undefined) {
    requireMapRunArn(mapRunArn ?? '');
    return listed => listed.choice.mapRun?.arn === mapRunArn && isInState(listed);
  }
  requireMachineArn(stateMachineArn);
  const { machine, versionArn, aliasArn } = machines.resolve(stateMachineArn, () => 0);
  if (machine.type === 'EXPRESS') {
    const message = 'This operation is not supported by this type of state machine';
    throw new StatesError('StateMachineTypeNotSupported', message);
  }
  return listed =>
    (aliasArn === undefined || listed.choice.aliasArn === aliasArn) &&
    (aliasArn !== undefined || versionArn === undefined || listed.choice.versionArn === versionArn) &&
    isInState(listed);
}
