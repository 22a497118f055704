import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { type LocalStack, startLocal } from '@onceflow/local';
import { synthesized } from '../fixture';
import { type CallTool, callToolOnce, type Tools } from './agent';
import { AgentToolsStack } from './stack';

/** The tools on the local stack, which the agent reaches as it would reach AWS. */
export class World {
  readonly #stack: LocalStack;
  readonly #client: SFNClient;
  readonly #remove: () => void;
  readonly #toolRuns: string[];
  readonly #failing: Map<string, string>;

  private constructor(
    stack: LocalStack,
    remove: () => void,
    toolRuns: string[],
    failing: Map<string, string>,
  ) {
    [this.#stack, this.#remove, this.#toolRuns, this.#failing] = [stack, remove, toolRuns, failing];
    this.#client = new SFNClient({
      region: stack.region,
      endpoint: stack.endpoint,
      credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    });
  }

  static async open(): Promise<World> {
    const { assembly, remove } = synthesized(app => new AgentToolsStack(app, 'AgentTools'));
    const [toolRuns, failing] = [[] as string[], new Map<string, string>()];
    const stack = await startLocal({
      assembly,
      port: 0,
      interceptor: async ({ stateName, arguments: given }, next) => {
        if (stateName !== 'Business step') return next();
        const { run } = (given as unknown as { Payload: { input: { run: string } } }).Payload.input;
        toolRuns.push(run);
        const error = failing.get(run);
        failing.delete(run);
        return error === undefined ? next() : { kind: 'failed', error, cause: 'made up by the test' };
      },
    });
    return new World(stack, remove, toolRuns, failing);
  }

  /** Makes a tool call as the agent does; each try has a request id of its own. */
  readonly callTool: CallTool = (run, call) => callToolOnce(this.#tools, run, call, randomUUID());

  /** Lets the next run of a tool in this run of the agent fail before it has done anything. */
  failNext(run: string, error: string): void {
    this.#failing.set(run, error);
  }

  /** How often a tool was run in this run of the agent, failures included. */
  toolRunsOf(run: string): number {
    return this.#toolRuns.filter(one => one === run).length;
  }

  /** What the tools have done in a run of the agent, sorted: twice in the list is done twice. */
  async effectsOf(run: string): Promise<string[]> {
    const { Items = [] } = await this.#stack.dynamoDb.client.send(
      new ScanCommand({ TableName: this.#stack.output('EffectsTableName'), ConsistentRead: true }),
    );
    return Items.filter(item => item['run']?.S === run)
      .map(item => item['text']?.S ?? '')
      .sort();
  }

  async close(): Promise<void> {
    this.#client.destroy();
    await this.#stack.close();
    this.#remove();
  }

  get #tools(): Tools {
    const output = (name: string) => this.#stack.output(name);
    return {
      client: this.#client,
      table: output('RecordTableName'),
      retriedArn: output('RetriedArn'),
      decidedArn: output('DecidedArn'),
    };
  }
}
