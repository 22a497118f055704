import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

/** A batch of messages, as Lambda hands it over. */
interface Batch {
  readonly Records: readonly { readonly body: string }[];
}

const sqs = new SQSClient({});
/** As many messages as SQS takes at once. */
const BATCH = 10;

// #region split
/** Sends each record of S3's notifications to the workflow's queue, as a message of its own. */
export async function handler({ Records: messages }: Batch): Promise<void> {
  // The test message that S3 sends first has no records.
  const records = messages.flatMap(({ body }) => JSON.parse(body).Records ?? []);
  for (let from = 0; from < records.length; from += BATCH) {
    const Entries = records
      .slice(from, from + BATCH)
      .map((record, index) => ({ Id: String(index), MessageBody: JSON.stringify(record) }));
    const QueueUrl = process.env['WORKFLOW_QUEUE_URL'];
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    // Lambda delivers the batch again: what is sent twice is a duplicate for the workflow.
    if (Failed.length > 0) throw new Error(`${Failed.length} records were not sent`);
  }
}
// #endregion
