import type { IConstruct } from 'constructs';
import type { NoticeTarget } from '../../state-machine/options/notice-target';
import { describeValue } from '../../state-machine/words/describe-value';
import { isFunction } from '../../state-machine/workflow/states/business-step';
import { requireOwn } from '../cdk/resource-bounds';
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
export function validateWorkflowProps(
  props: IdempotentWorkflowProps,
  recordScope: string,
  construct: IConstruct,
): void {
  validateFormerStateMachines(props.formerStateMachines, construct);
  validateScope(recordScope);
  validateStep(props.step);
  validateExecutionNames(props.executionNames);
  validateDurations(props);
  validateType(props);
  validateDelivery(props.delivery);
  validateChoices(props);
  validateRecovery(props.recovery, props.type === 'EXPRESS');
  validateNoNull(props);
  requireOwnResources(props, construct);
}

/** Rejects the id and options of a fragment by their values alone. @throws Error with the remedy */
export function validateFragmentProps(
  id: string,
  props: IdempotentFragmentProps,
  recordScope: string,
  construct: IConstruct,
): void {
  validateFragmentId(id);
  validateScope(recordScope);
  validateStep(props.step);
  validateChoices(props);
  validateFormerStateMachines(props.formerStateMachines, construct);
  validateDurations(props);
  validateNoNull(props);
  requireOwnResources(props, construct);
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

/** Rejects a resource that cannot be used from the stack, and a role that is not one. @throws Error with the remedy */
function requireOwnResources(props: Partial<IdempotentWorkflowProps>, scope: IConstruct): void {
  const { step, results, role, logs, onFailure, onSuccess } = props;
  if (step && isFunction(step)) requireOwn('step', step, step.functionArn, scope);
  if (results) requireOwn('results', results.bucket, results.bucket.bucketArn, scope);
  if (role && typeof role.addToPrincipalPolicy !== 'function') {
    throw new Error(
      `\`role\` must be an IAM role as a construct, such as Role.fromRoleArn(…), got ${describeValue(role)}`,
    );
  }
  if (role) requireOwn('role', role, role.roleArn, scope);
  const { destination } = logs ?? {};
  if (destination) requireOwn('logs', destination, destination.logGroupRef.logGroupArn, scope);
  requireOwnTarget('onFailure', onFailure?.target, scope);
  requireOwnTarget('onSuccess', onSuccess?.target, scope);
}

function requireOwnTarget(
  option: 'onFailure' | 'onSuccess',
  target: NoticeTarget | undefined,
  scope: IConstruct,
): void {
  if (target?.kind === 'queue') requireOwn(option, target.queue, target.queue.queueArn, scope, 'queue');
  if (target?.kind === 'eventBus') requireOwn(option, target.bus, target.bus.eventBusArn, scope, 'eventBus');
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
