import type { LocalOptions } from '../local-options';
import { Activity } from '../runtime/activity';
import { advanceBy, runToEnd } from '../runtime/drive';
import { VirtualClock } from '../runtime/virtual-clock';
import { type LocalStack, startLocal } from '../start-local';
import { send, type TestDelivery } from './delivery';
import { Faults } from './faults';
import { type Happenings, type RecordedCall, Recording } from './recording';

/** What a stack for tests is started from: as `startLocal`, with a clock of its own. */
export interface TestStackOptions extends Omit<LocalOptions, 'clock' | 'activity'> {
  /** The time at the start: a date, or a text or epoch milliseconds for one. @default 2026-01-01T00:00:00Z */
  readonly startAt?: Date | string | number;
}

/** What came of something that a test did. */
export interface Outcome extends Happenings {
  /** How much clock time has passed until all was at rest, in milliseconds. */
  readonly ms: number;
  /**
   * What is not at rest, though no time would change that: executions, by ARN, that wait for a task token or for
   * another signal from outside. Empty where everything has ended.
   */
  readonly waiting: readonly string[];
  /** Of a delivery: what the senders were answered, one for each of its `times`. */
  readonly answers?: readonly unknown[];
}

/** A stack for tests: its time is virtual, its calls are taken down, and can fail as a test wants. */
export interface TestStack extends LocalStack {
  readonly clock: VirtualClock;
  readonly activity: Activity;
  /** What goes wrong from now on. */
  readonly faults: Faults;
  /** Every call that state machines have made so far, in order. */
  readonly calls: readonly RecordedCall[];
  /** What was delivered last by `deliver`. For the steps of a specification, which share nothing else. */
  readonly lastDelivery: TestDelivery | undefined;
  /** What came of the last `deliver`, `act` or `pass`. */
  readonly lastOutcome: Outcome | undefined;
  /**
   * Delivers to a receiver of the stack, and lets time pass until everything that it set off is at rest: executions,
   * messages, deliveries that are tried again, recoveries. Schedules do not fire meanwhile; see `pass`.
   *
   * `answers` is what the senders were answered, one for each of `times`.
   *
   * @throws LocalError `InvalidRequest` for a path that leads nowhere; StatesError for a start that is refused
   */
  deliver(delivery: TestDelivery): Promise<Outcome & { readonly answers: readonly unknown[] }>;
  /**
   * Does anything at all, such as `startOnce` with a client of the endpoint, and lets time pass until that and
   * everything it set off is at rest. Rejects as `action` does, when all is at rest.
   */
  act<Answer>(action: () => Promise<Answer>): Promise<Outcome & { readonly answer: Answer }>;
  /** Lets so many milliseconds pass. Schedules fire, each time that they would. */
  pass(ms: number): Promise<Outcome>;
}

/**
 * Starts what a cloud assembly deploys for a test, on a virtual clock.
 *
 * @example
 * const stack = await startTestStack({ assembly: app.synth().directory });
 * stack.faults.loseAnswer('dynamodb:putItem');
 * const { executions } = await stack.deliver({ eventBus: 'Shop/Orders', event });
 *
 * @throws LocalError as `startLocal`
 */
export async function startTestStack(options: TestStackOptions): Promise<TestStack> {
  const { startAt = '2026-01-01T00:00:00Z', interceptor, ...rest } = options;
  const clock = new VirtualClock(new Date(startAt).getTime());
  const activity = new Activity();
  const recording = new Recording(() => clock.now());
  const faults = new Faults({ clock, activity, stack: () => stack });
  const stack = await startLocal({
    seed: '1',
    ...rest,
    clock,
    activity,
    interceptor: recording.around((call, next) =>
      faults.interceptor(call, () => (interceptor ? interceptor(call, next) : next())),
    ),
  });

  let lastDelivery: TestDelivery | undefined;
  let lastOutcome: Outcome | undefined;
  function came<Came extends Outcome>(outcome: Came): Came {
    lastOutcome = outcome;
    return outcome;
  }

  async function during<Answer>(
    drive: () => Promise<Answer>,
  ): Promise<Outcome & { readonly answer: Answer }> {
    const begun = clock.now();
    const end = recording.begin(stack);
    const answer = await drive();
    const waiting = stack.runtime.running();
    return came({ answer, ...(await end()), ms: clock.now() - begun, waiting });
  }
  return {
    ...stack,
    clock,
    activity,
    faults,
    get calls() {
      return recording.calls;
    },
    get lastDelivery() {
      return lastDelivery;
    },
    get lastOutcome() {
      return lastOutcome;
    },
    act: action => during(() => driven(stack, clock, action)),
    async deliver({ times = 1, ...delivery }) {
      lastDelivery = delivery as TestDelivery;
      const once = () => send(stack, delivery as TestDelivery);
      const all = () => Promise.all(Array.from({ length: times }, once));
      const requests = 'restApi' in delivery ? times : 0;
      const { answer, ...outcome } = await during(() => driven(stack, clock, all, requests));
      return came({ ...outcome, answers: answer });
    },
    async pass(ms) {
      const { answer: _none, ...outcome } = await during(() => advanceBy(stack.runtime, clock, ms));
      return outcome;
    },
  };
}

/** How long a look at what has come by the network is put off, in milliseconds of the machine. */
const NETWORK_MS = 1;

/**
 * Does something and moves the clock until that has ended and all is at rest. The clock stands until so many requests
 * have reached the REST APIs.
 */
async function driven<Answer>(
  { runtime, httpRequests }: LocalStack,
  clock: VirtualClock,
  action: () => Promise<Answer>,
  requests = 0,
): Promise<Answer> {
  const expected = httpRequests.received + requests;
  let isDone = false;
  const done = action().finally(() => {
    isDone = true;
  });
  // Whoever calls hears of a failure when all is at rest.
  const ended = done.catch(() => undefined);
  while (!isDone) {
    if (httpRequests.received >= expected) await runToEnd(runtime, clock);
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, NETWORK_MS))]);
  }
  await runToEnd(runtime, clock);
  return done;
}
