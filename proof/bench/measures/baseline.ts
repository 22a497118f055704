import { createRequire } from 'node:module';
import path from 'node:path';
import { CONCURRENCY, print, timed } from './measure';
import { inputOf, passThrough, TASKS, THREE_TASKS } from './three-tasks';

// Three Task states on aws-local-stepfunctions. Arguments: how many executions to time, the folder that the package was
// installed into, and `log` to read and keep the event log of each execution.

/** As much of the package as is called. */
interface Package {
  readonly StateMachine: new (definition: object) => { run(input: object, options: object): Run };
}

interface Run {
  readonly result: Promise<unknown>;
  readonly eventLogs: AsyncIterable<object>;
}

const executions = Number(process.argv[2]);
const folder = process.argv[3] ?? '';
const isLogged = process.argv[4] === 'log';
const logs: object[][] = [];

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
  const result = await timed(executions, executions, async count => {
    logs.length = 0;
    for (let start = 0; start < count; start += CONCURRENCY) {
      const batch = Array.from({ length: Math.min(CONCURRENCY, count - start) }, (_, index) => start + index);
      await Promise.all(batch.map(index => ended(machine.run(inputOf(index), options))));
    }
  });
  const output = await machine.run(inputOf(1), options).result;
  if (JSON.stringify(output) !== JSON.stringify(inputOf(1))) throw new Error('an execution went another way');
  print({ ...result, ...(isLogged && { events: logs.reduce((sum, log) => sum + log.length, 0) }) });
}

async function ended({ result, eventLogs }: Run): Promise<void> {
  if (isLogged) {
    const log: object[] = [];
    for await (const event of eventLogs) log.push(event);
    logs.push(log);
  }
  await result;
}

void measure();
