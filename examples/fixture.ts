import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetItemCommand, type GetItemInput, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  deliverEvent,
  type ExecutionDescription,
  type Interceptor,
  type LocalEvent,
  startTestStack,
  type TestStack,
  type TestStackOptions,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';

/** When every example begins. */
export const OPENS_AT = Date.parse('2026-11-20T09:00:00Z');

/** What `cdk synth` has written, and what removes it. */
export interface Synthesized {
  readonly assembly: string;
  remove(): void;
}

/** Synthesizes the stacks that `define` adds to an app. */
export function synthesized(define: (app: App) => unknown): Synthesized {
  const assembly = mkdtempSync(path.join(tmpdir(), 'onceflow-example-'));
  const remove = () => rmSync(assembly, { recursive: true, force: true });
  try {
    const app = new App({ outdir: assembly });
    define(app);
    app.synth();
    return { assembly, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A stack on the local runtime, in virtual time; its functions run for real. */
export class LocalApp {
  /** What happens to calls of the state machines from now on, before they reach a service. */
  faults: Interceptor = (_, next) => next();
  /** Whether recovery gets the executions that ended. */
  isRecovering = true;
  #stack: TestStack | undefined;

  /** Starts the stack. */
  async open(assembly: string, options: Omit<TestStackOptions, 'assembly'> = {}): Promise<this> {
    this.#stack = await startTestStack({
      assembly,
      startAt: OPENS_AT,
      interceptor: (call, next) => this.faults(call, next),
      deliveryInterceptor: async ({ ruleArn }, next) =>
        ruleArn.includes('Recovery') && !this.isRecovering ? { executionArn: 'lost' } : next(),
      ...options,
    });
    return this;
  }

  /** The stack, once it is open. */
  get stack(): TestStack {
    if (!this.#stack) throw new Error('the stack is not open');
    return this.#stack;
  }

  /**
   * Puts events on the bus of the output `EventBusName` at the same time, and lets time pass until all executions have
   * ended; returns these.
   */
  async publish(...events: readonly LocalEvent[]): Promise<ExecutionDescription[]> {
    const bus = this.stack.output('EventBusName');
    const all = () => Promise.all(events.map(event => deliverEvent(this.stack, event, bus)));
    return (await this.stack.act(all)).answer.flat();
  }

  /** Starts executions at the same time, past the bus, and lets time pass until they have ended. */
  async start(...inputs: readonly object[]): Promise<ExecutionDescription[]> {
    const { answer } = await this.stack.act(() => Promise.all(inputs.map(input => this.begin(input))));
    return Promise.all(answer.map(executionArn => this.execution(executionArn)));
  }

  /** Starts an execution of the machine of the output `StateMachineArn`, without waiting for its end. */
  async begin(input: object): Promise<string> {
    const stateMachineArn = this.stack.output('StateMachineArn');
    const request = { stateMachineArn, input: JSON.stringify(input) };
    return (await this.stack.runtime.startExecution(request)).executionArn;
  }

  /** The execution as it is now. */
  execution(executionArn: string): Promise<ExecutionDescription> {
    return this.stack.runtime.describeExecution({ executionArn });
  }

  /** All executions of the machine of the output `StateMachineArn`, the oldest first. */
  async executions(): Promise<ExecutionDescription[]> {
    const request = { stateMachineArn: this.stack.output('StateMachineArn'), maxResults: 1000 };
    const { executions } = await this.stack.runtime.listExecutions(request);
    const described = await Promise.all(executions.map(({ executionArn }) => this.execution(executionArn)));
    return described.reverse();
  }

  /** How often a state has called a service so far, retries included. */
  callsOf(stateName: string): number {
    return this.stack.calls.filter(call => call.stateName === stateName).length;
  }

  /** Ends an execution in the middle of a call, whose answer it never gets. */
  kill(executionArn: string): Promise<never> {
    void this.stack.runtime.stopExecution({ executionArn });
    return this.stack.work.lose();
  }

  /** Lets so many milliseconds pass. */
  async pass(ms: number): Promise<void> {
    await this.stack.pass(ms);
  }

  /** All items of the table that an output names. */
  async items(output: string) {
    const request = new ScanCommand({ TableName: this.stack.output(output), ConsistentRead: true });
    return (await this.stack.dynamoDb.client.send(request)).Items ?? [];
  }

  /** One item of the table that an output names; undefined if there is none. */
  async item(output: string, Key: GetItemInput['Key']) {
    const request = new GetItemCommand({ TableName: this.stack.output(output), Key, ConsistentRead: true });
    return (await this.stack.dynamoDb.client.send(request)).Item;
  }

  async close(): Promise<void> {
    await this.#stack?.close();
  }
}

/** Runs the command of an example, which ends with 0 only if `play` resolves to true. */
export function run(example: string, play: () => Promise<boolean>): void {
  // The SDK's notice about coming versions of Node is not about this run.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  play().then(
    isRight => {
      process.exitCode = isRight ? 0 : 1;
    },
    (error: unknown) => {
      process.stderr.write(`${example}: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
