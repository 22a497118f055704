import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { comparableSequencer } from './sequencer';

/** What the workflow gives its step; `input` is S3's event. */
interface StepInput {
  readonly input: {
    readonly 'detail-type': string;
    readonly detail: {
      readonly bucket: { readonly name: string };
      readonly object: { readonly key: string; readonly sequencer: unknown; readonly etag?: string };
    };
  };
}

/** Whether the catalogue shows what the event tells: false where it knew of something later. */
interface Noted {
  readonly isNewest: boolean;
}

const dynamodb = new DynamoDBClient({});

/**
 * Scans a version that was created, and notes what has become of its object.
 *
 * Not idempotent on purpose: called twice, it scans twice, which costs. The catalogue would bear it.
 */
export async function handler({ input }: StepInput): Promise<Noted> {
  const { bucket, object } = input.detail;
  const sequencer = comparableSequencer(object.sequencer);
  const name = `${bucket.name}/${object.key}`;
  const isDeleted = input['detail-type'] === 'Object Deleted';
  if (!isDeleted) await scan(name, object.etag ?? '');
  return { isNewest: await noteIfNewest(name, sequencer, isDeleted ? 'deleted' : (object.etag ?? '')) };
}

/** Stands for the work on each version: a search for viruses, a thumbnail, an invoice. */
async function scan(object: string, etag: string): Promise<void> {
  await dynamodb.send(
    new PutItemCommand({
      TableName: process.env['SCANS_TABLE'],
      Item: { scanId: { S: randomUUID() }, object: { S: object }, etag: { S: etag } },
    }),
  );
}

/**
 * An object that was deleted stays as one, or an event from before would bring it back. The same event again is taken:
 * the answer of the first write may have been lost.
 */
async function noteIfNewest(object: string, sequencer: string, state: string): Promise<boolean> {
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: process.env['CATALOGUE_TABLE'],
        Key: { object: { S: object } },
        UpdateExpression: 'SET sequencer = :sequencer, #state = :state',
        ConditionExpression: 'attribute_not_exists(sequencer) OR sequencer <= :sequencer',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':sequencer': { S: sequencer }, ':state': { S: state } },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
