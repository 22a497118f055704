import { createRequire } from 'node:module';
import path from 'node:path';
import { CONCURRENCY, print, timed } from './measure';
import { inputOf, passThrough, TASKS, THREE_TASKS } from './three-tasks';

// Three Task states on aws-local-stepfunctions, with the event log of every execution. Arguments: how many executions
// to time, and the folder that the package was installed into.

/** The part of the package that is called. */
interface Package {
  readonly StateMachine: new (definition: object) => { run(input: object, options: object): Run };
}

interface Run {
  readonly result: Promise<unknown>;
  readonly eventLogs: AsyncIterable<object>;
}

const executions = Number(process.argv[2]);
const folder = process.argv[3] ?? '';

// The package is written for Node 22, which has this function.
const promise = Promise as unknown as { withResolvers?: () => object };
promise.withResolvers ??= () => {
  let resolve: unknown;
  let reject: unknown;
  const made = new Promise((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise: made, resolve, reject };
};

async function measure(): Promise<void> {
  const load = createRequire(path.join(folder, 'package.json'));
  const { StateMachine } = load('aws-local-stepfunctions') as Package;
  const machine = new StateMachine(THREE_TASKS);
  const handlers = Object.fromEntries(TASKS.map(name => [name, passThrough]));
  const options = { overrides: { taskResourceLocalHandlers: handlers } };
  const logs: object[][] = [];
  const result = await timed(executions, executions, async count => {
    logs.length = 0;
    for (let start = 0; start < count; start += CONCURRENCY) {
      const batch = Array.from({ length: Math.min(CONCURRENCY, count - start) }, (_, index) => start + index);
      logs.push(...(await Promise.all(batch.map(index => logOf(machine.run(inputOf(index), options))))));
    }
  });
  const output = await machine.run(inputOf(1), options).result;
  if (JSON.stringify(output) !== JSON.stringify(inputOf(1))) throw new Error('an execution went another way');
  print({ ...result, events: logs.reduce((sum, log) => sum + log.length, 0) });
}

async function logOf({ result, eventLogs }: Run): Promise<object[]> {
  const log: object[] = [];
  for await (const event of eventLogs) log.push(event);
  await result;
  return log;
}

void measure();
