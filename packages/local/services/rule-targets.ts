import type { Json } from '../json/json';
import type { Activity } from '../runtime/activity';
import { StatesError } from '../runtime/errors';
import type { Runtime } from '../runtime/runtime';
import type { LambdaFunctions } from './lambda/functions';
import type { Queues } from './sqs/queues';

/** A target that did not take an event, with the code that EventBridge has for it. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: string;
  /** Whether the same may go well later. */
  readonly isRetriable: boolean;

  constructor(code: string, message: string, isRetriable: boolean) {
    super(message);
    this.code = code;
    this.isRetriable = isRetriable;
  }
}

/** What rules can have as targets. */
export interface RuleTargetServices {
  readonly runtime: () => Pick<Runtime, 'startExecution'>;
  readonly queues: Queues;
  readonly functions: LambdaFunctions;
  readonly activity: Activity;
}

/**
 * Hands an event to a state machine, a queue or a function, and resolves to what that answered: of a state machine
 * `executionArn` and `startDate`.
 *
 * A function is called once, and not waited for. @throws TargetError when the target does not take the event
 */
export async function startTarget(
  targetArn: string,
  input: string,
  services: RuleTargetServices,
): Promise<unknown> {
  switch (targetArn.split(':')[2]) {
    case 'states':
      return services.runtime().startExecution({ stateMachineArn: targetArn, input });
    case 'sqs':
      return services.queues.send(targetArn, input) ?? noResource(`there is no queue ${targetArn}`);
    case 'lambda':
      return invoke(targetArn, input, services);
    default:
      return noResource(`${targetArn} has no local counterpart`);
  }
}

/** What is told of a refusal, whoever refused. */
export function targetErrorOf(error: unknown): TargetError {
  if (error instanceof TargetError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof StatesError)) return new TargetError('ERROR_FROM_TARGET', message, true);
  if (GONE.includes(error.name)) return new TargetError('NO_RESOURCE', message, false);
  if (HOPELESS.includes(error.name)) return new TargetError('SDK_CLIENT_ERROR', message, false);
  return new TargetError('ERROR_FROM_TARGET', message, true);
}

const GONE = ['StateMachineDoesNotExist', 'StateMachineDeleting', 'InvalidArn'];
/** The same input is refused every time. */
const HOPELESS = ['InvalidExecutionInput', 'InvalidName', 'ValidationException'];

function noResource(message: string): never {
  throw new TargetError('NO_RESOURCE', message, false);
}

function invoke(arn: string, input: string, { functions, activity }: RuleTargetServices): object {
  if (!functions.find(arn)) return noResource(`there is no function ${arn}`);
  activity.begin();
  void functions.invoke(arn, parsed(input)).finally(() => activity.end());
  return {};
}

/** A transformer may have made plain text, which Lambda gets as a JSON string. */
function parsed(input: string): Json {
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}
