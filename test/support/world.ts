import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  advanceBy,
  type DeliveryInterceptor,
  type EventEnvelope,
  type ExecutionDescription,
  type Interceptor,
  type Json,
  type LocalOptions,
  type LocalStack,
  runToEnd,
  type ServiceCall,
  type ServiceResult,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { assemblyOf } from './assembly';
import { answerOfRedriver } from './redriver';
import type { Variant } from './variant';

/** When scenarios begin. */
export const T0 = Date.parse('2026-11-20T09:00:00.000Z');

/** What the business step is given. */
export interface StepInput {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly input: { readonly detail: Readonly<Record<string, Json>> };
}

/** How the business step answers. */
export type Step = (input: StepInput) => ServiceResult | Promise<ServiceResult>;

/** A workflow on the local runtime: virtual clock, real DynamoDB semantics, a business step by script. */
export interface World {
  readonly stack: LocalStack;
  readonly clock: VirtualClock;
  /** Every invocation of the business step so far. */
  readonly runs: readonly StepInput[];
  /** Every call of the state machine so far, as `resource` and the state it came from. */
  readonly calls: readonly string[];
  /** How the business step answers from now on. */
  step: Step;
  /** An answer that never comes, for the step or a fault. */
  never(): Promise<never>;
  /** Lets clock time pass within the step or a fault. */
  pause(ms: number): Promise<void>;
  /** Whether the function that redrives is run, which its variant has bundled, in place of an answer like its own. */
  isRedriverReal: boolean;
  /** What happens to the calls of the state machine from now on, before they reach a service. */
  faults: Interceptor;
  /** What happens to the events of rules from now on, before they reach a target. */
  deliveries: DeliveryInterceptor;
  /** Starts the workflow for an order, under a name of its own and without waiting; resolves to its ARN. */
  deliver(detail: object): Promise<string>;
  /** The same, and lets time pass until every execution has ended. */
  delivered(detail: object): Promise<ExecutionDescription>;
  /** Puts an order on the bus, from where the dispatcher starts the workflow; what comes of it takes its time. */
  send(detail: object): Promise<void>;
  /** The same, and lets time pass until every execution has ended. */
  publish(detail: object): Promise<void>;
  /** Lets time pass until every execution has ended. */
  settle(): Promise<void>;
  /** Lets so many milliseconds pass. */
  pass(ms: number): Promise<void>;
  /** Every execution of the workflow, oldest first. */
  executions(): Promise<ExecutionDescription[]>;
  /** Stops an execution, as an operator would. */
  stop(executionArn: string): Promise<void>;
  execution(executionArn: string): Promise<ExecutionDescription>;
  /** The states an execution went through, in order. */
  statesOf(executionArn: string): Promise<string[]>;
  record(idempotencyKey: string): Promise<Record<string, AttributeValue> | undefined>;
  putRecord(item: Record<string, AttributeValue>): Promise<void>;
  deleteRecord(idempotencyKey: string): Promise<void>;
  close(): Promise<void>;
}

/** The answer of a Lambda function whose business function returned this. */
export function returns(payload: Json): ServiceResult {
  return { kind: 'succeeded', output: { ExecutedVersion: '$LATEST', Payload: payload, StatusCode: 200 } };
}

/** A failed call. */
export function fails(error: string, cause = ''): ServiceResult {
  return { kind: 'failed', error, cause };
}

/**
 * Opens a world at {@link T0}: the workflow of the reference app, or a variant of it. With a port, AWS clients reach
 * it, too; 0 is any that is free. With a directory that a process has left it goes on from there, at the machine's
 * time.
 */
export async function openWorld(
  variant: Variant = { name: 'reference' },
  reach: Pick<LocalOptions, 'port' | 'state' | 'customBusBatchOfOne'> = {},
): Promise<World> {
  const clock = new VirtualClock(reach.state === undefined ? T0 : Date.now());
  const runs: StepInput[] = [];
  const calls: string[] = [];
  const interceptor: Interceptor = (call, next) => {
    calls.push(`${call.resource} from ${call.stateName}`);
    return world.faults(call, () =>
      call.stateName === 'Business step' ? runStep(call) : redriven(call, next),
    );
  };
  const redriven: Interceptor = (call, next) =>
    (world.isRedriverReal ? undefined : answerOfRedriver(stack, call)) ?? next();
  const runStep = async (call: ServiceCall): Promise<ServiceResult> => {
    const { Payload } = call.arguments as unknown as { readonly Payload: StepInput };
    runs.push(Payload);
    return world.step(Payload);
  };
  const work = new WorkTracker();
  const stack = await startLocal({
    assembly: assemblyOf(variant),
    clock,
    seed: '1',
    interceptor,
    deliveryInterceptor: (attempt, next) => world.deliveries(attempt, next),
    work,
    ...reach,
  });
  const TableName = stack.output('RecordTableName');
  const stateMachineArn = stack.output('StateMachineArn');
  let events = 0;
  const nextEvent = (detail: object) => {
    events += 1;
    return eventOf(events, detail);
  };

  const world: World = {
    stack,
    clock,
    runs,
    calls,
    step: () => returns({ charge: runs.length }),
    never: () => work.lose(),
    isRedriverReal: false,
    pause: ms => work.pause(clock, ms),
    faults: (_, next) => next(),
    deliveries: (_, next) => next(),
    async deliver(detail) {
      const input = JSON.stringify(nextEvent(detail));
      return (await stack.runtime.startExecution({ stateMachineArn, input })).executionArn;
    },
    async send(detail) {
      const { deliveries } = await stack.eventBuses.publish(nextEvent(detail), stack.output('EventBusName'));
      if (deliveries[0]?.kind !== 'delivered')
        throw new Error(`not delivered: ${JSON.stringify(deliveries)}`);
    },
    async publish(detail) {
      await world.send(detail);
      await world.settle();
    },
    async delivered(detail) {
      const executionArn = await world.deliver(detail);
      await world.settle();
      return world.execution(executionArn);
    },
    async settle() {
      await runToEnd(stack.runtime, clock);
    },
    pass: ms => advanceBy(stack.runtime, clock, ms),
    async executions() {
      const { executions } = await stack.runtime.listExecutions({ stateMachineArn, maxResults: 1000 });
      return Promise.all(executions.map(({ executionArn }) => world.execution(executionArn)).reverse());
    },
    async stop(executionArn) {
      await stack.runtime.stopExecution({ executionArn });
    },
    execution: executionArn => stack.runtime.describeExecution({ executionArn }),
    async statesOf(executionArn) {
      const { events } = await stack.runtime.getExecutionHistory({ executionArn, maxResults: 1000 });
      return events.flatMap(event => event.stateEnteredEventDetails?.name ?? []);
    },
    async record(idempotencyKey) {
      const Key = { idempotencyKey: { S: idempotencyKey } };
      return (await stack.dynamoDb.client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true })))
        .Item;
    },
    async putRecord(Item) {
      await stack.dynamoDb.client.send(new PutItemCommand({ TableName, Item }));
    },
    async deleteRecord(idempotencyKey) {
      const Key = { idempotencyKey: { S: idempotencyKey } };
      await stack.dynamoDb.client.send(new DeleteItemCommand({ TableName, Key }));
    },
    close: () => stack.close(),
  };
  return world;
}

function eventOf(number: number, detail: object): EventEnvelope {
  return {
    version: '0',
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    'detail-type': 'OrderPlaced',
    source: 'shop.orders',
    account: '111111111111',
    time: '2026-11-20T09:00:00Z',
    region: 'us-east-1',
    resources: [],
    detail: detail as EventEnvelope['detail'],
  };
}

/** A world in which every event of an end is lost, and no search runs: only deliveries start recovery. */
export async function openWithoutEvents(variant: Variant): Promise<World> {
  const world = await openWorld(variant);
  const lost = [world.stack.output('RecoveryArn'), world.stack.output('SearchArn')];
  world.deliveries = async ({ targetArn }, next) =>
    lost.includes(targetArn) ? { executionArn: 'lost' } : next();
  return world;
}
