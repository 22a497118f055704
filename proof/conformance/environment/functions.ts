import type { Json } from '@onceflow/local';
import type { Clock } from '../../../packages/local/runtime/time/clock';
import type { WorkTracker } from '../../../packages/local/runtime/time/work-tracker';
import { createFunctionLookup } from '../../../packages/local/services/lambda/function-names';
import type { FunctionSpec } from '../../../packages/local/services/lambda/function-spec';
import type { LambdaFunctions } from '../../../packages/local/services/lambda/functions';
import { functionError, type InvokeOutcome, timedOut } from '../../../packages/local/services/lambda/outcome';
import type { LambdaSpec } from '../cases/recorded-case';

/** What recorded functions run on. */
export interface FunctionContext {
  readonly clock: Clock;
  readonly work: WorkTracker;
  readonly newRequestId: () => string;
}

/** The functions of a case by their ARNs: in this process, on its clock, with the behavior of the case. */
export function recordedFunctions(
  functions: ReadonlyMap<string, LambdaSpec>,
  context: FunctionContext,
): LambdaFunctions {
  const specs = [...functions].map(([arn, { functionTimeoutSeconds }]) =>
    specOf(arn, functionTimeoutSeconds),
  );
  const lookUp = createFunctionLookup(specs);

  const invoke: LambdaFunctions['invoke'] = async (nameOrArn, payload, requestId) => {
    const found = lookUp(nameOrArn);
    if (found.kind === 'unknown') {
      const message = `Function not found: ${found.arn}`;
      return { kind: 'serviceError', error: 'ResourceNotFoundException', message };
    }
    const lambda = functions.get(found.spec.arn);
    if (!lambda) throw new Error(`a function without behavior: ${found.spec.arn}`);
    const id = requestId ?? context.newRequestId();
    return behave(lambda, payload, { ...context, requestId: id, spec: found.spec });
  };
  const find: LambdaFunctions['find'] = nameOrArn => {
    const found = lookUp(nameOrArn);
    return found.kind === 'found' ? found.spec : undefined;
  };
  return { invoke, find, close: async () => undefined };
}

interface Invocation extends FunctionContext {
  readonly requestId: string;
  readonly spec: FunctionSpec;
}

async function behave(lambda: LambdaSpec, event: Json, invocation: Invocation): Promise<InvokeOutcome> {
  if (lambda.behaviour === 'sleep60') return sleep(event, invocation);
  if (lambda.behaviour.startsWith('raise')) return raise(lambda, invocation);
  const answer = ANSWERS.get(lambda.behaviour);
  if (!answer) throw new Error(`unknown behavior of a function: ${lambda.behaviour}`);
  return { kind: 'succeeded', payload: answer(event) };
}

/** One byte above what a payload between states may have, and then some: 257 KiB. */
const LARGE_CHARACTERS = 263_168;

const ANSWERS: ReadonlyMap<string, (event: Json) => Json> = new Map<string, (event: Json) => Json>([
  ['echo', event => event],
  ['returnHelloWorld', () => ({ Return: 'HelloWorld' })],
  ['returnBytes', () => 'HelloWorld!'],
  ['decorateInput', event => `input-event-${typeof event === 'string' ? event : pythonText(event)}`],
  ['largeOutput', () => 'a'.repeat(LARGE_CHARACTERS)],
]);

/** A value as Python prints it: the recorded functions were written in it. */
function pythonText(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `'${name}': ${pythonText(member)}`);
  return `{${members.join(', ')}}`;
}

const SLEEP_SECONDS = 60;

async function sleep(event: Json, invocation: Invocation): Promise<InvokeOutcome> {
  const { clock, work, requestId, spec } = invocation;
  const seconds = Math.min(SLEEP_SECONDS, spec.timeoutSeconds);
  await work.pause(clock, seconds * 1000);
  return seconds < SLEEP_SECONDS
    ? timedOut(requestId, spec.timeoutSeconds)
    : { kind: 'succeeded', payload: event };
}

function raise({ errorPayload = {} }: LambdaSpec, { requestId }: Invocation): InvokeOutcome {
  const isPlaceholder = /^<.*>$/.test(String(errorPayload['requestId']));
  return functionError(JSON.stringify(isPlaceholder ? { ...errorPayload, requestId } : errorPayload));
}

/** AWS quota: the longest a function may run, 15 minutes. */
const FUNCTION_TIMEOUT_MAX_SECONDS = 900;

function specOf(arn: string, timeoutSeconds = FUNCTION_TIMEOUT_MAX_SECONDS): FunctionSpec {
  const name = arn.split(':').at(-1) ?? '';
  return { arn, name, directory: '', handler: '', timeoutSeconds, memoryMb: 128, environment: {} };
}
