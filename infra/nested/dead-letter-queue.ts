import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge, FINDING } from '../cdk/acknowledge';
import { queueEncryption } from '../cdk/customer-key';

/** A queue for what could not be processed: encrypted, over TLS only, kept for as long as SQS keeps anything. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, { fifo = false }: { readonly fifo?: boolean } = {}) {
    super(scope, id, {
      // A FIFO queue or topic has a FIFO dead-letter queue.
      ...(fifo && { fifo }),
      ...queueEncryption(scope),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this, FINDING.noDeadLetterQueue, 'it is itself the place for what could not be processed');
  }
}
