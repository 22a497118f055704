import { StatesError } from './errors';

export function executionArnOf(stateMachineArn: string, name: string): string {
  return executionPrefixOf(stateMachineArn) + name;
}

// Executions are started in series: the last machine's prefix is mostly the next one's, too.
let lastPrefix = { stateMachineArn: '', prefix: '' };

function executionPrefixOf(stateMachineArn: string): string {
  if (lastPrefix.stateMachineArn !== stateMachineArn) {
    const prefix = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:`;
    lastPrefix = { stateMachineArn, prefix };
  }
  return lastPrefix.prefix;
}

/** The ARN of an Express execution: names may be used again, so `id` makes the ARN unique. */
export function expressArnOf(stateMachineArn: string, name: string, id: string): string {
  return `${stateMachineArn.replace(':stateMachine:', ':express:')}:${name}:${id}`;
}

/** Whether an ARN is that of an Express execution. */
export function isExpressArn(arn: string): boolean {
  return arn.split(':')[5] === 'express';
}

/** The ARN of the machine itself, and what follows it: a version's number or an alias's name. */
export function splitMachineArn(arn: string): { readonly machineArn: string; readonly qualifier?: string } {
  const parts = arn.split(':');
  const qualifier = parts[7];
  return { machineArn: parts.slice(0, 7).join(':'), ...(qualifier !== undefined && { qualifier }) };
}

/** @throws StatesError `InvalidArn` if the text is not the ARN of a state machine. */
export function requireMachineArn(arn: string): void {
  requireType(arn, 'stateMachine', 7, 8);
}

/** @throws StatesError `InvalidArn` if the text is not the ARN of an execution. */
export function requireExecutionArn(arn: string): void {
  requireType(arn, 'execution', 8);
}

/** @throws StatesError `InvalidArn` if the text is not the ARN of an activity. */
export function requireActivityArn(arn: string): void {
  requireType(arn, 'activity', 7);
}

/** @throws StatesError `InvalidArn` if the text is not the ARN of a Map Run. */
export function requireMapRunArn(arn: string): void {
  requireType(arn, 'mapRun', 8);
}

function requireType(arn: string, type: string, partsMin: number, partsMax = partsMin): void {
  const parts = arn.split(':');
  if (parts[0] !== 'arn') throw invalid(`Invalid ARN prefix: ${arn}`);
  if (parts[2] !== 'states') throw invalid(`ARN does not belong to Step Functions: ${arn}`);
  if (parts[5] !== type) throw invalid(`Resource type not valid in this context: ${parts[5] ?? ''}`);
  if (parts.length < partsMin) throw invalid(`ARN is incomplete: ${arn}`);
  if (parts.length > partsMax) throw invalid(`ARN has too many parts: ${arn}`);
}

function invalid(reason: string): StatesError {
  return new StatesError('InvalidArn', `Invalid Arn: '${reason}'`);
}
