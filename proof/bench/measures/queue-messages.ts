import { mkdtempSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import { startLocal } from '@onceflow/local';
import { print } from './measure';
import { requestJson } from './request-json';

// Messages that are sent to a queue of the reference app's stack with a state directory, received and deleted, each in
// batches of ten. Arguments: the folder of the synthesized assembly, a folder for a state directory, and how many.

/** What the program prints. */
export interface QueueMeasure {
  readonly messages: number;
  readonly seconds: number;
}

interface Received {
  readonly Messages?: readonly { readonly ReceiptHandle: string }[];
}

const [assembly = '', folder = '', count = ''] = process.argv.slice(2);
const BATCH = 10;
const CLIENTS = 8;
const BODY = 'x'.repeat(300);

async function measure(): Promise<void> {
  const state = mkdtempSync(path.join(folder, 'queue-'));
  const stack = await startLocal({ assembly, state, port: 0 });
  const target = { endpoint: stack.endpoint, agent: new Agent({ keepAlive: true }) };
  const call = (operation: string, body: object) =>
    requestJson(target, 'sqs', `AmazonSQS.${operation}`, body);
  const { QueueUrl } = (await call('CreateQueue', { QueueName: 'bench' })) as { readonly QueueUrl: string };
  const startedAt = performance.now();
  let left = Number(count) / BATCH;
  await together(async () => {
    while (left > 0) {
      left -= 1;
      const Entries = Array.from({ length: BATCH }, (_, n) => ({ Id: `m${n}`, MessageBody: BODY }));
      await call('SendMessageBatch', { QueueUrl, Entries });
    }
  });
  let messages = 0;
  await together(async () => {
    for (;;) {
      const answer = (await call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: BATCH })) as Received;
      const Entries = (answer.Messages ?? []).map(({ ReceiptHandle }, n) => ({ Id: `m${n}`, ReceiptHandle }));
      if (Entries.length === 0) return;
      messages += Entries.length;
      await call('DeleteMessageBatch', { QueueUrl, Entries });
    }
  });
  const seconds = (performance.now() - startedAt) / 1000;
  target.agent.destroy();
  await stack.close();
  if (messages !== Number(count)) throw new Error(`${messages} of ${count} messages were received`);
  print({ messages, seconds } satisfies QueueMeasure);
}

async function together(client: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

void measure();
