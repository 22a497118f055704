import { StatesError } from '../requests/errors';
import type { Catalogue } from './catalogue';
import type { MachineIdentity } from './machine-registry';
import type { RegisteredMachine } from './registered-machine';
import { updateStateMachine } from './update-machine';

/**
 * Makes a machine what a template says, as a deployment does: creates it, updates it, or leaves it as it is.
 *
 * @throws StatesError `InvalidDefinition`, `StateMachineAlreadyExists` for another type, which no update can change.
 */
export function deployMachine(
  catalogue: Catalogue,
  definition: string,
  identity: MachineIdentity & { readonly arn: string },
): RegisteredMachine {
  const { machines, clock } = catalogue;
  const { arn, roleArn, type = 'STANDARD', loggingConfiguration, tracingConfiguration } = identity;
  const known = machines.find(arn)?.machine;
  if (!known) return machines.register(definition, identity, clock.now());
  if (known.type !== type) {
    throw new StatesError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
  }
  updateStateMachine(catalogue, {
    stateMachineArn: arn,
    definition,
    ...(roleArn !== undefined && { roleArn }),
    loggingConfiguration: loggingConfiguration ?? {},
    tracingConfiguration: tracingConfiguration ?? { enabled: false },
  });
  return machines.get(arn);
}
