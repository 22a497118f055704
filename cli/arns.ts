/** An execution's name, which is shorter than its ARN and as good within one state machine. */
export function executionNameIn(executionArn: string): string {
  const parts = executionArn.split(':');
  return parts.length > 7 ? parts.slice(7).join(':') : executionArn;
}

/**
 * The owner of a record as an operator reads it: the execution's name. The name of its state machine stands in front if
 * that is another one. An owner of another account or region has its ARN. Text that is not an ARN stays as it is.
 */
export function ownerNameIn(owner: string, stateMachineArn: string): string {
  if (!isInAccountOf(owner, stateMachineArn)) return owner;
  const machine = owner.split(':')[6];
  const name = executionNameIn(owner);
  return machine === stateMachineArn.split(':')[6] ? name : `${machine}:${name}`;
}

/** Whether an owner is the ARN of an execution in the account and region of a state machine. */
export function isInAccountOf(owner: string, stateMachineArn: string): boolean {
  const [, , service, region, account, kind, machine, name] = owner.split(':');
  const [, , , itsRegion, itsAccount] = stateMachineArn.split(':');
  const isExecution = service === 'states' && (kind === 'execution' || kind === 'express');
  return isExecution && region === itsRegion && account === itsAccount && Boolean(machine && name);
}

/** The name at the end of an ARN or URL. */
export function lastOf(arn: string): string {
  return arn.split(/[:/]/).at(-1) ?? arn;
}
