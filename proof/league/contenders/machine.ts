import type { ExecutionDescription, Json, JsonObject, ServiceCall, ServiceResult } from '@onceflow/local';
import type { Answer, Freeze, Order } from '../world/play';
import { FUNCTION_TIMEOUT_MS } from '../world/queue-source';
import type { World } from '../world/world';

/** The state machine that guards the step, as it is observed. */
export interface Observed {
  readonly stateMachineArn: string;
  /** The state that runs the business step. */
  readonly stepState: string;
  /** Whether deliveries are answered by something else, such as a request's. @default - by the execution */
  readonly isAnsweredElsewhere?: boolean;
  /** For how long the step's function may run, in milliseconds. @default FUNCTION_TIMEOUT_MS */
  readonly stepTimeoutMs?: number | undefined;
  /** The meaning of an execution's error for a delivery; undefined for an error that notifies an operator. */
  readonly answerOf: (error: string) => Answer['kind'] | undefined;
  /** Which delivery has started an execution. @default - as its input says */
  readonly deliveryOf?: (executionArn: string) => number | undefined;
  /** Functions of the guard itself, by the states that invoke them: what they answer. @default - none */
  readonly functions?: Readonly<Record<string, (invoked: JsonObject) => Json>>;
}

/** Watches what a state machine does with the events, and puts the faults of the schedule between it and its calls. */
export class MachineWatch {
  readonly #world: World;
  readonly #observed: Observed;
  readonly #ran = new Set<string>();
  readonly #told = new Set<string>();
  readonly #express = new Set<string>();

  constructor(world: World, observed: Observed) {
    this.#world = world;
    this.#observed = observed;
    world.intercept = (call, next) => this.#intercept(call, next);
    const { runtime } = world.stack;
    runtime.subscribe(({ kind, execution }) => {
      if (kind !== 'ended') return;
      world.bill.transitions += runtime.billedTransitions(execution.executionArn);
      if (execution.stateMachineArn === observed.stateMachineArn) this.#ended(execution);
    });
  }

  /** The keys whose executions have failed for good: an alarm tells of them. */
  get told(): readonly string[] {
    return [...this.#told];
  }

  reset(): void {
    this.#ran.clear();
    this.#told.clear();
  }

  #ended({ executionArn, status, output, error = '', input = '' }: ExecutionDescription): void {
    const { play } = this.#world;
    const found = orderIn(input);
    if (found === undefined) return;
    const { deliveryOf, isAnsweredElsewhere = false } = this.#observed;
    const order = deliveryOf ? { ...found, delivery: deliveryOf(executionArn) } : found;
    if (status === 'SUCCEEDED') {
      const isOwn = this.#ran.has(executionArn);
      if (!isAnsweredElsewhere) play.answered(order, isOwn ? 'result' : 'duplicate', resultIn(output));
      return;
    }
    const kind = status === 'FAILED' ? this.#observed.answerOf(error) : undefined;
    if (!isAnsweredElsewhere) play.answered(order, kind ?? 'failed');
    // A stopped execution notifies no operator, because a machine may have stopped it.
    if (kind === undefined && status !== 'ABORTED') this.#told.add(order.key);
  }

  async #intercept(call: ServiceCall, next: () => Promise<ServiceResult>): Promise<ServiceResult> {
    const { play, bill } = this.#world;
    if (isExpress(call.executionArn) && !this.#express.has(call.executionArn)) {
      this.#express.add(call.executionArn);
      bill.expressExecutions += 1;
    }
    const isStep = this.#isStep(call);
    const key = this.#keyOf(call);
    if (isStep) {
      this.#ran.add(call.executionArn);
      bill.invocations += 1;
      bill.stepRuns += 1;
      return this.#runStep(call, key);
    }
    const service = serviceOf(call.resource);
    const isTable = service.toLowerCase() === 'dynamodb';
    const make = async () => {
      if (isTable) {
        await this.#world.deleteExpired(key);
        bill[call.resource.endsWith(':getItem') ? 'reads' : 'writes'] += 1;
      } else if (service === 'Lambda') bill.invocations += 1;
      const guardFunction = this.#observed.functions?.[call.stateName];
      return guardFunction ? returned(guardFunction(call.arguments as JsonObject)) : next();
    };
    return play.call<ServiceResult>(key, {
      name: `${call.stateName} (${call.resource})`,
      isEffect: false,
      isTable,
      make,
      rejected: () => failed(`${service}.ThrottlingException`),
      answerLost: () => failed(`${service}.SdkClientException`),
      killed: () => this.#stop(call.executionArn),
      frozen: undefined,
    });
  }

  #isStep({ stateName, executionArn }: ServiceCall): boolean {
    const { stepState, stateMachineArn } = this.#observed;
    const machine = stateMachineArn.split(':').at(-1) ?? '';
    return stateName === stepState && executionArn.split(':').includes(machine);
  }

  /** The function of the step: it may be killed or stand still, and its machine hears of that as Lambda tells it. */
  async #runStep(call: ServiceCall, key: string): Promise<ServiceResult> {
    const { play } = this.#world;
    if (play.takeFailure(key)) return failed('CardDeclined');
    const amount = orderIn(JSON.stringify(call.arguments))?.amount ?? Number.NaN;
    const make = async () => returned(play.effect({ key, amount }));
    return play.call<ServiceResult>(key, {
      name: 'charge',
      isEffect: true,
      isTable: false,
      make,
      rejected: () => failed('ProviderUnreachable'),
      answerLost: () => failed('ProviderTimeout'),
      killed: async () => failed('Runtime.ExitError'),
      frozen: how => this.#frozenStep(how, make),
    });
  }

  /** Lambda gives the function up when its time is over; its process goes on when it wakes. */
  async #frozenStep(
    { isBefore, ms, wakes }: Freeze,
    make: () => Promise<ServiceResult>,
  ): Promise<ServiceResult> {
    const { work, clock, play } = this.#world;
    if (!isBefore) await make();
    clock.at(clock.now() + ms, () => {
      wakes();
      if (!isBefore) return;
      work.begin();
      void make().finally(() => work.end());
    });
    await work.pause(clock, Math.min(ms, this.#observed.stepTimeoutMs ?? FUNCTION_TIMEOUT_MS));
    play.note('calls', 'fault', 'the function is given up, as its time is over');
    return failed('Sandbox.Timedout');
  }

  /** The execution is stopped, as by a person or another machine. */
  async #stop(executionArn: string): Promise<never> {
    const { work, stack, play } = this.#world;
    if (isExpress(executionArn)) {
      play.note('calls', 'fault', 'an Express execution cannot be stopped: its call is just never answered');
      return work.lose();
    }
    void stack.runtime.stopExecution({ executionArn });
    return work.lose();
  }

  #keyOf(call: ServiceCall): string {
    const { play } = this.#world;
    const beside = new RegExp(`${play.key}-beside-\\d`).exec(JSON.stringify(call.arguments))?.[0];
    return beside ?? play.key;
  }
}

/** The order in an execution's input, wherever its source has put it, and in whatever order its members are. */
function orderIn(text: string): Order | undefined {
  const key = /"key":"([^"]+)"/.exec(text)?.[1];
  const amount = /"amount":(\d+)/.exec(text)?.[1];
  const delivery = /"delivery":(\d+)/.exec(text)?.[1];
  if (key === undefined || amount === undefined) return undefined;
  return { key, amount: Number(amount), delivery: delivery === undefined ? undefined : Number(delivery) };
}

function resultIn(output: string | undefined): string | undefined {
  return /charge-\d+/.exec(output ?? '')?.[0];
}

function returned(payload: Json): ServiceResult {
  return { kind: 'succeeded', output: { ExecutedVersion: '$LATEST', Payload: payload, StatusCode: 200 } };
}

function failed(error: string): ServiceResult {
  return { kind: 'failed', error, cause: 'injected' };
}

/** As errors of an integration begin: `aws-sdk:sfn:describeExecution` is of `Sfn`. */
function serviceOf(resource: string): string {
  const [first = '', second = ''] = resource.split(':');
  if (first === 'aws-sdk')
    return second === 'dynamodb' ? 'DynamoDb' : `${second.charAt(0).toUpperCase()}${second.slice(1)}`;
  const known: Readonly<Record<string, string>> = {
    dynamodb: 'DynamoDB',
    lambda: 'Lambda',
    sqs: 'SQS',
    states: 'StepFunctions',
  };
  return known[first] ?? first;
}

function isExpress(executionArn: string): boolean {
  return executionArn.includes(':express:');
}
