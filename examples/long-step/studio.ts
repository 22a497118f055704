import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  advanceBy,
  deliverEvent,
  type ExecutionDescription,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { LongStepStack } from './stack';
import { type Job, Worker } from './worker';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** How often a worker says that it lives. */
const HEARTBEAT_EVERY = 4 * MINUTE;

/** Synthesizes the stack into a directory of its own, which is the caller's to remove. */
export function synthesizeStudio(): { readonly assembly: string; remove(): void } {
  const assembly = mkdtempSync(path.join(tmpdir(), 'long-step-'));
  const remove = () => rmSync(assembly, { recursive: true, force: true });
  try {
    const app = new App({ outdir: assembly });
    new LongStepStack(app, 'LongStep');
    app.synth();
    return { assembly, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What the record of a film says. */
export interface RecordOfFilm {
  readonly status: string;
  readonly attempt: number;
  /** How the last attempt failed, where it did. */
  readonly error: string | undefined;
}

/** The workflow on the local stack in virtual time; workers reach it as they would reach AWS. */
export class Studio {
  readonly #stack: LocalStack;
  readonly #clock: VirtualClock;
  readonly #sfn: SFNClient;
  readonly #sqs: SQSClient;

  private constructor(stack: LocalStack, clock: VirtualClock) {
    [this.#stack, this.#clock] = [stack, clock];
    const client = {
      region: stack.region,
      endpoint: stack.endpoint,
      credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    };
    [this.#sfn, this.#sqs] = [new SFNClient(client), new SQSClient(client)];
  }

  static async open(assembly: string): Promise<Studio> {
    const clock = new VirtualClock(Date.parse('2026-11-20T09:00:00Z'));
    return new Studio(await startLocal({ assembly, clock, port: 0, seed: '1' }), clock);
  }

  /** Puts the order of a film on the bus; its workflow waits for a worker then. */
  async order(film: string, source = 'reel-1'): Promise<void> {
    const event = { source: 'studio', 'detail-type': 'FilmOrdered', detail: { film, source } };
    void deliverEvent(this.#stack, event, this.#stack.output('EventBusName'));
    await this.pass(0);
  }

  /** Starts an execution for a film past the bus, and lets it come to its end or to its wait. */
  async start(film: string, source = 'reel-1'): Promise<ExecutionDescription> {
    const { executionArn } = await this.#stack.runtime.startExecution({
      stateMachineArn: this.#stack.output('StateMachineArn'),
      input: JSON.stringify({ detail: { film, source } }),
    });
    await this.pass(0);
    return this.#stack.runtime.describeExecution({ executionArn });
  }

  /** A worker takes the next job; undefined where there is none for it. */
  takeJob(): Promise<Job | undefined> {
    return new Worker({
      sqs: this.#sqs,
      sfn: this.#sfn,
      dynamodb: this.#stack.dynamoDb.client,
      jobsQueueUrl: this.#stack.output('JobsQueueUrl'),
      filmsTable: this.#stack.output('FilmsTableName'),
    }).take();
  }

  /** Lets a worker work for so long, with its heartbeats; false as soon as it is told that nobody waits any more. */
  async work(job: Job, ms: number): Promise<boolean> {
    for (let left = ms; left > 0; left -= HEARTBEAT_EVERY) {
      await this.pass(Math.min(left, HEARTBEAT_EVERY));
      if (!(await job.heartbeat())) return false;
    }
    return true;
  }

  /** Publishes and tells so, as a worker at the end of its work; whether each was accepted. */
  async finish(job: Job, address: string): Promise<{ readonly published: boolean; readonly told: boolean }> {
    const published = await job.publish(address);
    const result = await job.published();
    const told = result !== undefined && (await job.succeed(result));
    await this.pass(0);
    return { published, told };
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#clock.now();
  }

  /** Lets time pass; nothing that waits for a worker ends by itself before its heartbeat is missed. */
  pass(ms: number): Promise<void> {
    return advanceBy(this.#stack.runtime, this.#clock, ms);
  }

  /** Lets time pass until every execution has ended. */
  async settle(): Promise<void> {
    await runToEnd(this.#stack.runtime, this.#clock);
  }

  /** Lets the queue deliver a job again, as a standard queue may: the message as it was. */
  deliverJobAgain({ message }: Job): void {
    this.#stack.queues.send(this.#stack.output('JobsQueueUrl'), JSON.stringify(message));
  }

  /** Stops the execution that waits for a film. */
  async stopOwner(film: string): Promise<void> {
    const item = await this.#item('RecordTableName', recordKey(film));
    const executionArn = item?.['owner']?.S ?? '';
    await this.#stack.runtime.stopExecution({ executionArn });
    await this.pass(0);
  }

  /** Every execution of the workflow, oldest first. */
  async executions(): Promise<ExecutionDescription[]> {
    const { runtime } = this.#stack;
    const stateMachineArn = this.#stack.output('StateMachineArn');
    const { executions } = await runtime.listExecutions({ stateMachineArn, maxResults: 1000 });
    const described = executions.map(({ executionArn }) => runtime.describeExecution({ executionArn }));
    return (await Promise.all(described)).reverse();
  }

  async recordOf(film: string): Promise<RecordOfFilm | undefined> {
    const item = await this.#item('RecordTableName', recordKey(film));
    if (item === undefined) return undefined;
    const error = item['error']?.S;
    return {
      status: item['status']?.S ?? '',
      attempt: Number(item['attempt']?.N),
      error: error === undefined ? undefined : String(JSON.parse(error).Error),
    };
  }

  /** Where a film is, and how often it was published. */
  async filmOf(
    film: string,
  ): Promise<{ readonly address: string | undefined; readonly publications: number }> {
    const item = await this.#item('FilmsTableName', { film: { S: film } });
    return { address: item?.['address']?.S, publications: Number(item?.['publications']?.N ?? 0) };
  }

  async close(): Promise<void> {
    this.#sfn.destroy();
    this.#sqs.destroy();
    await this.#stack.close();
  }

  async #item(table: 'RecordTableName' | 'FilmsTableName', Key: GetItemCommand['input']['Key']) {
    const TableName = this.#stack.output(table);
    const request = new GetItemCommand({ TableName, Key, ConsistentRead: true });
    return (await this.#stack.dynamoDb.client.send(request)).Item;
  }
}

function recordKey(film: string) {
  return { idempotencyKey: { S: `RenderFilm#${film}` } };
}
