import type { Json } from '@onceflow/local';
import type { Service, ServiceTable } from '../../../packages/local/runtime/calls/service';
import { Runtime } from '../../../packages/local/runtime/runtime';
import { RealClock } from '../../../packages/local/runtime/time/real-clock';
import { CONCURRENCY } from './measure';
import { passThrough, THREE_TASKS } from './three-tasks';

/** A machine on the local runtime, keeping everything in memory. */
export interface Bench {
  readonly runtime: Runtime;
  /** Runs executions with these inputs, some at once; resolves when all have succeeded. Answers their ARNs. */
  run(inputs: readonly object[]): Promise<string[]>;
  /** The number of history events of these executions. */
  countEvents(executionArns: readonly string[]): Promise<number>;
}

/** Registers a definition on a runtime of its own. The services have to answer without waiting for anything. */
export function openBench(definition: string, services: ServiceTable): Bench {
  const report = (problem: Error) => {
    throw problem;
  };
  const runtime = new Runtime({ clock: new RealClock(), services, report });
  const { arn: stateMachineArn } = runtime.register(definition, { name: 'bench' });

  const run: Bench['run'] = async inputs => {
    const arns: string[] = [];
    for (let start = 0; start < inputs.length; start += CONCURRENCY) {
      const batch = inputs.slice(start, start + CONCURRENCY);
      const started = batch.map(input =>
        runtime.startExecution({ stateMachineArn, input: JSON.stringify(input) }),
      );
      for (const { executionArn } of await Promise.all(started)) arns.push(executionArn);
      await runtime.work.idle();
    }
    return arns;
  };
  const countEvents: Bench['countEvents'] = async arns => {
    let events = 0;
    for (const executionArn of arns) {
      const { status } = await runtime.describeExecution({ executionArn });
      if (status !== 'SUCCEEDED') throw new Error(`an execution of the bench is ${status}`);
      const history = await runtime.getExecutionHistory({ executionArn, maxResults: 1000 });
      events += history.events.length;
    }
    return events;
  };
  return { runtime, run, countEvents };
}

/** The three Task states that answer with what they are given. */
export function openThreeTasks(): Bench {
  const handler: Service = {
    async call(call) {
      const { Payload } = call.arguments as { readonly Payload: Json };
      return { kind: 'succeeded', output: await passThrough(Payload) };
    },
  };
  const definition = { QueryLanguage: 'JSONata', ...THREE_TASKS };
  return openBench(JSON.stringify(definition), new Map([['lambda:function', handler]]));
}
