import { requireMachineArn } from '../requests/arns';
import type { Catalogue } from './catalogue';

/**
 * Deletes a machine with its versions, aliases and tags. One that does not exist is fine, and so is an ARN of a version
 * or alias, which deletes nothing.
 *
 * Its name is free at once, and executions that run go on with the revision they have; the service would keep the
 * machine as DELETING and end them at their next transition.
 *
 * @throws StatesError `InvalidArn`.
 */
export function deleteStateMachine({ machines }: Catalogue, stateMachineArn: string): void {
  requireMachineArn(stateMachineArn);
  machines.delete(stateMachineArn);
}
