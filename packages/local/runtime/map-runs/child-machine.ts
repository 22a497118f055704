import { createHash } from 'node:crypto';
import type { MapState } from '../../language/index';
import type { RegisteredMachine } from '../catalogue/registered-machine';

/** The ARN of the machine that the executions of a Map Run have: `...:stateMachine:NAME/LABEL`. */
export function childMachineArn(mapRunArn: string): string {
  return mapRunArn.replace(':mapRun:', ':stateMachine:').split(':').slice(0, -1).join(':');
}

/** The machine that the executions of a Map Run have: the processor of the Map, as a machine of its own. */
export function childMachine(
  parent: RegisteredMachine,
  stateName: string,
  mapRunArn: string,
): RegisteredMachine {
  const state = parent.definition.states.get(stateName);
  if (state?.kind !== 'map' || !state.distributed) throw new Error(`no distributed Map '${stateName}'`);
  const { revisionId: _, ...inherited } = parent;
  const arn = childMachineArn(mapRunArn);
  return { ...inherited, ...ownOf(state, parent, state.distributed), arn, name: arn.split(':')[6] ?? '' };
}

function ownOf(
  { processor: startAt }: MapState,
  { definition }: RegisteredMachine,
  { definitionText, executionType }: NonNullable<MapState['distributed']>,
) {
  return { definition: { startAt, states: definition.states }, definitionText, type: executionType };
}

/** The name of an execution of a Map Run: the same each time, so that none is started twice. */
export function childName(mapRunArn: string, index: number): string {
  const hex = createHash('sha256').update(`${mapRunArn}/${index}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
