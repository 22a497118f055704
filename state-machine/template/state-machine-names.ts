import { Arn, ArnFormat } from 'aws-cdk-lib';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';

/** A state machine by its name, its ARN, or as a construct. */
export type StateMachineReference = string | IStateMachine;

/** The names of state machines; those of the app's own are known at deploy time only. */
export function namesOfStateMachines(references: readonly StateMachineReference[] = []): readonly string[] {
  return references.map(nameOfStateMachine);
}

function nameOfStateMachine(reference: StateMachineReference): string {
  const named = typeof reference === 'string' ? reference : reference.stateMachineArn;
  if (typeof reference === 'string' && !reference.startsWith('arn:')) return reference;
  return Arn.split(named, ArnFormat.COLON_RESOURCE_NAME).resourceName ?? '';
}
