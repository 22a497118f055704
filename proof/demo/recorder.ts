import type { Clock, ExecutionDescription, Interceptor, LocalStack } from '@onceflow/local';
import { STATE } from '../../state-machine/contract/state-names';
import type { Bar, Chart, Lane, Step } from '../lanes/lanes';
import type { Channel } from './channels/channel';
import { detailOf, type WorkflowExecutions } from './executions';
import { STEP_FAILURE } from './faults';
import type { ProviderKind } from './options';
import { detailText, orderOf } from './order';
import { HAS_RECOVERY_NAME } from './recovery';

type Key = string | undefined;

/** What happened to an order, in the order in which it happened. */
export interface OrderStory extends Omit<Chart, 'label'> {
  /** The idempotency key's text; undefined for all events together that have none. */
  readonly key: Key;
}

const DELIVERIES: Lane = { id: 'deliveries', name: 'deliveries' };
const RECORD: Lane = { id: 'record', name: 'record' };
const PROVIDER: Lane = { id: 'provider', name: 'provider' };

/** A delivery that nothing has been started for yet. */
interface Open {
  readonly detail: string;
  readonly step: Changing<Step>;
}

type Changing<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** An order whose story goes on. */
interface Order {
  readonly steps: Changing<Step>[];
  readonly executions: Lane[];
  open: Open[];
  isCharged: boolean;
}

/** Takes down what happens to each order of a run. */
export class Recorder {
  readonly #clock: Clock;
  readonly #provider: ProviderKind;
  readonly #orders = new Map<Key, Order>();
  #executions: WorkflowExecutions | undefined;

  constructor(clock: Clock, provider: ProviderKind) {
    this.#clock = clock;
    this.#provider = provider;
  }

  /** Listens to a stack from now on; `executions` do already. */
  begin({ runtime, output }: LocalStack, executions: WorkflowExecutions): void {
    this.#executions = executions;
    const stateMachineArn = output('StateMachineArn');
    runtime.subscribe(({ kind, execution }) => {
      if (execution.stateMachineArn !== stateMachineArn) return;
      const order = this.#orderOf(executions.keyOf(execution.executionArn));
      if (kind === 'started') this.#start(order, execution);
      else if (kind === 'ended') this.#add(order, endOf(execution));
      else this.#add(order, redriveOf(execution));
    });
  }

  /** Each order that something happened to, in the order in which that began. */
  get stories(): readonly OrderStory[] {
    return [...this.#orders].map(([key, { steps, executions }]) => {
      const used = new Set(steps.flatMap(({ lane, bars }) => [lane, ...Object.keys(bars ?? {})]));
      const lanes = [DELIVERIES, ...executions, RECORD, PROVIDER].filter(({ id }) => used.has(id));
      return { key, lanes, steps };
    });
  }

  /** A channel whose deliveries are taken down. */
  watched(channel: Channel): Channel {
    return {
      ...channel,
      deliver: async event => {
        const order = this.#orderOf(orderOf(event.detail).key);
        const text = 'a duplicate: its execution name already exists, so it started nothing';
        const step = this.#add(order, { lane: DELIVERIES.id, mark: 'bounced', text });
        order.open.push({ detail: detailText(event.detail), step });
        const handover = await channel.deliver(event);
        order.open = order.open.filter(open => open.step !== step);
        if (handover.kind === 'taken') return handover;
        step.mark = 'rejected';
        step.text =
          handover.kind === 'rejected'
            ? `rejected before it started anything: ${handover.error}`
            : `not delivered: ${handover.message}`;
        return handover;
      },
    };
  }

  /** The recorder stands next to the services: a call that it sees was carried out, even if the answer is lost. */
  readonly interceptor: Interceptor = async (call, next) => {
    const change = RECORD_CHANGES[call.stateName];
    const key = this.#executions?.keyOf(call.executionArn);
    // An execution of another state machine, or one without a key, which gets nowhere.
    if (key === undefined || (change === undefined && call.stateName !== STATE.step)) return next();
    const order = this.#orderOf(key);
    const lane = call.executionArn;
    if (change !== undefined) {
      const answer = await next();
      if (answer.kind === 'failed') return answer;
      const mark = call.stateName === STATE.takeOver ? 'tookOver' : 'written';
      const bars = { [RECORD.id]: change };
      this.#add(order, { lane, to: RECORD.id, mark, text: `wrote the record: ${change.text}`, bars });
      return answer;
    }
    this.#add(order, { lane, to: PROVIDER.id, mark: 'ran', text: 'called the business step' });
    const answer = await next();
    if (answer.kind !== 'failed') this.#charge(order);
    else this.#add(order, { lane: PROVIDER.id, mark: 'rejected', text: failureOf(answer.error) });
    return answer;
  };

  #charge(order: Order): void {
    const isAnsweredAgain = order.isCharged && this.#provider === 'keyed';
    const mark = isAnsweredAgain ? 'repeated' : 'charged';
    const again = isAnsweredAgain
      ? 'asked once more, with the same key: answered with its charge'
      : 'charged the order again: it forgets its keys';
    const text = order.isCharged ? again : 'charged the order';
    order.isCharged = true;
    this.#add(order, { lane: PROVIDER.id, mark, text });
  }

  #start(order: Order, { executionArn, name, input }: ExecutionDescription): void {
    order.executions.push({
      id: executionArn,
      name: `execution ${order.executions.length + 1}`,
      title: name,
    });
    const bars = { [executionArn]: RUNNING };
    if (HAS_RECOVERY_NAME.test(name)) {
      const text = 'delivered again by recovery';
      this.#add(order, { lane: DELIVERIES.id, to: executionArn, mark: 'recovered', text, bars });
      return;
    }
    // Deliveries of one payload are alike: the first that nothing was started for stands for whichever it was.
    const detail = detailText(detailOf(input));
    const begun = order.open.find(open => open.detail === detail);
    const text = 'delivered: it starts an execution';
    const started = { lane: DELIVERIES.id, to: executionArn, mark: 'started', text, bars } as const;
    if (begun === undefined) this.#add(order, started);
    else Object.assign(begun.step, started);
    order.open = order.open.filter(open => open !== begun);
  }

  #orderOf(key: Key): Order {
    const known = this.#orders.get(key);
    if (known !== undefined) return known;
    const order: Order = { steps: [], executions: [], open: [], isCharged: false };
    this.#orders.set(key, order);
    return order;
  }

  #add(order: Order, step: Omit<Step, 'at'>): Changing<Step> {
    const added = { at: this.#clock.now(), ...step };
    order.steps.push(added);
    return added;
  }
}

const RUNNING: Bar = { tone: 'run' };

/** What the workflow's writes leave in the record. */
const RECORD_CHANGES: Readonly<Record<string, Required<Bar>>> = {
  [STATE.claim]: { tone: 'run', text: 'IN_PROGRESS' },
  [STATE.takeOver]: { tone: 'run', text: 'IN_PROGRESS, taken over' },
  [STATE.completed]: { tone: 'good', text: 'COMPLETED' },
  [STATE.resultStored]: { tone: 'good', text: 'COMPLETED' },
  [STATE.resultElsewhere]: { tone: 'good', text: 'COMPLETED' },
  [STATE.failed]: { tone: 'bad', text: 'FAILED' },
};

function endOf({ executionArn: lane, status, error }: ExecutionDescription): Omit<Step, 'at'> {
  const bars = { [lane]: null };
  if (status === 'SUCCEEDED') return { lane, mark: 'succeeded', text: 'succeeded', bars };
  if (status === 'ABORTED') return { lane, mark: 'killed', text: 'stopped', bars };
  return { lane, mark: 'rejected', text: `ended as ${status}: ${error ?? 'without an error'}`, bars };
}

function redriveOf({ executionArn: lane }: ExecutionDescription): Omit<Step, 'at'> {
  return { lane, mark: 'redriven', text: 'redriven: resumes where it stopped', bars: { [lane]: RUNNING } };
}

function failureOf(error: string): string {
  return error === STEP_FAILURE ? 'not reached: nothing was charged' : `the step failed: ${error}`;
}
