import { isExpressArn } from '../../runtime/requests/arns';
import { StatesError } from '../../runtime/requests/errors';
import type { Runtime } from '../../runtime/runtime';
import { type RuleTarget, TargetError } from '../rule-target';

/** Machines as targets of rules: an event starts an execution. The answer is its `executionArn` and `startDate`. */
export function stateMachineTarget(runtime: Pick<Runtime, 'startExecution' | 'whenEnded'>): RuleTarget {
  return {
    async deliver(stateMachineArn, input) {
      try {
        return await runtime.startExecution({ stateMachineArn, input });
      } catch (error) {
        throw error instanceof StatesError ? targetErrorOf(error) : error;
      }
    },
    whenEnded(answer) {
      // Standard executions are in the state directory when they have started.
      const { executionArn = '' } = (answer ?? {}) as { readonly executionArn?: string };
      return isExpressArn(executionArn) ? runtime.whenEnded(executionArn) : undefined;
    },
  };
}

const NO_RESOURCE = ['StateMachineDoesNotExist', 'StateMachineDeleting', 'InvalidArn'];
/** The same input is rejected every time. */
const CLIENT_ERRORS = ['InvalidExecutionInput', 'InvalidName', 'ValidationException'];

function targetErrorOf({ name, message }: StatesError): TargetError {
  if (NO_RESOURCE.includes(name)) return new TargetError('NO_RESOURCE', message, false);
  if (CLIENT_ERRORS.includes(name)) return new TargetError('SDK_CLIENT_ERROR', message, false);
  return new TargetError('ERROR_FROM_TARGET', message, true);
}
