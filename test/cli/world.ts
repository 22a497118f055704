import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { CommandContext } from '../../cli/actions/answer';
import { redriveKey } from '../../cli/actions/redrive';
import { releaseKey } from '../../cli/actions/release';
import type { Aws } from '../../cli/aws/aws';
import { openObjects } from '../../cli/aws/objects';
import { type Workflow, workflowOf } from '../../cli/aws/workflow';
import { show } from '../../cli/commands/show';
import { type Connection, connectionTo } from '../../cli/console/connection';
import type { Key } from '../../cli/key/input/key';
import { PLAIN, type Style, type Terminal } from '../../cli/terminal';
import type { AskedRange } from '../../cli/time-range';
import type { EpochMs } from '../../state-machine/contract/index';
import type { Variant } from '../support/variant';
import { openWorld, type World } from '../support/world';

const TARGET = { region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'y' } };
export const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
export const RECORD_KEY = 'ChargePayment#order-7';
export const KEY = keyOfText('order-7');

/** A scenario world that the commands work on, in its time, through real SDK clients. */
export interface CliWorld {
  readonly world: World;
  readonly aws: Aws;
  readonly workflow: Workflow;
  /** The environment of a command without a user at the terminal. */
  readonly context: CommandContext;
  show(orderId?: string, more?: { readonly range?: AskedRange; readonly limit?: number }): Promise<string>;
  /** What the release says, or why it rejects. */
  release(options?: { readonly isForced?: boolean; readonly isDeleted?: boolean }): Promise<string>;
  /** The same, with a user to ask. */
  asked(terminal: Terminal): Promise<string>;
  redrive(isForced?: boolean): Promise<string>;
  /** An owner that was stopped when its step had begun, and whose record is unfinished. */
  ownerStoppedInStep(): Promise<string>;
  close(): Promise<void>;
}

/** A key as the command line gives it. */
export function keyOfText(text: string): Key {
  return { value: text, text, form: 'text' };
}

/** A place whose pages also show executions with other names than those of the key: a world's deliveries have such. */
export function wideConnectionTo(...of: Parameters<typeof connectionTo>): Connection {
  return { ...connectionTo(...of), search: { sinceMs: 7 * 24 * 3_600_000, openedMax: 100 } };
}

/** There is no user to ask. */
export const NOBODY: Terminal = {
  style: PLAIN,
  progress: () => undefined,
  say: () => undefined,
  isAttended: false,
  confirm: () => Promise.resolve(false),
  readInput: () => Promise.resolve(''),
};

/** Opens a world for commands, with its state if a process has left one in a directory. */
export async function openCliWorld(variant?: Variant, state?: string): Promise<CliWorld> {
  const world = await openWorld(variant, { port: 0, ...(state !== undefined && { state }) });
  const config = { ...TARGET, endpoint: world.stack.endpoint };
  const sfn = new SFNClient(config);
  const dynamodb = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  const objects = openObjects({ ...config, forcePathStyle: true });
  const now = () => world.clock.now() as EpochMs;
  const aws: Aws = {
    sfn,
    sfnForExpress: sfn,
    dynamodb,
    sqs,
    objects: () => objects,
    localEndpoint: world.stack.endpoint,
    time: { now, elapsed: now, sleep: ms => world.pass(ms) },
  };
  const overrides = { table: undefined, scope: undefined, stepTimeoutMs: undefined };
  const workflow = await workflowOf(aws, world.stack.output('StateMachineArn'), overrides);
  const context = { aws, workflow, terminal: NOBODY };
  return {
    world,
    aws,
    workflow,
    context,
    async show(orderId = 'order-7', more = {}) {
      const key = keyOfText(orderId);
      const wanted = { key, range: { since: { ago: 7 * 24 * 3_600_000 } }, limit: 200, ...more } as const;
      return (await show.run(context, wanted)).text(PLAIN);
    },
    async release(options = {}) {
      const wanted = { key: KEY, isConfirmed: true, isForced: false, isDeleted: false };
      const answer = releaseKey(context, { ...wanted, ...options });
      return (await answer.catch(said)).text(PLAIN);
    },
    async asked(terminal) {
      const wanted = { key: KEY, isConfirmed: false, isForced: false, isDeleted: false };
      return (await releaseKey({ ...context, terminal }, wanted).catch(said)).text(PLAIN);
    },
    async redrive(isForced = false) {
      const answer = redriveKey(context, { key: KEY, isForced });
      return (await answer.catch(said)).text(PLAIN);
    },
    async ownerStoppedInStep() {
      const step = world.step;
      world.step = async () => world.never();
      const owner = await world.deliver(ORDER);
      await world.pass(1000);
      await world.stop(owner);
      world.step = step;
      return owner;
    },
    async close() {
      sfn.destroy();
      dynamodb.destroy();
      sqs.destroy();
      objects.close();
      await world.close();
    },
  };
}

function said(error: unknown): { text(style: Style): string } {
  if (error instanceof Error && error.name === 'Rejection') return { text: () => error.message };
  throw error;
}
