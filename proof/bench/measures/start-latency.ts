import { fork } from 'node:child_process';
import { Agent } from 'node:http';
import { startLocal } from '@onceflow/local';
import { print } from './measure';
import { orderEvent } from './order-event';
import { requestJson } from './request-json';

// StartExecution at an endpoint with a state directory, at a rate that waits for no answer. Arguments: the folder of
// the synthesized assembly, an empty directory, starts per second, seconds, and what is started: the reference app's
// `workflow`, or a machine of one Pass state, `pass`. The stack is in a process of its own.

/** What the program prints: milliseconds from when a start was due until its answer. */
export interface LatencyMeasure {
  readonly executions: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Milliseconds of processor time that the stack took for each execution. */
  readonly cpuMs: number;
}

/** Where the stack is. */
interface Target {
  readonly endpoint: string;
  readonly stateMachineArn: string;
}

const [assembly = '', state = '', rate = '', seconds = '', machine = 'workflow', role] =
  process.argv.slice(2);
const WARM_UP_SECONDS = 3;

async function serve(): Promise<void> {
  const stack = await startLocal({ assembly, state, port: 0 });
  const endpoint = stack.endpoint;
  const stateMachineArn = machine === 'pass' ? await passMachine(endpoint) : stack.output('StateMachineArn');
  process.send?.({ endpoint, stateMachineArn } satisfies Target);
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.once('disconnect', () => void stack.close().then(() => process.exit()));
}

async function passMachine(endpoint: string): Promise<string> {
  const agent = new Agent();
  const definition = JSON.stringify({ StartAt: 'Pass', States: { Pass: { Type: 'Pass', End: true } } });
  const request = { name: 'pass', definition, roleArn: 'arn:aws:iam::111111111111:role/pass' };
  const made = await requestJson(
    { endpoint, agent },
    'states',
    'AWSStepFunctions.CreateStateMachine',
    request,
  );
  agent.destroy();
  return (made as { readonly stateMachineArn: string }).stateMachineArn;
}

async function measure(): Promise<void> {
  const child = fork(__filename, [...process.argv.slice(2, 6), machine, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const said = () => new Promise<unknown>(resolve => child.once('message', resolve));
  const cpuMs = async () => {
    child.send('cpu');
    const { user, system } = (await said()) as NodeJS.CpuUsage;
    return (user + system) / 1000;
  };
  const target = (await said()) as Target;
  const [warmUp, executions] = [WARM_UP_SECONDS * Number(rate), Number(seconds) * Number(rate)];
  await startAll(target, 0, warmUp);
  const cpuBefore = await cpuMs();
  const sorted = (await startAll(target, warmUp, executions)).toSorted((a, b) => a - b);
  const cpu = (await cpuMs()) - cpuBefore;
  const percentile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
  print({
    executions,
    p50: percentile(0.5),
    p99: percentile(0.99),
    max: percentile(1),
    cpuMs: cpu / executions,
  } satisfies LatencyMeasure);
  child.disconnect();
}

/** Resolves with the milliseconds of each start, when all are answered. */
function startAll(target: Target, first: number, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const latencies: Promise<number>[] = [];
  return new Promise((resolve, reject) => {
    const startDue = () => {
      for (; latencies.length < count; ) {
        const due = startedAt + (latencies.length * 1000) / Number(rate);
        if (due > performance.now()) break;
        const answered = startOne(agent, target, first + latencies.length).then(
          () => performance.now() - due,
        );
        answered.catch(reject);
        latencies.push(answered);
      }
      if (latencies.length < count) setTimeout(startDue, 1);
      else resolve(Promise.all(latencies).finally(() => agent.destroy()));
    };
    startDue();
  });
}

async function startOne(agent: Agent, { endpoint, stateMachineArn }: Target, index: number): Promise<void> {
  const input = JSON.stringify(orderEvent(index));
  await requestJson({ endpoint, agent }, 'states', 'AWSStepFunctions.StartExecution', {
    stateMachineArn,
    input,
  });
}

void (role === 'serve' ? serve() : measure());
