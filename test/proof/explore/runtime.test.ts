import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type Clock, type LocalStack, type ServiceCall, startLocal, WorkTracker } from '@onceflow/local';
import type { JsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import { type Ids, seededIds } from '../../../packages/local/runtime/ids';
import {
  type Call,
  currentState,
  type ExecutionState,
  leafOf,
  ORIGIN,
} from '../../../proof/explore/model/execution-state';
import { directName, inputOf } from '../../../proof/explore/model/inputs';
import type { ModelState, OrphanedRequest } from '../../../proof/explore/model/model-state';
import { hashedName } from '../../../proof/explore/model/recovery-name';
import { executionAt, initialState, KEY_NAME, StateSpace } from '../../../proof/explore/model/state-space';
import type { Subject } from '../../../proof/explore/model/subject';
import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import { successorsOf } from '../../../proof/explore/search/successors';
import { isBusiness } from '../../../proof/explore/transition/effects';
import { REJECTIONS, STEP_ERROR } from '../../../proof/explore/transition/faults';
import { LIMIT } from '../../../proof/explore/transition/limits';
import type { Step } from '../../../proof/explore/transition/step';
import { resultOf } from '../../../proof/explore/transition/steps';
import { assemblyOf } from '../../support/assembly';
import { runs } from '../../support/scale';
import { RECOVERED, shippedSubject } from './subject';

/** A clock that stands, and whose timers fire when the test says so. */
class StandingClock implements Clock {
  time = ORIGIN;
  /** The executions whose timers are set now, by index; undefined if unknown. */
  owner: number | undefined;
  readonly #timers = new Set<{
    readonly due: number;
    readonly owner: number | undefined;
    fire: () => void;
  }>();

  now(): number {
    return this.time;
  }

  at(due: number, action: () => void, isInBackground = false): () => void {
    const timer = { due, owner: this.owner, fire: action };
    if (due <= this.time) queueMicrotask(() => timer.fire());
    else if (!isInBackground) this.#timers.add(timer);
    return () => {
      timer.fire = () => undefined;
      this.#timers.delete(timer);
    };
  }

  /** Fires the last timer of an execution that is due by then, which may be long ago; false where it has none. */
  fire(owner: number, by = Number.POSITIVE_INFINITY): boolean {
    const timer = [...this.#timers].findLast(each => each.owner === owner && each.due <= by);
    if (timer) this.#timers.delete(timer);
    timer?.fire();
    return timer !== undefined;
  }
}

/** A request of an execution that waits for what the schedule makes of it. */
interface Held {
  readonly call: ServiceCall;
  readonly perform: () => Promise<JobResult>;
  readonly answer: (result: JobResult) => void;
  /** What it was answered, where the answer is on its way. */
  result?: JobResult;
}

const BUDGET = { deliveries: 3, faults: 3 };

/** The workflow on the local runtime, through the steps of the model. The requests of its recovery are held for ever. */
class OnTheRuntime {
  readonly #space: StateSpace;
  readonly #stack: LocalStack;
  readonly #clock: StandingClock;
  readonly #held: Map<string, Held>;
  readonly #orphans = new Map<OrphanedRequest, Held>();

  private constructor(space: StateSpace, stack: LocalStack, clock: StandingClock, held: Map<string, Held>) {
    this.#space = space;
    this.#stack = stack;
    this.#clock = clock;
    this.#held = held;
  }

  static async open(space: StateSpace): Promise<OnTheRuntime> {
    const clock = new StandingClock();
    const held = new Map<string, Held>();
    const work = new WorkTracker();
    const stack = await startLocal({
      assembly: assemblyOf(RECOVERED),
      clock,
      seed: '1',
      work,
      interceptor: (call, next) =>
        work.release(
          new Promise<JobResult>(answer => {
            const perform = () => next() as Promise<JobResult>;
            held.set(call.executionArn, { call, perform, answer });
          }),
        ),
    });
    return new OnTheRuntime(space, stack, clock, held);
  }

  close(): Promise<void> {
    return this.#stack.close();
  }

  /** Makes a step of the model. */
  async go(step: Step, before: ModelState): Promise<void> {
    const { name, after } = step;
    const [, verb = '', number = ''] = /^([a-z-]+)(\d*)/.exec(name) ?? [];
    const index = Number(number) - 1;
    this.#clock.time = after.now;
    this.#clock.owner = index;
    const added = after.orphans.find(orphan => !before.orphans.includes(orphan));
    const held = this.#heldBy(after, index);
    if (added && held) this.#orphans.set(added, held);
    await this.#make(verb, step, before, index);
    await this.#stack.runtime.work.idle();
  }

  async #make(verb: string, { name, after }: Step, before: ModelState, index: number): Promise<void> {
    const { runtime } = this.#stack;
    const detail = name.slice(name.indexOf(':') + 1);
    const failed = (error: string) => this.#answer(after, index, { kind: 'failed', error, cause: '' });
    switch (verb) {
      case 'start':
        await runtime.startExecution({
          stateMachineArn: this.#stack.output('StateMachineArn'),
          name: directName(index + 1),
          input: JSON.stringify(inputOf(name.endsWith('*') ? 1 : 0)),
        });
        return;
      case 'abort':
        await runtime.stopExecution({ executionArn: arnAt(this.#space, before, index) });
        return;
      case 'redrive':
        await runtime.redriveExecution({ executionArn: arnAt(this.#space, before, index) });
        return;
      case 'do':
      case 'wait':
        return this.#perform(after, index);
      case 'end':
        return this.#answer(after, index, this.#heldBy(before, index)?.result);
      case 'works':
        return this.#answer(after, index, resultOf(after.past.successes.length));
      case 'fail':
        return failed(STEP_ERROR);
      case 'kill':
        return failed('Sandbox.Timedout');
      case 'too-long':
        return failed('States.DataLimitExceeded');
      case 'lose-answer':
        return failed(`Lambda.${detail}`);
      case 'throttle':
        return failed(this.#errorOf(before, index, 'throttled'));
      case 'lose':
        await this.#carryOut(this.#heldBy(before, index));
        return failed(this.#errorOf(before, index, 'lost'));
      case 'delay':
        return failed(this.#errorOf(before, index, 'lost'));
      case 'limit':
        return this.#meetLimits(after, index, detail);
      case 'late':
        return this.#late(before, after);
      case 'timer':
        this.#clock.fire(index, before.now);
        return;
      case 'reject': {
        const rejection = REJECTIONS[detail];
        return this.#answer(after, index, rejection && { kind: 'failed', ...rejection });
      }
      case 'another': {
        const Item = this.#space.recordOf(after) as never;
        await this.#stack.dynamoDb.client.send(new PutItemCommand({ ...this.#table, Item }));
        return;
      }
      case 'ttl': {
        const Key = { [KEY_NAME]: this.#space.recordOf(before)?.[KEY_NAME] } as never;
        await this.#stack.dynamoDb.client.send(new DeleteItemCommand({ ...this.#table, Key }));
        return;
      }
      case 'never':
      case 'ends':
      case 'silence':
      case 'again':
      case 'pass':
      case 'near':
      case 'retention':
      case 'fortnight':
        return;
      default:
        throw new Error(`${name} is no step that the runtime can make`);
    }
  }

  /** Carries the request out; its answer comes at once where it does in the model. */
  async #perform(after: ModelState, index: number): Promise<void> {
    const held = this.#heldBy(after, index);
    if (!held || isBusiness(held.call)) return;
    held.result = await this.#carryOut(held);
    if (executionAt(this.#space, after, index).answer === null) await this.#answer(after, index, held.result);
  }

  /** Carries a request out; a run of the business step changes nothing here until it ends. */
  async #carryOut(held: Held | undefined): Promise<JobResult | undefined> {
    if (!held || isBusiness(held.call)) return undefined;
    const result = await held.perform();
    await this.#stack.runtime.work.idle();
    return result;
  }

  /** The request is answered; a retry is made at once, and answered the same until the model goes on elsewhere. */
  async #answer(after: ModelState, index: number, result: JobResult | undefined): Promise<void> {
    const first = this.#heldBy(after, index)?.call.stateName;
    if (!result || first === undefined) throw new Error('nothing to answer');
    const next = executionAt(this.#space, after, index).call?.stateName;
    do await this.#answerOnce(after, index, result);
    while (this.#heldBy(after, index)?.call.stateName === first && next !== first);
  }

  async #answerOnce(model: ModelState, index: number, result: JobResult): Promise<void> {
    const held = this.#heldBy(model, index);
    if (!held) return;
    const { executionArn, stateName } = held.call;
    this.#held.delete(executionArn);
    held.answer(result);
    await this.#stack.runtime.work.idle();
    const isRetried = !this.#held.has(executionArn) && (await this.#stateOf(executionArn)) === stateName;
    if (isRetried && this.#clock.fire(index)) await this.#stack.runtime.work.idle();
  }

  /** The state that an execution has entered last. */
  async #stateOf(executionArn: string): Promise<string | undefined> {
    const { events } = await this.#stack.runtime.getExecutionHistory({ executionArn, maxResults: 1000 });
    return events.findLast(event => event.stateEnteredEventDetails)?.stateEnteredEventDetails?.name;
  }

  async #meetLimits(after: ModelState, index: number, detail: string): Promise<void> {
    const isMade = !detail.startsWith('request');
    const made = isMade ? await this.#carryOut(this.#heldBy(after, index)) : LIMIT;
    return this.#answer(after, index, made?.kind === 'succeeded' ? LIMIT : made);
  }

  async #late(before: ModelState, after: ModelState): Promise<void> {
    const made = before.orphans.find(orphan => !after.orphans.includes(orphan));
    const held = made && this.#orphans.get(made);
    if (!held) throw new Error('no such request');
    await this.#carryOut(held);
  }

  #errorOf(before: ModelState, index: number, what: 'lost' | 'throttled'): string {
    const resource = executionAt(this.#space, before, index).call?.resource ?? '';
    const [prefix, throttled] = resource.startsWith('dynamodb')
      ? ['DynamoDB', 'ProvisionedThroughputExceededException']
      : resource === 'lambda:invoke'
        ? ['Lambda', 'TooManyRequestsException']
        : ['Sfn', 'SfnException'];
    return `${prefix}.${what === 'lost' ? 'SdkClientException' : throttled}`;
  }

  #heldBy(model: ModelState, index: number): Held | undefined {
    return model.executions[index] === undefined
      ? undefined
      : this.#held.get(arnAt(this.#space, model, index));
  }

  get #table() {
    return { TableName: this.#stack.output('RecordTableName') };
  }

  /** The record, each execution, and what it asks for. */
  async seen(model: ModelState): Promise<unknown> {
    const Key = { [KEY_NAME]: { S: 'ChargePayment#order-7' } };
    const { Item } = await this.#stack.dynamoDb.client.send(new GetItemCommand({ ...this.#table, Key }));
    const executions = model.executions.map(async (_, index) => {
      const executionArn = arnAt(this.#space, model, index);
      const { status, startDate, stopDate, redriveCount, output, error } =
        await this.#stack.runtime.describeExecution({ executionArn });
      const state = await this.#stateOf(executionArn);
      const held = this.#held.get(executionArn)?.call;
      const asks =
        held && status === 'RUNNING' ? { resource: held.resource, given: held.arguments } : undefined;
      return { status, startDate, stopDate, redriveCount, output, error, state, asks };
    });
    return { record: Item, executions: await Promise.all(executions) };
  }
}

function arnAt(space: StateSpace, model: ModelState, index: number): string {
  return executionAt(space, model, index).execution.arn;
}

/** The same as the model has it. What an execution has under way, once it is carried out, the model does not keep. */
function seenInModel(space: StateSpace, model: ModelState): unknown {
  const executions = model.executions.map((_, index) => {
    const state: ExecutionState = executionAt(space, model, index);
    const { status, startedAt, end, redriveCount } = state.execution;
    const { call } = state;
    return {
      status,
      startDate: startedAt,
      stopDate: end?.at,
      redriveCount,
      output: end?.output?.text,
      error: end?.error,
      state: currentState(state) === '' ? expect.any(String) : currentState(state),
      asks: call
        ? { resource: call.resource, given: givenTo(call) }
        : state.answer || leafOf(state.execution)?.waits?.kind === 'task'
          ? expect.anything()
          : undefined,
    };
  });
  return { record: space.recordOf(model), executions };
}

/** What a call is given; the model knows a recovery by what its name is made of. */
function givenTo({ resource, arguments: given }: Call): JsonObject {
  const isNamed = resource === 'aws-sdk:sfn:startExecution';
  return isNamed ? { ...given, Name: hashedName(String(given['Name'])) } : given;
}

/**
 * Not for the runtime: an owner that is forgotten after 90 days, since it forgets by how many there are; and one whose
 * state machine is deleted, since here all executions are of one machine.
 */
const isMade = ({ name }: Step) => !/^(?:forgotten|delete)/.test(name);

function chosen(steps: readonly Step[], model: ModelState, chance: Ids): Step | undefined {
  const faulty = steps.filter(({ after }) => after.faults < model.faults);
  const ordinary = steps.filter(step => !faulty.includes(step));
  const isFault = faulty.length > 0 && (ordinary.length === 0 || chance.random() < 0.15);
  const from = isFault ? faulty : ordinary;
  return from[Math.floor(chance.random() * from.length)];
}

/** The next step of a schedule; undefined at its end. */
type Choice = (steps: readonly Step[], model: ModelState) => Step | undefined;

function atRandom(seed: string): Choice {
  const chance = seededIds(seed);
  return (steps, model) => chosen(steps.filter(isMade), model, chance);
}

function following(schedule: string): Choice {
  const names = schedule.split(' ');
  return steps => {
    const name = names.shift();
    const step = steps.find(each => each.name === name);
    if (name !== undefined && !step) throw new Error(`${name} is not possible`);
    return step;
  };
}

/** One schedule, made by both; gives its steps. Rejects where they come to differ. */
async function bothWays(subject: Subject, choose: Choice): Promise<readonly string[]> {
  const space = new StateSpace(subject);
  const stack = await OnTheRuntime.open(space);
  const schedule: string[] = [];
  try {
    let model = initialState(space, BUDGET.deliveries, BUDGET.faults);
    for (;;) {
      const { steps } = successorsOf(space, model, ['direct']);
      const step = choose(steps, model);
      if (!step) return schedule;
      schedule.push(step.name);
      await stack.go(step, model);
      model = step.after;
      const seen = await stack.seen(model);
      expect({ schedule: schedule.join(' '), seen }).toEqual({
        schedule: schedule.join(' '),
        seen: seenInModel(space, model),
      });
    }
  } finally {
    await stack.close();
  }
}

describe('random schedules, in the exploration and on the local runtime', () => {
  test('after each step: the same record, and the same executions that ask for the same', async () => {
    const made = new Set<string>();
    for (let seed = 0; seed < Number(process.env['ONCEFLOW_SCHEDULES'] ?? runs(10, 40)); seed += 1)
      for (const step of await bothWays(shippedSubject(), atRandom(`${seed}`)))
        made.add(step.replace(/\d.*/, ''));

    expect(made.size).toBeGreaterThan(12);
  }, 600_000);

  test('an ended owner, the next delivery: starts recovery on both sides', async () => {
    const schedule = 'start1 do1 do1 abort1 ends1.1 pass start2 do2 do2 do2 end2';

    await expect(bothWays(shippedSubject(), following(schedule))).resolves.toHaveLength(11);
  });

  test('a timer that fires late: fires on both sides', async () => {
    const schedule =
      'start1 do1 do1 lose-answer1.1:SdkClientException ends1.1 pass start2 abort2 pass timer1';

    await expect(bothWays(shippedSubject(), following(schedule))).resolves.toHaveLength(10);
  });

  test('a definition that is not the deployed one: they come to differ', async () => {
    const mutation = MUTATIONS.find(({ name }) => name === 'takeover-same-attempt');
    if (!mutation) throw new Error('no such mutation');
    const other = mutated(shippedSubject(), mutation);
    const all = async () => {
      for (let seed = 0; seed < 20; seed += 1) await bothWays(other, atRandom(`${seed}`));
    };

    await expect(all()).rejects.toThrow(':next');
  }, 120_000);
});
