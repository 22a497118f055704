import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../json/json';
import type { HttpAnswer, TestDelivery } from './delivery';
import { checkTarget } from './faults';
import type { ExecutionOutcome } from './recording';
import type { Outcome, TestStack } from './test-stack';

/**
 * The way to define a sentence for a runner: jest-cucumber's `given`, Cucumber's `Given`, and the like.
 *
 * @example
 * const ownSteps: StackSteps = ({ given }) =>
 *   given(/^an order of (\d+) euro$/, amount => orders.push(Number(amount)));
 */
export type DefineStep = (sentence: RegExp, meaning: (...found: string[]) => unknown) => unknown;

/**
 * What the steps of a runner are defined by.
 *
 * @example
 * const ownSteps = ({ then }: StepRunner) => then(/^nothing was charged$/, () => expect(charges).toEqual([]));
 */
export interface StepRunner {
  readonly given: DefineStep;
  readonly when: DefineStep;
  readonly then: DefineStep;
}

/**
 * A set of steps, as jest-cucumber's `autoBindSteps` takes it.
 *
 * @example
 * autoBindSteps(features, [...stackSteps(() => stack), ownSteps]);
 */
export type StackSteps = (runner: StepRunner) => void;

/**
 * Ready steps about the stack of a scenario: what goes wrong in it, what reaches it, and what has come of that. What a
 * sentence has in quotes is a state, or the construct path of a resource.
 *
 * They compare with `node:assert`, and know no runner: with jest-cucumber, give them to `autoBindSteps` beside your
 * own; with Cucumber, call each with `{ given: Given, when: When, then: Then }`.
 *
 * @param stack - the stack of the scenario that runs
 *
 * @example
 * autoBindSteps(features, [...stackSteps(() => stack), ownSteps]);
 */
export function stackSteps(stack: () => TestStack): readonly StackSteps[] {
  return [faultSteps(stack), deliverySteps(stack), outcomeSteps(stack), resourceSteps(stack)];
}

const UNITS_MS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

function faultSteps(stack: () => TestStack): StackSteps {
  return ({ given }) => {
    const faults = () => stack().faults;

    given(/^the answer of "([^"]+)" is lost$/, (target: string) => {
      faults().loseAnswer(target);
    });

    given(/^"([^"]+)" fails with (\S+)$/, (target: string, error: string) => {
      faults().failStep(target, { error });
    });

    given(/^"([^"]+)" fails (\d+) times with (\S+)$/, (target: string, times: string, error: string) => {
      faults().failStep(target, { error, times: Number(times) });
    });

    given(
      /^the execution is killed (before|after) the call of "([^"]+)"$/,
      (when: string, target: string) => {
        faults().killIn(target, { when: when === 'before' ? 'before' : 'after' });
      },
    );

    given(/^"([^"]+)" takes (\d+) (second|minute|hour)s?$/, (target: string, count: string, unit: string) => {
      faults().delayAnswer(target, { ms: msOf(count, unit), times: Number.POSITIVE_INFINITY });
    });

    given(/^"([^"]+)" never answers$/, (target: string) => {
      faults().freeze(target);
    });

    given(/^"([^"]+)" is throttled$/, (target: string) => {
      faults().throttle(target);
    });

    given(/^"([^"]+)" is answered with:$/, (target: string, output: string) => {
      faults().answerWith(target, jsonOf(output));
    });
  };
}

function deliverySteps(stack: () => TestStack): StackSteps {
  return ({ when }) => {
    const deliver = async (delivery: TestDelivery) => void (await stack().deliver(delivery));

    when(
      /^the event (\S+) of (\S+) is put on "([^"]+)":$/,
      (type: string, source: string, eventBus: string, detail: string) =>
        deliver({ eventBus, event: { source, 'detail-type': type, detail: jsonOf(detail) as JsonObject } }),
    );

    when(/^a message is sent to "([^"]+)":$/, (queue: string, body: string) => deliver({ queue, body }));

    when(/^a message is published to "([^"]+)":$/, (topic: string, message: string) =>
      deliver({ topic, message }),
    );

    when(/^"([^"]+)" is started with:$/, (stateMachine: string, input: string) =>
      deliver({ stateMachine, input: jsonOf(input) }),
    );

    when(/^(GET|DELETE) (\S+) is requested of "([^"]+)"$/, (method: string, path: string, restApi: string) =>
      deliver({ restApi, method, path }),
    );

    when(
      /^(POST|PUT|PATCH) (\S+) is requested of "([^"]+)":$/,
      (method: string, path: string, restApi: string, body: string) =>
        deliver({ restApi, method, path, body: jsonOf(body) }),
    );

    when(/^"([^"]+)" fires$/, (schedule: string) => deliver({ schedule }));

    when(/^the same is delivered again$/, () => deliver(lastDelivery(stack())));

    when(/^the same is delivered (\d+) times at once$/, (times: string) =>
      deliver({ ...lastDelivery(stack()), times: Number(times) }),
    );

    when(
      /^the same is delivered again (\d+) (second|minute|hour|day)s? later$/,
      async (count: string, unit: string) => {
        await stack().pass(msOf(count, unit));
        await deliver(lastDelivery(stack()));
      },
    );

    when(/^(\d+) (second|minute|hour|day)s? pass(?:es)?$/, async (count: string, unit: string) => {
      await stack().pass(msOf(count, unit));
    });
  };
}

function outcomeSteps(stack: () => TestStack): StackSteps {
  return ({ then }) => {
    const executionsOf = (path: string) => executionsIn(stack(), path);
    const only = (path: string) => {
      const executions = executionsOf(path);
      assert.equal(executions.length, 1, `one execution of ${path}, not ${executions.length}`);
      return executions[0] as ExecutionOutcome;
    };

    then(/^(no|one|\d+) executions? of "([^"]+)" (?:has|have) run$/, (count: string, path: string) => {
      assert.equal(executionsOf(path).length, numberOf(count));
    });

    then(/^the execution of "([^"]+)" has succeeded$/, (path: string) => {
      const { status, error, cause } = only(path);
      assert.equal(status, 'SUCCEEDED', `${status} ${error ?? ''} ${cause ?? ''}`);
    });

    then(/^the execution of "([^"]+)" has succeeded with:$/, (path: string, output: string) => {
      assert.deepEqual(only(path).output, jsonOf(output));
    });

    then(/^the execution of "([^"]+)" has failed with (\S+)$/, (path: string, error: string) => {
      assert.equal(only(path).error, error);
    });

    then(
      /^(one|\d+) executions? of "([^"]+)" (?:has|have) failed with (\S+)$/,
      (count: string, path: string, error: string) => {
        const failed = executionsOf(path).filter(execution => execution.error === error);
        assert.equal(failed.length, numberOf(count), `errors: ${executionsOf(path).map(each => each.error)}`);
      },
    );

    then(/^an execution of "([^"]+)" has been redriven$/, (path: string) => {
      const redriven = executionsOf(path).filter(({ redriveCount }) => redriveCount > 0);
      assert.notEqual(redriven.length, 0, `no execution of ${path} has been redriven`);
    });

    then(/^the executions of "([^"]+)" have the same output$/, (path: string) => {
      const outputs = executionsOf(path).map(({ output }) => JSON.stringify(output));
      assert.equal(new Set(outputs).size, 1, outputs.join('\n'));
    });
  };
}

function resourceSteps(stack: () => TestStack): StackSteps {
  return ({ then }) => {
    then(/^"([^"]+)" has been called (once|twice|(?:no|\d+) times)$/, (target: string, times: string) => {
      const { calls } = stack();
      // A call that cannot be made has been called no times, too.
      checkTarget(stack(), target);
      const made = calls.filter(({ stateName, resource }) => stateName === target || resource === target);
      assert.equal(made.length, numberOf(times.replace(' times', '')));
    });

    then(/^"([^"]+)" has (no|one|\d+) messages?$/, (queue: string, count: string) => {
      assert.equal(stack().messages(queue).length, numberOf(count));
    });

    then(/^the answer has status (\d+)$/, (status: string) => {
      assert.equal(answerIn(stack()).status, Number(status));
    });

    then(/^the answer is:$/, (body: string) => {
      assert.deepEqual(answerIn(stack()).body, jsonOf(body));
    });

    then(/^nothing is under way$/, () => {
      assert.deepEqual(lastOutcome(stack()).waiting, []);
    });

    then(/^every fault has happened$/, () => {
      const outstanding = stack().faults.outstanding.map(({ description }) => description);
      assert.deepEqual(outstanding, []);
    });
  };
}

function msOf(count: string, unit: string): number {
  return Number(count) * (UNITS_MS[unit] ?? 0);
}

const NUMBERS: Readonly<Record<string, number>> = { no: 0, one: 1, once: 1, twice: 2 };

function numberOf(word: string): number {
  return NUMBERS[word] ?? Number(word);
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Error(`a step is not followed by valid JSON: ${String(error)}\n${text}`, { cause: error });
  }
}

function lastDelivery({ lastDelivery: last }: TestStack): TestDelivery {
  assert.ok(last, 'nothing has been delivered yet');
  return last;
}

function lastOutcome({ lastOutcome: last }: TestStack): Outcome {
  assert.ok(last, 'nothing has happened yet');
  return last;
}

/** The executions of a state machine since the last thing that has happened, by its construct path. */
function executionsIn(stack: TestStack, path: string): readonly ExecutionOutcome[] {
  const { constructPath } = stack.find(path, 'AWS::StepFunctions::StateMachine');
  return lastOutcome(stack).executions.filter(({ stateMachine }) => stateMachine === constructPath);
}

function answerIn(stack: TestStack): HttpAnswer {
  const [answer] = lastOutcome(stack).answers ?? [];
  const { status } = (answer ?? {}) as { readonly status?: unknown };
  assert.equal(typeof status, 'number', 'the last event of the test must be a request of a REST API');
  return answer as HttpAnswer;
}
