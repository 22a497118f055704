import {
  type Definition,
  describeProblems,
  type ParsedDefinition,
  parseDefinition,
} from '../../language/index';
import type { ServiceTable } from '../calls/service';
import { StatesError } from '../requests/errors';
import type { MachineType } from './registered-machine';

/** The definition in a text, or every reason why it does not run with these services. */
export function checkDefinition(text: string, type: MachineType, services: ServiceTable): ParsedDefinition {
  return parseDefinition(text, { type, knows: integration => services.has(integration) });
}

/** @throws StatesError `InvalidDefinition` with every problem. */
export function requireDefinition(text: string, type: MachineType, services: ServiceTable): Definition {
  const checked = checkDefinition(text, type, services);
  if (checked.kind === 'definition') return checked.definition;
  throw new StatesError('InvalidDefinition', describeProblems(checked.problems));
}
