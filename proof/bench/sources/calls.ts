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

/** What the states of an Express state machine take before a read, with the Choices that judge an earlier one. */
const BEFORE_READ_MS = 20;

/**
 * Milliseconds from one call of an execution to the next one's effect, and from there to its end. A read sees what was
 * there when it began, anything else has its effect at its end.
 */
export function millisecondsOfCall({
  executionArn,
  resource,
  stateName,
}: MadeCall): [until: number, after: number] {
  const isDynamoDb = resource.startsWith('dynamodb:');
  const called = isDynamoDb ? ASSUMED_MS.dynamoDb : ASSUMED_MS.stepFunctions;
  const isOfExpress = isExpress(executionArn);
  if (stateName === STATE.step) return [isOfExpress ? 0 : ASSUMED_MS.states, 0];
  if (isOfExpress) return resource === 'dynamodb:getItem' ? [BEFORE_READ_MS, called] : [called, 0];
  // The takeover is behind the state that judges the record.
  return [(stateName === STATE.takeOver ? 2 : 1) * ASSUMED_MS.states + called, 0];
}

/** The calls that a caller waits for: not the reads of a front door while the workflow still has calls to make. */
export function callsInARow(made: readonly MadeCall[], goesOn: boolean): readonly MadeCall[] {
  return made.filter(({ executionArn, resource }, index) => {
    const later = made.slice(index + 1);
    const isRead = isExpress(executionArn) && resource === 'dynamodb:getItem';
    const isPolled = isRead && !later.some(call => isExpress(call.executionArn) && isStart(call));
    return !(isPolled && (goesOn || later.some(call => !isExpress(call.executionArn))));
  });
}

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
  /** Of a read: it need not be consistent, and costs half. */
  readonly mayBeOld?: boolean;
}

/** What a call is named in a list of calls. */
export function nameOfCall({ resource, stateName }: MadeCall): string {
  if (isStart({ resource })) return 'start';
  if (resource === 'dynamodb:getItem') return 'read';
  if (resource === 'dynamodb:putItem') return 'claim';
  return stateName === STATE.takeOver ? 'take over' : 'finalize';
}

function isStart({ resource }: Pick<MadeCall, 'resource'>): boolean {
  return /start(Sync)?Execution$/.test(resource);
}

/** Whether an execution is one of an Express state machine. */
export function isExpress(executionArn: string): boolean {
  return executionArn.includes(':express:');
}
