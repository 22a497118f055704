import type { Duration } from 'aws-cdk-lib';
import { StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { STATE } from '../state-machine/contract/state-names';
import { deployedComment } from '../state-machine/deployed-comment';
import { atSynthesis } from '../state-machine/template/at-synthesis';
import { requireUnchanged } from '../state-machine/template/require-unchanged';
import type { IdempotentStates } from '../state-machine/workflow/idempotent-states';
import { isFunction } from '../state-machine/workflow/states/business-step';
import { acknowledgeCalls, acknowledgeLogging } from './cdk/acknowledge';
import { adviseVersions, grantAllVersions } from './cdk/called-functions';
import { encrypt } from './cdk/customer-key';
import { inlineGrants } from './cdk/inline-grants';
import { logsOf } from './cdk/logs';
import { OrderedDefinitionBody } from './cdk/ordered-definition';
import { type OwnValue, shareDefinition } from './cdk/shared-definitions';
import type { IdempotentWorkflowProps } from './idempotent-workflow-props';
import { countWorkflowLog } from './metrics/log-counts';
import { requireType } from './nested/internal-state-machine';
import { languageFor } from './validation/query-language';
import {
  durableProblems,
  overlapProblems,
  statesOfStep,
  stepProblems,
  validateNoRetries,
} from './validation/step';
import { validateVariables } from './validation/variables';

/** What the state machine of a workflow is made of. */
export interface WorkflowMachineParts {
  readonly states: IdempotentStates;
  /** The longest an execution may last; undefined: any time. */
  readonly timeout: Duration | undefined;
  /** What tells its definition from that of another workflow. */
  readonly ownValues: readonly OwnValue[];
  /** The options of the workflow. */
  readonly props: IdempotentWorkflowProps;
}

/**
 * The state machine of a workflow, with its log, and what is counted there.
 *
 * @throws Error for a step that cannot run in it
 */
export function workflowMachine(
  scope: Construct,
  { states, timeout, ownValues, props }: WorkflowMachineParts,
): StateMachine {
  const isExpress = props.type === 'EXPRESS';
  const { stateMachineName, role, tracingEnabled, metrics } = props;
  const logs = logsOf(scope, props);
  const stateMachineType = isExpress ? StateMachineType.EXPRESS : StateMachineType.STANDARD;
  const stateMachine = new StateMachine(scope, 'StateMachine', {
    stateMachineType,
    comment: deployedComment('Runs the business step to success once per idempotency key', {
      ...states.deployed,
      ...(props.executionNames === 'hash' && { executionNames: 'hash' }),
    }),
    ...(stateMachineName !== undefined && { stateMachineName }),
    ...(role && { role }),
    ...(tracingEnabled !== undefined && { tracingEnabled }),
    ...(logs && { logs }),
    ...(timeout && { timeout }),
    definitionBody: new OrderedDefinitionBody(states, Object.values(STATE), () =>
      languageFor(states.businessStep),
    ),
  });
  // What the states of a team call can refer to the role itself, for example by its trust policy.
  if (!role && isFunction(props.step)) inlineGrants(stateMachine.role);
  shareDefinition(stateMachine, ownValues);
  encrypt(stateMachine);
  requireType(stateMachine, stateMachineType, 'Set `type` of the workflow');
  if (metrics && logs?.destination) {
    countWorkflowLog(scope, logs.destination, { ...props, stateMachine });
    const property = { 'AWS::StepFunctions::StateMachine': ['LoggingConfiguration', 'Level'] };
    requireUnchanged(stateMachine, property, logs.level, '`metrics` are counted in the log: set `logs`');
  }
  acknowledgeLogging(stateMachine, props);
  acknowledgeCalls(stateMachine, [props.step]);
  const { businessStep } = states;
  grantAllVersions(stateMachine, statesOfStep(businessStep));
  atSynthesis(scope, () => adviseVersions(scope, statesOfStep(businessStep)));
  validateVariables(stateMachine);
  // Branches are known only now that the state machine has been put together.
  const [problem] = stepProblems(businessStep, props.stepTimeout !== undefined);
  if (problem !== undefined) throw new Error(problem);
  stateMachine.node.addValidation({
    validate: () => [...durableProblems(businessStep), ...overlapProblems(businessStep, props.stepTimeout)],
  });
  if (props.delivery === 'at-most-once') validateNoRetries(props.step);
  return stateMachine;
}
