import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../asl/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/service';

/** The Step Functions that answers the calls: refuses with an error whose name is the service's error code. */
export interface StepFunctionsApi {
  describeExecution(request: { readonly executionArn: string }): Promise<object>;
}

/** Options of {@link stepFunctionsServices}. */
export interface StepFunctionsServicesOptions {
  /** @default - random UUIDs */
  readonly newRequestId?: () => string;
}

/** The `aws-sdk:sfn` integrations by which a state machine asks Step Functions about itself. */
export function stepFunctionsServices(
  api: StepFunctionsApi,
  { newRequestId = randomUUID }: StepFunctionsServicesOptions = {},
): ServiceTable {
  const describeExecution: Service = {
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      const executionArn = isJsonObject(given) ? given['ExecutionArn'] : undefined;
      if (typeof executionArn !== 'string') return malformed('ExecutionArn', given);
      try {
        return { kind: 'succeeded', output: sdkResult(await api.describeExecution({ executionArn })) };
      } catch (error) {
        return refusal(error, newRequestId());
      }
    },
  };
  return new Map([['aws-sdk:sfn:describeExecution', describeExecution]]);
}

/** A response as the SDK integration shows it: member names capitalized, times as ISO-8601 text. */
function sdkResult(response: object): JsonObject {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      sdkMember(name, value),
    ]),
  );
}

function sdkMember(name: string, value: unknown): Json {
  if (typeof value === 'number' && name.endsWith('Date')) return new Date(value).toISOString();
  return isJsonObject(value) ? sdkResult(value) : (value as Json);
}

// The integration names Java's exception class, which ends in Exception although the error code does not.
function refusal(error: unknown, requestId: string): ServiceResult {
  if (typeof error !== 'object' || error === null || !('name' in error) || !('message' in error)) throw error;
  const code = String(error.name);
  if (!REFUSALS.has(code)) throw error;
  return {
    kind: 'failed',
    error: `Sfn.${code}Exception`,
    cause: `${error.message} (Service: Sfn, Status Code: 400, Request ID: ${requestId}) (SDK Attempt Count: 1)`,
  };
}

/** What DescribeExecution refuses a request with; anything else that is thrown is a fault. */
const REFUSALS = new Set(['ExecutionDoesNotExist', 'InvalidArn']);

function malformed(field: string, given: Json): ServiceResult {
  const cause =
    `The Parameters '${JSON.stringify(given)}' could not be used to start the Task: ` +
    `[The field '${field}' is required but was missing]`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}
