import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Time } from '../../client/time';
import { EXIT } from '../program/exit';
import { Rejection } from '../program/rejection';
import { sentenceFor } from './failures';
import type { Objects } from './objects';

/** What a command works with: clients, a clock, and the signal that ends it. */
export interface Aws {
  readonly sfn: SFNClient;
  /** The same, for calls that last as long as an Express execution. */
  readonly sfnForExpress: SFNClient;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  /** Objects in buckets. Their client is loaded by the one command that reads some. */
  readonly objects: () => Objects;
  readonly time: Time;
  /** The address of a stack on this machine; undefined on AWS. */
  readonly localEndpoint?: string | undefined;
  /** Aborts with Ctrl-C. */
  readonly signal?: AbortSignal;
}

/**
 * The answer of AWS, or undefined where it is the one error that is expected.
 *
 * `subject` is what the call is about, for the sentence that a person reads.
 *
 * @throws Rejection for every other error; the signal's reason after Ctrl-C
 */
export async function answerOf<Answer>(
  aws: Aws,
  operation: string,
  subject: string,
  call: Promise<Answer>,
  expectedError?: string,
): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    aws.signal?.throwIfAborted();
    if (expectedError !== undefined && error instanceof Error && error.name === expectedError)
      return undefined;
    throw new Rejection(sentenceFor(error, operation, subject), EXIT.failed, { cause: error });
  }
}
