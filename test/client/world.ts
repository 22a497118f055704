import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SFN, SFNClient, type SFNClientConfig } from '@aws-sdk/client-sfn';
import { type Json, type LocalStack, type ServiceResult, startLocal } from '@onceflow/local';
import { type StartOnceOptions, startOnce } from '../../client/index';
import { assemblyOf } from '../support/assembly';
import { answerOfRedriver } from '../support/redriver';
import type { Variant } from '../support/variant';

const PLACE = { region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'y' } };

/** The reference app behind an endpoint, in real time, with real SDK clients and a business step by script. */
export interface World {
  readonly stack: LocalStack;
  /** For the test's own look at things. */
  readonly sfn: SFN;
  /** Every invocation of the business step so far, as the key and the attempt. */
  readonly runs: string[];
  /** How the business step answers from now on. */
  step: () => ServiceResult | Promise<ServiceResult>;
  /** What the other calls of an execution wait for, by the name of their state. */
  readonly waitsFor: Map<string | undefined, Promise<void>>;
  /** A client as a user has it. */
  client(config?: SFNClientConfig): SFNClient;
  /** What a call for an order says, unless it says otherwise. */
  options(orderId: string, more?: Partial<StartOnceOptions>): StartOnceOptions;
  startOnce(orderId: string, more?: Partial<StartOnceOptions>): ReturnType<typeof startOnce>;
  /** Names of the executions so far, newest first. */
  executions(): Promise<string[]>;
  record(key: string): Promise<Record<string, { readonly S?: string; readonly N?: string }> | undefined>;
  /** Sets the record's expiry, in epoch seconds. */
  expire(key: string, expiry: number): Promise<void>;
  close(): Promise<void>;
}

/** The answer of a Lambda function whose business function returned this. */
export function returns(payload: Json): ServiceResult {
  return { kind: 'succeeded', output: { ExecutedVersion: '$LATEST', Payload: payload, StatusCode: 200 } };
}

/** Opens a world: the workflow of the reference app, or a variant of it. */
export async function openWorld(variant: Variant = { name: 'reference' }): Promise<World> {
  const runs: string[] = [];
  const waitsFor: World['waitsFor'] = new Map();
  const stack = await startLocal({
    assembly: assemblyOf(variant),
    port: 0,
    interceptor: async (call, next) => {
      await waitsFor.get(call.stateName);
      if (call.stateName !== 'Business step') return answerOfRedriver(stack, call) ?? next();
      const { Payload } = call.arguments as { Payload: { idempotencyKey: string; attempt: number } };
      runs.push(`${Payload.idempotencyKey} ${Payload.attempt}`);
      return Promise.resolve(world.step());
    },
  });
  const config = { ...PLACE, endpoint: stack.endpoint, disableHostPrefix: true };
  const sfn = new SFN(config);
  const clients = [sfn as SFNClient];
  const TableName = stack.output('RecordTableName');
  const stateMachineArn = stack.output('StateMachineArn');
  const keyOf = (key: string) => ({ idempotencyKey: { S: `ChargePayment#${key}` } });

  const world: World = {
    stack,
    sfn,
    runs,
    waitsFor,
    step: () => returns({ charge: runs.length }),
    client(more) {
      const client = new SFNClient({ ...config, ...more });
      clients.push(client);
      return client;
    },
    options: (orderId, more) => ({
      stateMachineArn,
      table: TableName,
      scope: 'ChargePayment',
      key: orderId,
      input: { detail: { orderId, amount: 12.5, currency: 'EUR' } },
      ...more,
    }),
    startOnce: (orderId, more) => startOnce(sfn, world.options(orderId, more)),
    async executions() {
      const { executions = [] } = await sfn.listExecutions({ stateMachineArn });
      return executions.map(({ name = '' }) => name);
    },
    async record(key) {
      const request = new GetItemCommand({ TableName, Key: keyOf(key), ConsistentRead: true });
      return (await stack.dynamoDb.client.send(request)).Item as Awaited<ReturnType<World['record']>>;
    },
    async expire(key, expiry) {
      const request = new UpdateItemCommand({
        TableName,
        Key: keyOf(key),
        UpdateExpression: 'SET expiry = :expiry',
        ExpressionAttributeValues: { ':expiry': { N: String(expiry) } },
      });
      await stack.dynamoDb.client.send(request);
    },
    async close() {
      for (const client of clients) client.destroy();
      await stack.close();
    },
  };
  return world;
}

/** A gate that a business step waits at, until it is opened. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>(resolve => {
    open = resolve;
  });
  return { passed, open };
}

/** Resolves as soon as the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(resolve => setTimeout(resolve, 5));
}
