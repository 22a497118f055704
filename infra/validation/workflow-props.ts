import type { Stack } from 'aws-cdk-lib';
import { describeValue } from '../../state-machine/contract/describe-value';
import type { IdempotentFragmentProps } from '../idempotent-fragment-props';
import type { IdempotentWorkflowProps } from '../idempotent-workflow-props';
import { Recovery } from '../recovery';
import {
  validateChoices,
  validateDelivery,
  validateDuration,
  validateExecutionNames,
  validateFormerStateMachines,
  validateFragmentId,
  validateRetention,
  validateScope,
  validateStep,
  validateType,
} from './props';

/** Rejects options of a workflow by their values alone. @throws Error with the remedy */
export function validateWorkflowProps(props: IdempotentWorkflowProps, scope: string, stack: Stack): void {
  validateFormerStateMachines(props.formerStateMachines, stack);
  validateScope(scope);
  validateStep(props.step);
  validateExecutionNames(props.executionNames);
  validateDurations(props);
  validateType(props);
  validateDelivery(props.delivery);
  validateChoices(props);
  validateRecovery(props.recovery, props.type === 'EXPRESS');
  validateNoNull(props);
}

/** Rejects the id and options of a fragment by their values alone. @throws Error with the remedy */
export function validateFragmentProps(
  id: string,
  props: IdempotentFragmentProps,
  scope: string,
  stack: Stack,
): void {
  validateFragmentId(id);
  validateScope(scope);
  validateStep(props.step);
  validateChoices(props);
  validateFormerStateMachines(props.formerStateMachines, stack);
  validateDurations(props);
  validateNoNull(props);
}

/** The options that only the compiler checks, and plain JavaScript does not. */
const UNCHECKED = [
  'logs',
  'metrics',
  'removalPolicy',
  'role',
  'scope',
  'stateMachineName',
  'table',
  'tracingEnabled',
] as const satisfies readonly (keyof IdempotentWorkflowProps)[];

function validateNoNull(props: Partial<IdempotentWorkflowProps>): void {
  const name = UNCHECKED.find(option => props[option] === null);
  if (name !== undefined) throw new Error(`\`${name}\` must not be null. Leave it out for its default`);
}

const RETENTIONS = ['retention', 'failedRetention'] as const;
const DURATIONS = [...RETENTIONS, 'stepTimeout', 'timeout'] as const;

function validateDurations(props: Pick<IdempotentWorkflowProps, (typeof DURATIONS)[number]>): void {
  for (const name of DURATIONS) validateDuration(props[name], name);
  for (const name of RETENTIONS) validateRetention(props[name], name);
}

// Express executions cannot be looked up after they ended.
function validateRecovery(recovery: unknown, isExpress: boolean): void {
  if (recovery === undefined) return;
  if (!(recovery instanceof Recovery)) {
    throw new Error(
      `\`recovery\` must be Recovery.automatic() or Recovery.none(), got ${describeValue(recovery)}`,
    );
  }
  if (recovery.searchEvery === undefined || !isExpress) return;
  throw new Error(
    '`recovery` needs a STANDARD workflow: an Express execution cannot be looked up after it ended, and its lease ' +
      'ends automatically. Leave `recovery` out',
  );
}
