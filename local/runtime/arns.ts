import { StatesError } from './errors';

/** The ARN of an execution of a machine. */
export function executionArnOf(stateMachineArn: string, name: string): string {
  return `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
}

/** @throws StatesError `InvalidArn` when the text is no ARN of a state machine. */
export function requireMachineArn(arn: string): void {
  requireType(arn, 'stateMachine', 7);
}

/** @throws StatesError `InvalidArn` when the text is no ARN of an execution. */
export function requireExecutionArn(arn: string): void {
  requireType(arn, 'execution', 8);
}

function requireType(arn: string, type: string, partsMin: number): void {
  const parts = arn.split(':');
  if (parts[0] !== 'arn') throw invalid(`Invalid ARN prefix: ${arn}`);
  if (parts[2] !== 'states') throw invalid(`ARN does not belong to Step Functions: ${arn}`);
  if (parts[5] !== type) throw invalid(`Resource type not valid in this context: ${parts[5] ?? ''}`);
  if (parts.length < partsMin) throw invalid(`ARN is incomplete: ${arn}`);
}

function invalid(reason: string): StatesError {
  return new StatesError('InvalidArn', `Invalid Arn: '${reason}'`);
}
