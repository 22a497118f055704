import { isExpressArn } from '../../runtime/requests/arns';
import { StatesError } from '../../runtime/requests/errors';
import type { Runtime } from '../../runtime/runtime';
import type { Clock } from '../../runtime/time/clock';
import { type RuleTarget, TargetError } from '../rule-target';

/** Machines as targets of rules: an event starts an execution. The answer is its `executionArn` and `startDate`. */
export function stateMachineTarget(runtime: TargetRuntime, clock: Clock): RuleTarget {
  return {
    async deliver(stateMachineArn, input, waitSeconds) {
      try {
        if (waitSeconds !== undefined)
          return await runWithin({ stateMachineArn, input }, waitSeconds, runtime, clock);
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

type TargetRuntime = Pick<Runtime, 'startExecution' | 'startSyncExecution' | 'whenEnded' | 'work'>;

/** Runs an execution to its end. One whose time is over goes on. */
async function runWithin(
  request: { readonly stateMachineArn: string; readonly input: string },
  seconds: number,
  runtime: TargetRuntime,
  clock: Clock,
): Promise<unknown> {
  let cancel = () => {};
  const timedOut = new Promise<'timedOut'>(resolve => {
    cancel = clock.at(clock.now() + seconds * 1000, () => resolve('timedOut'));
  });
  const running = runtime.startSyncExecution(request);
  const ended = await runtime.work.release(Promise.race([running, timedOut])).finally(cancel);
  if (ended === 'timedOut') {
    // It may fail as well, and then the caller no longer waits for it.
    running.catch(() => undefined);
    throw new TargetError('EXECUTION_TIMEOUT', `the execution took more than ${seconds} seconds`, true);
  }
  if (ended.status === 'SUCCEEDED') return ended;
  const why = [ended.error, ended.cause].filter(text => text !== undefined).join(': ');
  throw new TargetError('COMPUTE_EXECUTION_ERROR', `the execution ended as ${ended.status}: ${why}`, true);
}

const NO_RESOURCE = ['StateMachineDoesNotExist', 'StateMachineDeleting', 'InvalidArn'];
/** The same input is rejected every time. */
const CLIENT_ERRORS = ['InvalidExecutionInput', 'InvalidName', 'ValidationException'];

function targetErrorOf({ name, message }: StatesError): TargetError {
  if (name === 'StateMachineTypeNotSupported')
    return new TargetError('SFN_TYPE_NOT_SUPPORTED', message, false);
  if (NO_RESOURCE.includes(name)) return new TargetError('NO_RESOURCE', message, false);
  if (CLIENT_ERRORS.includes(name)) return new TargetError('SDK_CLIENT_ERROR', message, false);
  return new TargetError('ERROR_FROM_TARGET', message, true);
}
