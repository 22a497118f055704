import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult } from '../../runtime/calls/service';
import { fieldsOf, missingIn } from '../rejections';
import {
  exceptionClass,
  rejectionIn,
  type StatesOperation,
  type StepFunctionsApi,
} from './step-functions-api';

/** Operations that are integrations where the API has them, with the members a request must have. */
const REQUIRED = {
  startExecution: ['StateMachineArn'],
  startSyncExecution: ['StateMachineArn'],
  describeExecution: ['ExecutionArn'],
  stopExecution: ['ExecutionArn'],
  redriveExecution: ['ExecutionArn'],
  getExecutionHistory: ['ExecutionArn'],
  listExecutions: [],
  describeStateMachine: ['StateMachineArn'],
  listStateMachines: [],
  getActivityTask: ['ActivityArn'],
  sendTaskSuccess: ['TaskToken', 'Output'],
  sendTaskFailure: ['TaskToken'],
  sendTaskHeartbeat: ['TaskToken'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type OperationName = keyof typeof REQUIRED;

/** The `aws-sdk:sfn` integrations by which a state machine talks to Step Functions. */
export function sdkIntegrations(api: StepFunctionsApi, newRequestId: () => string): Map<string, Service> {
  const services = (Object.keys(REQUIRED) as OperationName[]).flatMap(name => {
    const operation = api[name]?.bind(api) as StatesOperation | undefined;
    return operation ? [[`aws-sdk:sfn:${name}`, serviceFor(name, operation, newRequestId)] as const] : [];
  });
  return new Map(services);
}

function serviceFor(name: OperationName, operation: StatesOperation, newRequestId: () => string): Service {
  return {
    rejectionOf: given => missingIn(fieldsOf(given), REQUIRED[name]),
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      try {
        const response = await operation(requestOf(fieldsOf(given)) as never);
        return {
          kind: 'succeeded',
          output: sdkResult(typeof response === 'object' && response !== null ? response : {}),
        };
      } catch (error) {
        return rejected(error, newRequestId());
      }
    },
  };
}

/** Members that hold JSON text on the wire: a workflow may give them as JSON. */
const TEXT_MEMBERS = ['Input', 'Output'];

function requestOf(fields: JsonObject): JsonObject {
  const members = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members.map(([name, value]) => {
      const isText = typeof value === 'string' || !TEXT_MEMBERS.includes(name);
      return [name.charAt(0).toLowerCase() + name.slice(1), isText ? value : JSON.stringify(value)];
    }),
  );
}

/** Maps from names of the author's, which stay as they are. */
const MAPS = ['assignedVariables', 'variableReferences'];

/** A response as the SDK integration shows it: member names capitalized, times as ISO-8601 text. */
function sdkResult(response: object): JsonObject {
  return Object.fromEntries(
    Object.entries(response)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), sdkMember(name, value)]),
  );
}

function sdkMember(name: string, value: unknown): Json {
  if (typeof value === 'number' && (name.endsWith('Date') || name === 'timestamp')) {
    return new Date(value).toISOString();
  }
  if (Array.isArray(value)) return value.map(item => sdkMember(name, item));
  return isJsonObject(value) && !MAPS.includes(name) ? sdkResult(value) : (value as Json);
}

function rejected(error: unknown, requestId: string): ServiceResult {
  const { name, message } = rejectionIn(error);
  return {
    kind: 'failed',
    error: `Sfn.${exceptionClass(name)}`,
    cause: `${message} (Service: Sfn, Status Code: 400, Request ID: ${requestId}) (SDK Attempt Count: 1)`,
  };
}
