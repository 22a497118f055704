import { STATE } from '../../../state-machine/contract/state-names';

/** What a delivery calls, and what else it waits for. The step's own calls are not counted. */
export interface Calls {
  /** Requests to API Gateway. */
  readonly apiRequests: number;
  /** Invocations of functions, the step's left out. */
  readonly functions: number;
  /** Calls of Step Functions: starts, of Express executions also, descriptions and redrives. */
  readonly stepFunctions: number;
  /** Calls of DynamoDB. */
  readonly dynamoDb: number;
  /** States that Standard executions enter. */
  readonly states: number;
  /** What Wait states take, in milliseconds. */
  readonly waitedMs: number;
  /** The calls by name, in the order in which they were made. */
  readonly sequence: readonly string[];
}

/** Milliseconds that each of them is taken to last, for warm services in their own region: AWS promises none of it. */
export const ASSUMED_MS = {
  apiRequests: 10,
  /** With the poll of its queue. */
  functions: 30,
  stepFunctions: 50,
  dynamoDb: 10,
  states: 25,
} as const;

/** The milliseconds that the calls come to, each after the one before it. */
export function millisecondsOf(calls: Calls): number {
  const kinds = Object.keys(ASSUMED_MS) as (keyof typeof ASSUMED_MS)[];
  return kinds.reduce((sum, kind) => sum + calls[kind] * ASSUMED_MS[kind], calls.waitedMs);
}

/** One call of a state machine that was made. */
export interface MadeCall {
  readonly executionArn: string;
  readonly resource: string;
  readonly stateName: string;
}

/** What a call is named in a list of calls. */
export function nameOfCall({ resource, stateName }: MadeCall): string {
  if (resource.endsWith('startExecution')) return 'start';
  if (resource === 'dynamodb:getItem') return 'read';
  if (resource === 'dynamodb:putItem') return 'claim';
  return stateName === STATE.takeOver ? 'take over' : 'finalize';
}

/** Whether an execution is one of an Express workflow. */
export function isExpress(executionArn: string): boolean {
  return executionArn.includes(':express:');
}
