import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

/** What the workflow gives its step; nothing of `arguments` has been checked. */
interface StepInput {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly input: {
    readonly run: string;
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  };
}

/** No two effects have the same id. */
interface Done {
  readonly effectId: string;
  readonly text: string;
}

/** What may be refunded without a person. */
const REFUND_CENTS_MAX = 50_000;

const dynamodb = new DynamoDBClient({});

/**
 * Runs a tool. Not idempotent on purpose: called twice, it has two effects, and the table shows them.
 *
 * @throws UnknownTool; RefundRejected for an amount that needs a person
 */
export async function handler({ input }: StepInput): Promise<Done> {
  const { run, tool, arguments: given } = input;
  const effectId = randomUUID();
  const text = textOf(tool, given);
  await dynamodb.send(
    new PutItemCommand({
      TableName: process.env['EFFECTS_TABLE'],
      Item: { effectId: { S: effectId }, run: { S: run }, tool: { S: tool }, text: { S: text } },
    }),
  );
  return { effectId, text };
}

function textOf(tool: string, given: StepInput['input']['arguments']): string {
  if (tool === 'sendMail') return `mail to ${given['to']}: ${given['subject']}`;
  if (tool === 'bookCourier') return `courier to ${given['city']} on ${given['day']}`;
  if (tool !== 'refund') throw named('UnknownTool', `there is no tool ${tool}`);
  if (Number(given['cents']) <= REFUND_CENTS_MAX) return `${given['cents']} cents of ${given['order']} back`;
  throw named('RefundRejected', `more than ${REFUND_CENTS_MAX} cents need a person`);
}

/** The workflow's error is the error's name. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
