import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { deliverEvent, type ExecutionDescription } from '@onceflow/local';
import { LocalApp } from '../fixture';
import { type Job, Worker } from './worker';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** How often a worker says that it lives. */
const HEARTBEAT_EVERY = 4 * MINUTE;

/** What the record of a film says. */
export interface RecordOfFilm {
  readonly status: string;
  readonly attempt: number;
  /** The failure of the last attempt, if it failed. */
  readonly error: string | undefined;
}

/** The workflow on the local stack; workers reach it as they would reach AWS. */
export class Studio extends LocalApp {
  #sfn: SFNClient | undefined;
  #sqs: SQSClient | undefined;

  override open(assembly: string): Promise<this> {
    return super.open(assembly, { port: 0 });
  }

  /** Puts the order of a film on the bus; its workflow waits for a worker then. */
  async order(film: string, source = 'reel-1'): Promise<void> {
    const event = { source: 'studio', 'detail-type': 'FilmOrdered', detail: { film, source } };
    void deliverEvent(this.stack, event, this.stack.output('EventBusName'));
    await this.pass(0);
  }

  /** Starts an execution for a film past the bus, and lets it come to its end or to its wait. */
  async startFor(film: string, source = 'reel-1'): Promise<ExecutionDescription> {
    const executionArn = await this.begin({ detail: { film, source } });
    await this.pass(0);
    return this.execution(executionArn);
  }

  /** A worker takes the next job; undefined where there is none for it. */
  takeJob(): Promise<Job | undefined> {
    const { stack } = this;
    const client = {
      region: stack.region,
      endpoint: stack.endpoint,
      credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    };
    this.#sqs ??= new SQSClient(client);
    this.#sfn ??= new SFNClient(client);
    return new Worker({
      sqs: this.#sqs,
      sfn: this.#sfn,
      dynamodb: stack.dynamoDb.client,
      jobsQueueUrl: stack.output('JobsQueueUrl'),
      filmsTable: stack.output('FilmsTableName'),
    }).take();
  }

  /**
   * Lets a worker work for so long, with its heartbeats; false as soon as a heartbeat shows that no execution waits any
   * more.
   */
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

  /** Lets time pass until every execution has ended. */
  async settle(): Promise<void> {
    await this.stack.act(async () => undefined);
  }

  /** Lets the queue deliver a job again, as a standard queue may: the message as it was. */
  deliverJobAgain({ message }: Job): void {
    this.stack.queues.send(this.stack.output('JobsQueueUrl'), JSON.stringify(message));
  }

  /** Stops the execution that waits for a film. */
  async stopOwner(film: string): Promise<void> {
    const item = await this.item('RecordTableName', recordKey(film));
    const executionArn = item?.['owner']?.S ?? '';
    await this.stack.runtime.stopExecution({ executionArn });
    await this.pass(0);
  }

  async recordOf(film: string): Promise<RecordOfFilm | undefined> {
    const item = await this.item('RecordTableName', recordKey(film));
    if (item === undefined) return undefined;
    const error = item['error']?.S;
    return {
      status: item['status']?.S ?? '',
      attempt: Number(item['attempt']?.N),
      error: error === undefined ? undefined : String(JSON.parse(error).Error),
    };
  }

  /** The URL of a film, and how often it was published. */
  async filmOf(
    film: string,
  ): Promise<{ readonly address: string | undefined; readonly publications: number }> {
    const item = await this.item('FilmsTableName', { film: { S: film } });
    return { address: item?.['address']?.S, publications: Number(item?.['publications']?.N ?? 0) };
  }

  override async close(): Promise<void> {
    this.#sfn?.destroy();
    this.#sqs?.destroy();
    await super.close();
  }
}

function recordKey(film: string) {
  return { idempotencyKey: { S: `RenderFilm#${film}` } };
}
