import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { JobResult, Service, ServiceCall, ServiceResult } from '../../runtime/calls/service';
import { inOrder, optimizedCause, optimizedResult } from '../optimized-result';
import { fieldsOf, missingIn, noDocumentIn, noTextIn } from '../rejections';
import { exceptionClass, rejectionIn, type StepFunctionsApi } from './step-functions-api';

/** What the integrations need besides the API. */
export interface StartOptions {
  readonly newRequestId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * The optimized integrations `states:startExecution`, `.sync` and `.sync:2`.
 *
 * A job ends with the description of its execution: as JSON text within (`.sync`) or as JSON (`.sync:2`). Its
 * execution is stopped when the caller does not wait for it any more.
 */
export function startExecutionIntegrations(
  api: StepFunctionsApi,
  options: StartOptions,
): Map<string, Service> {
  return new Map([
    ['states:startExecution', serviceFor(api, options, 'request')],
    ['states:startExecution.sync', serviceFor(api, options, 'sync')],
    ['states:startExecution.sync:2', serviceFor(api, options, 'sync:2')],
  ]);
}

type Flavour = 'request' | 'sync' | 'sync:2';

function serviceFor(api: StepFunctionsApi, options: StartOptions, flavour: Flavour): Service {
  return {
    rejectionOf(given) {
      const fields = fieldsOf(given);
      const names = ['StateMachineArn'];
      return (
        missingIn(fields, names) ?? noTextIn(fields, [...names, 'Name']) ?? noDocumentIn(fields, ['Input'])
      );
    },
    async call({ arguments: given }: ServiceCall, abort: AbortSignal): Promise<ServiceResult> {
      const fields = fieldsOf(given);
      const { Name: name } = fields;
      const stateMachineArn = String(fields['StateMachineArn']);
      const requestId = options.newRequestId();
      try {
        const started = await api.startExecution({
          stateMachineArn,
          ...(typeof name === 'string' ? { name } : {}),
          ...inputOf(fields['Input']),
        });
        const output = startResult(started, { requestId, answeredAt: options.now() });
        if (flavour === 'request') return { kind: 'succeeded', output };
        const result = jobResult(api, started.executionArn, { flavour, abort }).catch(error =>
          rejected(error, requestId),
        );
        return { kind: 'submitted', output, result };
      } catch (error) {
        return rejected(error, requestId);
      }
    },
    ...(flavour === 'request' ? {} : { rejoin: rejoinFor(api, options, flavour) }),
  };
}

/** The execution that a job started goes on over a restart, and is found by the ARN it was accepted with. */
function rejoinFor(
  api: StepFunctionsApi,
  options: StartOptions,
  flavour: Flavour,
): NonNullable<Service['rejoin']> {
  return async (output, abort) => {
    const executionArn = String(isJsonObject(output) ? output['ExecutionArn'] : undefined);
    try {
      if (abort.aborted) return await abandoned(api, executionArn);
      return await jobResult(api, executionArn, { flavour, abort });
    } catch (error) {
      return rejected(error, options.newRequestId());
    }
  };
}

function inputOf(input: Json | undefined): { readonly input?: string } {
  if (input === undefined || input === null) return {};
  return { input: typeof input === 'string' ? input : JSON.stringify(input) };
}

function startResult(
  { executionArn, startDate }: { readonly executionArn: string; readonly startDate: number },
  identity: Parameters<typeof optimizedResult>[2],
): JsonObject {
  const response = { executionArn, startDate: startDate / 1000 };
  return optimizedResult({ ExecutionArn: executionArn, StartDate: startDate }, response, identity);
}

/**
 * The description of a job's execution when that has ended.
 *
 * @throws what the API rejects: an Express execution can be started, but not be described
 */
async function jobResult(
  api: StepFunctionsApi,
  executionArn: string,
  { flavour, abort }: { readonly flavour: Flavour; readonly abort: AbortSignal },
): Promise<JobResult> {
  // The caller does not wait for this: an execution that cannot be stopped goes on.
  const stop = () => void api.stopExecution({ executionArn }).catch(() => undefined);
  if (abort.aborted) stop();
  else abort.addEventListener('abort', stop, { once: true });
  await api.whenEnded(executionArn).finally(() => abort.removeEventListener('abort', stop));
  const description = shown(await api.describeExecution({ executionArn }), flavour);
  if (description['Status'] === 'SUCCEEDED') return { kind: 'succeeded', output: description };
  return { kind: 'failed', error: 'States.TaskFailed', cause: JSON.stringify(description) };
}

/** Stops the execution of a job that was given up before a restart, unless it has been redriven since. */
async function abandoned(api: StepFunctionsApi, executionArn: string): Promise<JobResult> {
  const description = await api.describeExecution({ executionArn });
  if ('redriveCount' in description && description.redriveCount === 0) {
    await api.stopExecution({ executionArn });
  }
  return { kind: 'failed', error: 'States.TaskFailed', cause: JSON.stringify(description) };
}

/** A description as the integration shows it: member names capitalized and in order, times in epoch milliseconds. */
function shown(description: object, flavour: Flavour): JsonObject {
  const members = Object.entries(description).map(([name, value]): [string, Json] => [
    name.charAt(0).toUpperCase() + name.slice(1),
    shownMember(name, value, flavour),
  ]);
  return inOrder(Object.fromEntries(members));
}

function shownMember(name: string, value: unknown, flavour: Flavour): Json {
  if (flavour === 'sync:2' && (name === 'input' || name === 'output')) return JSON.parse(String(value));
  if (!isJsonObject(value)) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member.charAt(0).toUpperCase() + member.slice(1), inner]),
  );
}

function rejected(error: unknown, requestId: string): JobResult {
  const { name, message } = rejectionIn(error);
  return {
    kind: 'failed',
    error: `StepFunctions.${exceptionClass(name)}`,
    cause: optimizedCause(message, { service: 'AWSStepFunctions', code: name, requestId }),
  };
}
