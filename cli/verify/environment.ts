import { setTimeout as wait } from 'node:timers/promises';
import type { Local } from '../app/installed';
import type { Aws } from '../aws/aws';
import { clientsFor, type Target } from '../aws/clients';

/** The name of the stack of a verification, and the beginning of the names of all else that the command creates. */
export const STACK_NAME = 'onceflow-verify';

/** The source of the events that are published. */
export const EVENT_SOURCE = 'onceflow.verify';

/** The outputs of the stack. */
export interface Outputs {
  readonly workflow: string;
  readonly throttled: string;
  readonly recovery: string;
  readonly table: string;
  /** The custom event bus. */
  readonly bus: string;
  /** The target of requests, with a slash at the end. */
  readonly url: string;
  /** The same of the Express workflow. */
  readonly quickUrl: string;
}

/** The place of scenarios: AWS, another endpoint, or this process. */
export interface Environment {
  readonly aws: Aws;
  readonly outputs: Outputs;
  /** How many fresh events are timed. */
  readonly samples: number;
  /** Waits by the clock of the environment. */
  sleep(ms: number): Promise<void>;
  /** Waits for a moment in which an execution goes on, and no time passes where time is virtual. */
  moment(): Promise<void>;
  /** Waits for an answer that may need time to pass. */
  during<Answer>(answer: Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

/** How many events are timed where latencies mean something. */
const SAMPLES = 20;
const MOMENT_MS = 250;
/** How many moments to wait for something that happens at once. */
export const MOMENTS = 120;

/** The outputs of the stack, by the names that it gives them. */
export function outputsIn(values: Readonly<Record<string, string>>): Outputs {
  const named = (pattern: RegExp) => Object.entries(values).find(([name]) => pattern.test(name))?.[1] ?? '';
  return {
    workflow: named(/^WorkflowArn$/),
    throttled: named(/^ThrottledArn$/),
    recovery: named(/^RecoveryArn$/),
    table: named(/^TableArn$/),
    bus: named(/^BusArn$/),
    url: named(/^Workflow\w*Endpoint/),
    quickUrl: named(/^Quick\w*Endpoint/),
  };
}

/** A stack that is deployed somewhere. */
export function deployedEnvironment(aws: Aws, outputs: Outputs): Environment {
  const sleep = (ms: number) =>
    wait(ms, undefined, aws.signal ? { signal: aws.signal } : {}).then(() => undefined);
  return {
    aws,
    outputs,
    samples: SAMPLES,
    sleep,
    moment: () => sleep(MOMENT_MS),
    during: answer => answer,
    close: () => Promise.resolve(),
  };
}

/** The same stack in this process, on a virtual clock: what the others are compared with. */
export async function localEnvironment(
  local: Local,
  assembly: string,
  signal: AbortSignal,
): Promise<Environment> {
  const stack = await local.startTestStack({ assembly, startAt: Date.now() });
  const target: Target = { endpoint: stack.endpoint, region: stack.region };
  const clients = clientsFor(target, {}, signal);
  const sleep = (ms: number) => local.advanceBy(stack.runtime, stack.clock, ms);
  const time = {
    ...clients.time,
    elapsed: () => stack.now(),
    now: () => stack.now(),
    sleep,
  } as unknown as Aws['time'];
  const [outputs = {}] = Object.values(stack.outputs);
  return {
    aws: { ...clients, time },
    outputs: outputsIn(outputs),
    samples: 1,
    sleep,
    moment: () => wait(50).then(() => undefined),
    async during(answer) {
      let isDone = false;
      const settled = answer.finally(() => {
        isDone = true;
      });
      settled.catch(() => undefined);
      while (!isDone) {
        await Promise.race([settled.catch(() => undefined), wait(20)]);
        if (!isDone) await sleep(100);
      }
      return settled;
    },
    async close() {
      clients.close();
      await stack.close();
    },
  };
}
