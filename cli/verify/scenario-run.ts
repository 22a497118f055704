import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type DescribeExecutionOutput,
  type HistoryEvent,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { Json } from '@onceflow/local';
import { startOnceIn } from '../../client/start-once';
import { describe, historyOf, listExecutions } from '../aws/executions';
import { each } from '../concurrency';
import { type Environment, EVENT_SOURCE, MOMENTS } from './environment';
import { publish } from './publish';

/** An order, as the step takes it. */
export interface Order {
  readonly amount: number;
  readonly step?: 'slow' | 'fail';
}

/** Why a scenario could not be run to its end; no finding about the workflow. */
export class ScenarioAborted extends Error {
  override readonly name = 'ScenarioAborted';
}

/** What a scenario recorded: the answers, and the executions by their labels. */
export interface Transcript {
  readonly notes: Readonly<Record<string, Json>>;
  readonly executions: Readonly<Record<string, TranscribedExecution>>;
}

export interface TranscribedExecution {
  readonly description: DescribeExecutionOutput;
  readonly events: readonly HistoryEvent[];
}

/** How long an end is waited for, in milliseconds: recovery waits for the step's time, and a minute more. */
const END_WITHIN_MS = 10 * 60_000;
const LOOK_EVERY_MS = 2_000;
/** So many executions are looked through: those of one run are some forty. */
const LISTED_MAX = 1000;

/** What a scenario can do and ask for. Keys have the id of the run in them: no two runs share one. */
export class ScenarioRun {
  readonly #notes: Record<string, Json> = {};
  readonly #executions = new Map<string, string>();
  readonly #samples: string[] = [];
  readonly #latencies: number[] = [];

  constructor(
    readonly environment: Environment,
    private readonly runId: string,
  ) {}

  /** How long fresh events took, from their start to their end, in milliseconds. */
  get latencies(): readonly number[] {
    return this.#latencies;
  }

  /** Keeps an answer, to be compared. */
  readonly note = (name: string, value: Json): void => {
    this.#notes[name] = value;
  };

  keyOf(name: string): string {
    return `${name}-${this.runId}`;
  }

  /** `startOnce`, and waits for the result. */
  async once(label: string, name: string, order: Order) {
    const { aws, outputs } = this.environment;
    const key = this.keyOf(name);
    const answer = await startOnceIn(aws.time, aws.sfn, {
      stateMachineArn: outputs.workflow,
      table: outputs.table,
      scope: 'Workflow',
      key,
      input: inputOf(key, order),
      waitUpTo: END_WITHIN_MS,
      dynamodb: aws.dynamodb,
    });
    const { executionArn, ...rest } = answer;
    this.#executions.set(label, executionArn);
    this.note(label, rest as unknown as Json);
    return executionArn;
  }

  /** A fresh event more, for its time alone. */
  async timed(name: string): Promise<void> {
    const { executionArn } = await this.start('', name, { amount: 1 });
    this.#samples.push(executionArn);
    this.#latencies.push(durationOf(await this.ended(executionArn)));
  }

  /** The histories of the events that were only timed. */
  samples(): Promise<readonly (readonly HistoryEvent[])[]> {
    return each(this.#samples, async arn => (await historyOf(this.environment.aws, arn)) ?? []);
  }

  /** Starts an execution, under a name of its own if one is given, and keeps it under its label. */
  async start(
    label: string,
    name: string,
    order: Order,
    {
      machine = 'workflow',
      as = '',
    }: { readonly machine?: 'workflow' | 'throttled'; readonly as?: string } = {},
  ): Promise<{ readonly executionArn: string; readonly startedAt: number | undefined }> {
    const { aws, outputs } = this.environment;
    const key = this.keyOf(name);
    const { executionArn = '', startDate } = await aws.sfn.send(
      new StartExecutionCommand({
        stateMachineArn: outputs[machine],
        name: `${key}${as}`,
        input: JSON.stringify(inputOf(key, order)),
      }),
      { abortSignal: aws.signal },
    );
    if (label !== '') this.#executions.set(label, executionArn);
    return { executionArn, startedAt: startDate?.getTime() };
  }

  async stop(executionArn: string): Promise<void> {
    const { sfn, signal } = this.environment.aws;
    const stop = new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'by onceflow verify' });
    await sfn.send(stop, { abortSignal: signal });
  }

  /** Waits for an end. */
  ended(
    executionArn: string,
    isEnd = (status: string) => status !== 'RUNNING',
  ): Promise<DescribeExecutionOutput> {
    return this.#until(`the end of ${executionArn}`, async () => {
      const description = await describe(this.environment.aws, executionArn);
      return description && isEnd(String(description.status)) ? description : undefined;
    });
  }

  /** Waits, with hardly any time passing, until the history is so far. */
  async soon(
    executionArn: string,
    what: string,
    isThere: (events: readonly HistoryEvent[]) => boolean,
  ): Promise<void> {
    for (let moments = 0; moments < MOMENTS; moments += 1) {
      const status = (await describe(this.environment.aws, executionArn))?.status;
      if (isThere((await historyOf(this.environment.aws, executionArn)) ?? [])) return;
      if (status !== 'RUNNING') throw new ScenarioAborted(`the execution ended (${status}) without ${what}`);
      await this.environment.moment();
    }
    throw new ScenarioAborted(`the history never had ${what}`);
  }

  /** Waits for the execution of recovery that the end of this one has started, and for its end. */
  async recoveryOf(executionArn: string, label: string): Promise<void> {
    await this.find(label, 'recovery', `"${executionArn}"`);
  }

  /** Waits for an execution with this text in its input, and for its end; keeps it under its label. */
  async find(label: string, machine: 'workflow' | 'recovery', text: string): Promise<void> {
    const { aws, outputs } = this.environment;
    const known = new Set<string>();
    const what = `an execution of ${machine}, which should have been started`;
    const found = await this.#until(what, async () => {
      const { items } = await listExecutions(aws, {
        stateMachineArn: outputs[machine],
        since: 0,
        namesMax: LISTED_MAX,
      });
      const fresh = items.flatMap(one => one.executionArn ?? []).filter(arn => !known.has(arn));
      const inputs = await each(fresh, async arn => [arn, (await describe(aws, arn))?.input ?? ''] as const);
      for (const arn of fresh) known.add(arn);
      return inputs.find(([, input]) => input.includes(text))?.[0];
    });
    this.#executions.set(label, found);
    await this.ended(found);
  }

  /** Publishes an order on the custom event bus. */
  async publish(name: string, order: Order): Promise<void> {
    const { aws, outputs } = this.environment;
    if (outputs.bus === '') throw new ScenarioAborted('the stack has no custom event bus at this endpoint');
    const Detail = JSON.stringify(inputOf(this.keyOf(name), order).detail);
    await publish(aws, outputs.bus, { Source: EVENT_SOURCE, DetailType: 'OrderPlaced', Detail });
  }

  /** A request by HTTP to a front door; the key is its header. Keeps what a client sees. */
  async request(
    label: string,
    name: string | undefined,
    body: Json,
    at: 'url' | 'quickUrl' = 'url',
  ): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      ...(name !== undefined && { 'Idempotency-Key': `"${this.keyOf(name)}"` }),
    };
    if (this.environment.outputs[at] === '')
      throw new ScenarioAborted('the stack has no URL at this endpoint');
    const url = `${this.environment.outputs[at]}orders`;
    const sent = fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    });
    const answer = await this.environment
      .during(sent.then(async got => ({ got, text: await got.text() })))
      .catch(error => {
        throw new ScenarioAborted(`nothing answers requests at ${url} (${(error as Error).message})`);
      });
    this.note(label, {
      status: answer.got.status,
      type: answer.got.headers.get('content-type')?.split(';')[0] ?? '',
      body: parsed(answer.text),
    });
  }

  /** Keeps where the owner in a record has the name of its execution, which is a UUID: no place is -1. */
  async placeOfName(label: string, scope: string, name: string): Promise<void> {
    const { aws, outputs } = this.environment;
    const key = `${scope}#anonymous,${this.keyOf(name)}`;
    const read = new GetItemCommand({ TableName: outputs.table, Key: { idempotencyKey: { S: key } } });
    const { Item } = await aws.dynamodb.send(read, { abortSignal: aws.signal });
    const parts = (Item?.['owner']?.S ?? '').split(':');
    const isUuid = (part: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(part);
    this.note(label, { kind: parts[5] ?? '', place: parts.findIndex(isUuid), parts: parts.length });
  }

  /** Looks again and again, by the clock of the environment. */
  async #until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
    for (let ms = 0; ms < END_WITHIN_MS; ms += LOOK_EVERY_MS) {
      const found = await look();
      if (found !== undefined) return found;
      await this.environment.sleep(LOOK_EVERY_MS);
    }
    throw new ScenarioAborted(`not within ${END_WITHIN_MS / 60_000} minutes: ${what}`);
  }

  /** The recorded answers, with the history of each execution. */
  async transcript(): Promise<Transcript> {
    const executions: Record<string, TranscribedExecution> = {};
    for (const [label, arn] of this.#executions) {
      const description = await this.ended(arn);
      executions[label] = { description, events: (await historyOf(this.environment.aws, arn)) ?? [] };
      if (label === 'first') this.#latencies.push(durationOf(description));
    }
    return { notes: this.#notes, executions };
  }
}

const inputOf = (orderId: string, order: Order) => ({ detail: { orderId, ...order } });

function durationOf({ startDate, stopDate }: DescribeExecutionOutput): number {
  return (stopDate?.getTime() ?? 0) - (startDate?.getTime() ?? 0);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
