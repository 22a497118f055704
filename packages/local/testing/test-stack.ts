import { LocalError } from '../local-error';
import { LOCAL_OPTIONS, type LocalOptions } from '../local-options';
import { problemWithNames } from '../option-names';
import { advanceBy, runToEnd } from '../runtime/drive';
import { TIME_MAX } from '../runtime/time/clock';
import { VirtualClock } from '../runtime/time/virtual-clock';
import { WorkTracker } from '../runtime/time/work-tracker';
import { type LocalStack, startLocal } from '../start-local';
import { send, type TestDelivery } from './delivery';
import { Faults } from './faults';
import { type Happenings, type RecordedCall, Recording } from './recording';

/**
 * What a stack for tests is started from: as `startLocal`, with a clock of its own, and a seed unless there is `state`.
 *
 * @example
 * const options: TestStackOptions = { assembly: 'cdk.out', startAt: '2026-01-01T00:00:00Z' };
 */
export interface TestStackOptions extends Omit<LocalOptions, 'clock' | 'work'> {
  /** The time at the start: a date, or a text or epoch milliseconds for one. @default 2026-01-01T00:00:00Z */
  readonly startAt?: Date | string | number;
}

const { clock: _clock, work: _work, ...FURTHER_OPTIONS } = LOCAL_OPTIONS;
const TEST_STACK_OPTIONS: Readonly<Record<keyof TestStackOptions, true>> = {
  ...FURTHER_OPTIONS,
  startAt: true,
};

/**
 * What came of something that a test did.
 *
 * @example
 * const { executions, waiting } = await stack.pass(60_000);
 */
export interface Outcome extends Happenings {
  /** How much clock time has passed until all was at rest, in milliseconds. */
  readonly ms: number;
  /**
   * The work that is not at rest, though no time would change that: executions, by ARN, that wait for a task token or
   * for another signal from outside. Empty where everything has ended.
   */
  readonly waiting: readonly string[];
  /** Of a delivery: what the senders were answered, one for each of its `times`. */
  readonly answers?: readonly unknown[];
}

/** What came of an action, and what it has answered. */
type Acted<Answer> = Outcome & { readonly answer: Answer };

/**
 * A stack for tests: its time is virtual, its calls are taken down, and can fail as a test wants.
 *
 * @example
 * const stack: TestStack = await startTestStack({ assembly: app.synth().directory });
 * await stack.deliver({ eventBus: 'Shop/Orders', event });
 */
export interface TestStack extends LocalStack {
  readonly clock: VirtualClock;
  readonly work: WorkTracker;
  /** The faults from now on. */
  readonly faults: Faults;
  /** Every call that state machines have made so far, in order. */
  readonly calls: readonly RecordedCall[];
  /** The last delivery by `deliver`. For the steps of a specification, which share nothing else. */
  readonly lastDelivery: TestDelivery | undefined;
  /** What came of the last `deliver`, `act` or `pass`, also of one that has failed. */
  readonly lastOutcome: Outcome | undefined;
  /**
   * Delivers to a receiver of the stack, and lets time pass until everything that it set off is at rest: executions,
   * messages, deliveries that are tried again, recoveries. Schedules do not fire meanwhile; see `pass`.
   *
   * `answers` is what the senders were answered, one for each of `times`.
   *
   * @throws LocalError `InvalidRequest` for a path that leads nowhere, a part that is missing, and a stack that is
   * closed; StatesError for a start that is rejected
   */
  deliver(delivery: TestDelivery): Promise<Outcome & { readonly answers: readonly unknown[] }>;
  /**
   * Does anything at all, such as `startOnce` with a client of the endpoint, and lets time pass until that and
   * everything it set off is at rest. Rejects as `action` does, when all is at rest.
   *
   * @throws LocalError `InvalidRequest` where the stack is closed, also before `action` has ended
   */
  act<Answer>(action: () => Promise<Answer>): Promise<Acted<Answer>>;
  /**
   * Lets so many milliseconds pass. Schedules fire, each time that they would.
   *
   * @throws LocalError `InvalidRequest` for a value that is not a time from 0, and if the stack is closed
   */
  pass(ms: number): Promise<Outcome>;
  /**
   * All messages of a queue, visible or not, by the queue's construct path. None of them is received.
   *
   * @throws LocalError `InvalidRequest` for a path that leads to no queue
   */
  messages(queue: string): NonNullable<ReturnType<LocalStack['queues']['peek']>>;
}

/**
 * Starts what a cloud assembly deploys for a test, on a virtual clock.
 *
 * @example
 * const stack = await startTestStack({ assembly: app.synth().directory });
 * stack.faults.loseAnswer('dynamodb:putItem');
 * const { executions } = await stack.deliver({ eventBus: 'Shop/Orders', event });
 *
 * @throws LocalError as `startLocal`; `InvalidRequest` for a `startAt` that is not a time
 */
export async function startTestStack(options: TestStackOptions): Promise<TestStack> {
  const { startAt = '2026-01-01T00:00:00Z', interceptor, ...rest } = withKnownNames(options);
  const clock = clockFrom(startAt);
  const work = new WorkTracker();
  const recording = new Recording(() => clock.now());
  const faults = new Faults({ clock, work, stack: () => stack });
  const stack = await startLocal({
    // With it, another stack on the same directory would draw the ids of the first again.
    ...(rest.state === undefined && { seed: '1' }),
    ...rest,
    clock,
    work,
    interceptor: recording.around((call, next) =>
      faults.interceptor(call, () => (interceptor ? interceptor(call, next) : next())),
    ),
  });

  const driver = new Driver(stack, clock, recording);
  let lastDelivery: TestDelivery | undefined;

  return {
    ...stack,
    clock,
    work,
    faults,
    get calls() {
      return recording.calls;
    },
    get lastDelivery() {
      return lastDelivery;
    },
    get lastOutcome() {
      return driver.lastOutcome;
    },
    act: action => driver.act(action),
    async deliver({ times = 1, ...delivery }) {
      checkTimes(times);
      lastDelivery = delivery as TestDelivery;
      const once = () => send(stack, delivery as TestDelivery);
      const all = () => Promise.all(Array.from({ length: times }, once));
      const { answer, ...outcome } = await driver.act(all, 'restApi' in delivery ? times : 0);
      return driver.remember({ ...outcome, answers: answer });
    },
    async pass(ms) {
      checkTime(ms, clock);
      const { answer: _none, ...outcome } = await driver.during(() => advanceBy(stack.runtime, clock, ms));
      return outcome;
    },
    messages: queue => stack.queues.peek(stack.find(queue, 'AWS::SQS::Queue').name) ?? [],
    close() {
      driver.isClosed = true;
      return stack.close();
    },
  };
}

/** Acts on a stack while its clock is driven, and remembers the last outcome. */
class Driver {
  isClosed = false;
  lastOutcome: Outcome | undefined;
  readonly #stack: LocalStack;
  readonly #clock: VirtualClock;
  readonly #recording: Recording;

  constructor(stack: LocalStack, clock: VirtualClock, recording: Recording) {
    this.#stack = stack;
    this.#clock = clock;
    this.#recording = recording;
  }

  remember<Result extends Outcome>(outcome: Result): Result {
    this.lastOutcome = outcome;
    return outcome;
  }

  async during<Answer>(drive: () => Promise<Answer>): Promise<Acted<Answer>> {
    if (this.isClosed) reject(CLOSED);
    const { ended, ...happened } = await watched(this.#stack, this.#recording, drive);
    const outcome = this.remember(happened);
    if (ended.status === 'rejected') throw ended.reason;
    return this.remember({ answer: ended.value, ...outcome });
  }

  /** @param requests - how many HTTP requests the action sends */
  act<Answer>(action: () => Promise<Answer>, requests = 0): Promise<Acted<Answer>> {
    const options = { clock: this.#clock, requests, isClosed: () => this.isClosed };
    return this.during(() => driven(this.#stack, options, action));
  }
}

/** Does something, and returns how it has ended and what has happened meanwhile. */
async function watched<Answer>(stack: LocalStack, recording: Recording, drive: () => Promise<Answer>) {
  const begun = stack.now();
  const end = recording.begin(stack);
  const [ended] = await Promise.allSettled([drive()]);
  const waiting = stack.runtime.running();
  return { ended, ...(await end()), ms: stack.now() - begun, waiting };
}

function withKnownNames(options: TestStackOptions): TestStackOptions {
  const problem = problemWithNames('`startTestStack`', options, TEST_STACK_OPTIONS);
  return problem === undefined ? options : reject(problem);
}

function clockFrom(startAt: Date | string | number): VirtualClock {
  const start = new Date(startAt).getTime();
  const isPossible = start <= TIME_MAX;
  if (!isPossible)
    reject(`\`startAt\` is a date before the year 10000, or a text or milliseconds for one, got ${startAt}`);
  return new VirtualClock(start);
}

function checkTimes(times: number): void {
  if (Number.isInteger(times) && times >= 1) return;
  reject(`\`times\` of a delivery is a whole number from 1, got ${times}`);
}

function checkTime(ms: number, clock: VirtualClock): void {
  if (!(Number.isFinite(ms) && ms >= 0)) reject(`a time to pass is in milliseconds from 0, got ${ms}`);
  if (clock.now() + ms > TIME_MAX)
    reject(`${ms} milliseconds from now is after the year 9999, the last there is`);
}

const CLOSED =
  'the stack is closed; start another for this test, and await what is done with it before it is closed';

/** @throws LocalError `InvalidRequest` */
function reject(problem: string): never {
  throw new LocalError('InvalidRequest', [problem]);
}

/** How long a look at what has come by the network is put off, in milliseconds of the machine. */
const NETWORK_MS = 1;

/** What an action is driven with: the clock stands until so many `requests` have reached the REST APIs. */
interface Driving {
  readonly clock: VirtualClock;
  readonly requests: number;
  readonly isClosed: () => boolean;
}

/** Does something and moves the clock until that has ended and all is at rest, or the stack is closed. */
async function driven<Answer>(
  { runtime, httpRequests }: LocalStack,
  { clock, requests, isClosed }: Driving,
  action: () => Promise<Answer>,
): Promise<Answer> {
  const expected = httpRequests.received + requests;
  let isDone = false;
  // A caller without types may give a function that answers no promise.
  const done = Promise.resolve(action()).finally(() => {
    isDone = true;
  });
  // The caller gets a failure when all is at rest.
  const ended = done.catch(() => undefined);
  while (!isDone) {
    // An action that never ends is given up with its test, or it would keep the process.
    if (isClosed()) reject(CLOSED);
    if (httpRequests.received >= expected) await runToEnd(runtime, clock);
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, NETWORK_MS))]);
  }
  await runToEnd(runtime, clock);
  return done;
}
