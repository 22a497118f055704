import type { JsonObject } from '@onceflow/local';
import { STATUS } from '../../state-machine/contract/record';
import { exampleOf } from '../app/example';
import { type Send, type ServedApi, type SourcesOfApp, sendsOfExample } from '../app/sends';
import { lastOf } from '../arns';
import { callLocalStack } from '../aws/local-stack';
import { jsonIn } from '../input-file';
import { EXIT } from '../program/exit';
import { Rejection, usage } from '../program/rejection';
import type { Terminal } from '../terminal';
import { printable, QUOTED_MAX, shortened } from '../text';
import type { Answer } from './answer';
import { inputText } from './start';

/** The words of `--source`, each with the kind of source that it means. */
export const SOURCES = {
  http: 'request',
  bus: 'event',
  'custom-bus': 'customEvent',
  queue: 'message',
  topic: 'notification',
} as const satisfies Readonly<Record<string, Send['kind']>>;

/** The event to send, and its workflow. */
export interface WhatToSend {
  readonly endpoint: string;
  /** The name or a part of the name of its state machine; undefined: the first. */
  readonly workflow: string | undefined;
  readonly source: keyof typeof SOURCES | undefined;
  /** A file, `-` for stdin, or JSON; undefined: the example. */
  readonly input: string | undefined;
  /** The `Idempotency-Key` of a request by HTTP; undefined: `key-1`. */
  readonly key: string | undefined;
  readonly isPlan: boolean;
}

/**
 * Sends an event through a source of a stack on this machine: the example that `onceflow dev` prints, or the given one.
 *
 * @throws Rejection if no stack answers, if it has no such source, or if the source does not take the event
 */
export async function sendToSource(
  wanted: WhatToSend,
  terminal: Pick<Terminal, 'readInput'>,
): Promise<Answer> {
  const { endpoint, isPlan, input, key } = wanted;
  const { sends, example } = await readSends(wanted);
  const send = withContent(chosen(sends, wanted.source), await contentOf(input, terminal));
  if (key !== undefined && send.kind !== 'request')
    throw usage(
      `--key is the header of a request by HTTP, and --source ${wordOf(send)} has no header. ` +
        'Leave --key out, and write the key into --input',
    );
  const answer = isPlan ? undefined : await deliver(endpoint, send, key);
  const keyOfExample = input === undefined && send.kind !== 'request' ? example.key : null;
  const asked = [...(keyOfExample ?? []), '--endpoint', endpoint].join(' ');
  const next =
    keyOfExample === null
      ? `onceflow list --status ${Object.values(STATUS).join()} ${asked}, or, if it was rejected, onceflow list --rejected ${asked}`
      : `onceflow show ${asked}`;
  const others = sends.filter(one => one.kind !== send.kind).map(wordOf);
  const isDone = answer?.status === undefined || answer.status < 400;
  return {
    code: isDone ? EXIT.done : EXIT.failed,
    json: { sent: send, answer: answer ?? null, key: keyOfExample },
    text: () =>
      `${[
        `${isPlan ? 'Would send to' : 'Sent to'} ${placeOf(send)}: ${printable(JSON.stringify(contentIn(send)))}`,
        ...(answer === undefined ? [] : [answerInWords(answer)]),
        ...(others.length === 0 ? [] : [`Other sources: --source ${[...new Set(others)].join(', ')}`]),
        ...(isPlan ? [] : [`Its outcome: ${printable(next)}`]),
      ].join('\n')}\n`,
  };
}

async function readSends({ endpoint, workflow }: WhatToSend) {
  const answer = await callLocalStack(endpoint, 'DescribeSources');
  if (answer.kind !== 'answer') {
    throw usage(
      `no stack of onceflow answers at ${endpoint}. Start one with \`onceflow dev\`, or pass its address with --endpoint. ` +
        'On AWS, publish the event as your app does',
    );
  }
  const app = answer.content as SourcesOfApp & { readonly restApis: readonly ServedApi[] };
  const named = app.stateMachines.filter(({ name }) => workflow !== undefined && name.includes(workflow));
  if (workflow !== undefined && named.length === 0) {
    const names = app.stateMachines.map(({ name }) => name).join(', ');
    throw usage(`the stack has no state machine ${workflow}. Check --state-machine; it has ${names}`);
  }
  // The first workflow is the one that is meant.
  const example = exampleOf([...named, ...app.stateMachines], app.rules);
  if (example === undefined) throw usage('the stack has no state machine, so nothing takes an event');
  return { example, sends: sendsOfExample(app, app.restApis, example) };
}

function chosen(sends: readonly Send[], source: WhatToSend['source']): Send {
  const send = sends.find(({ kind }) => source === undefined || kind === SOURCES[source]);
  if (send !== undefined) return send;
  const known = [...new Set(sends.map(wordOf))].join(', ');
  if (known === '')
    throw usage(
      'no source of the workflow has a known form: a filter or an `input` decides what it takes. ' +
        'Start the workflow with `onceflow start KEY --input FILE`',
    );
  throw usage(`the workflow has no ${source} whose form is known. It has ${known}`);
}

async function contentOf(input: string | undefined, terminal: Pick<Terminal, 'readInput'>) {
  if (input === undefined) return undefined;
  const content = jsonIn(await inputText(input, terminal), '--input');
  if (typeof content === 'object' && content !== null && !Array.isArray(content))
    return content as JsonObject;
  throw usage('--input must be a JSON object: what the publisher sends, such as {"orderId":"order-7"}');
}

function withContent(send: Send, content: JsonObject | undefined): Send {
  if (content === undefined) return send;
  switch (send.kind) {
    case 'event':
    case 'customEvent':
      return { ...send, detail: content };
    case 'message':
    case 'request':
      return { ...send, body: content };
    case 'notification':
      return { ...send, message: content };
  }
}

function contentIn(send: Send): JsonObject {
  return 'detail' in send ? send.detail : 'body' in send ? send.body : send.message;
}

function wordOf({ kind }: Send): string {
  return Object.entries(SOURCES).find(([, one]) => one === kind)?.[0] ?? kind;
}

function placeOf(send: Send): string {
  switch (send.kind) {
    case 'event':
      return `the event bus ${send.eventBus}, as ${send.detailType} of ${send.source}`;
    case 'customEvent':
      return `the custom event bus ${lastOf(send.eventBusArn)}, as ${send.detailType} of ${send.source}`;
    case 'message':
      return `the queue ${send.queue}`;
    case 'notification':
      return `the topic ${lastOf(send.topicArn)}`;
    case 'request':
      return `${send.method} ${send.url}`;
  }
}

/** An id that the source gave, or the answer by HTTP. */
interface Sent {
  readonly id?: string;
  readonly status?: number;
  readonly body?: string;
}

async function deliver(endpoint: string, send: Send, key = 'key-1'): Promise<Sent> {
  if (send.kind === 'request') {
    const { method, url, body } = send;
    const headers = { 'content-type': 'application/json', 'idempotency-key': JSON.stringify(key) };
    try {
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
      return { status: answer.status, body: await answer.text() };
    } catch {
      throw new Rejection(`${url} does not answer. Check that \`onceflow dev\` is running`);
    }
  }
  const answer = await callLocalStack(endpoint, 'Send', send);
  if (answer.kind === 'answer') return answer.content as Sent;
  const why = answer.kind === 'rejected' ? answer.message : `${endpoint} does not answer`;
  throw new Rejection(`${placeOf(send)} does not take it: ${why}`);
}

function answerInWords({ id, status, body = '' }: Sent): string {
  if (status === undefined) return `It was accepted as ${printable(id ?? '')}`;
  return `The answer is ${status}: ${shortened(printable(body), 2 * QUOTED_MAX)}`;
}
