import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { readsAllOfTheInput } from '../../state-machine/expression/same-in-each-delivery';
import type { UserExpression } from '../../state-machine/expression/user-expression';
import { isFunction } from '../../state-machine/workflow/states/business-step';
import type { IdempotentWorkflowProps } from '../idempotent-workflow-props';

/** Says at synth that the records hang on the id of the construct, while that can still be changed at no cost. */
export function adviseScope(construct: Construct, scope: string | undefined): void {
  if (scope !== undefined) return;
  Annotations.of(construct).addInfoV2(
    'onceflow:scope',
    'the id of this construct is the prefix of its records, so if you rename it, every key counts as new. ' +
      'Set `scope`',
  );
}

/** Warns at synthesis of what a workflow without recovery leaves to an operator. */
export function adviseRecovery(construct: Construct, isChosen: boolean): void {
  if (isChosen) return;
  Annotations.of(construct).addWarningV2(
    'onceflow:noRecovery',
    'with Recovery.none(), a key whose execution ended before its record was finished stays in progress until you ' +
      'redrive the execution or release the key. Use Recovery.automatic(), or acknowledge this warning',
  );
}

/** Warns where the dispatcher sees another payload in each delivery of an event, and the workflow the same. */
export function advisePayload(
  construct: Construct,
  payload: UserExpression | undefined,
  { volatile, isExpress }: { readonly volatile: readonly string[]; readonly isExpress: boolean },
): void {
  if (payload === undefined || !readsAllOfTheInput(payload)) return;
  const effect = isExpress
    ? 'an event that is sent again is rejected as another payload'
    : 'each duplicate from this source costs an execution';
  Annotations.of(construct).addWarningV2(
    'onceflow:wholePayload',
    `with \`payload\` ${payload.text}, ${effect} if the payload contains ${volatile.join(', ')}: the whole event has ` +
      'them, and they differ between deliveries. Use a member, such as {% $states.input.detail %}',
  );
}

/** Says what becomes of an event whose step fails, from a source that has delivered it with the start. */
export function adviseFailures(construct: Construct, props: IdempotentWorkflowProps): void {
  const isSeenTo = props.retry ?? props.onFailure ?? props.recovery?.redeliverFailed;
  if (isSeenTo !== undefined || !isFunction(props.step)) return;
  Annotations.of(construct).addInfoV2(
    'onceflow:failedStep',
    'if the step of an event fails, the event is not delivered again, because its source counts it as delivered. Set ' +
      '`retry`, `onFailure`, or `Recovery.automatic({ redeliverFailed: { maxAttempts: 10 } })`',
  );
}
