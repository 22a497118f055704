import { Duration, Token } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type CfnQueue, type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { packageFunction } from '../private/package-function';
import {
  type IStartableWorkflow,
  type IWorkflowSource,
  type SourceOptions,
  VOLATILE,
  type Volatile,
} from './source';

/** Settings of `Source.queue`. */
export interface QueueSourceOptions extends SourceOptions {
  /** Messages that one invocation gets at most, 1 to 10. @default 10 */
  readonly batchSize?: number;
  /** Invocations at the same time, from 2 on. @default - as many as Lambda sees fit */
  readonly maxConcurrency?: number;
  /**
   * Members of messages that are EventBridge events which the workflow needs although they differ between deliveries.
   *
   * @default - `id`, `time` and `replay-name` of such messages are left out; plain messages stay as they are
   */
  readonly keep?: readonly Volatile[];
}

/**
 * Starts the workflow for every message of a queue. A message that was started is gone; one that could not be started
 * stays, and comes again after the queue's visibility timeout, until its redrive policy moves it away.
 */
export class QueueSource implements IWorkflowSource {
  readonly id: string;

  constructor(
    private readonly queue: IQueue,
    private readonly options: QueueSourceOptions,
  ) {
    this.id = options.id ?? queue.node.id;
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    if (this.queue.fifo) {
      throw new Error(
        '`Source.queue` takes standard queues, as a batch is started at once and in no order; got a FIFO queue',
      );
    }
    const timeout = workflow.startsWithin.plus(MARGIN);
    requireVisibility(this.queue, timeout);
    // Both layers, as for an event bus; but what cannot be started stays in the queue instead of going to another.
    const { batchSize = 10, maxConcurrency, keep = [] } = this.options;
    const volatile = VOLATILE.filter(name => !keep.includes(name));
    const dispatcher = workflow.startByKey(scope, { volatile });
    const starter = packageFunction(scope, 'Starter', 'start-from-queue', {
      description: 'Starts the workflow for the messages of a queue',
      environment: { DISPATCHER_ARN: dispatcher.stateMachineArn },
      timeout,
    });
    dispatcher.grantStartSyncExecution(starter);
    starter.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize,
        reportBatchItemFailures: true,
        ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
      }),
    );
  }
}

/** Refuses a queue that hands a message out again while the function still works on it: Lambda would refuse it, too. */
function requireVisibility(queue: IQueue, timeout: Duration): void {
  const { visibilityTimeout = VISIBILITY_DEFAULT_SECONDS } = (queue.node.defaultChild ??
    {}) as Partial<CfnQueue>;
  if (Token.isUnresolved(visibilityTimeout) || !(queue instanceof Queue)) return;
  if (visibilityTimeout >= timeout.toSeconds()) return;
  throw new Error(
    `\`Source.queue\` needs a queue whose visibility timeout is ${timeout.toSeconds()} seconds or longer, in which a ` +
      `batch is started; ${queue.node.path} has ${visibilityTimeout} seconds; raise its \`visibilityTimeout\``,
  );
}

const VISIBILITY_DEFAULT_SECONDS = 30;

/** Beyond the answer that the function waits for. */
const MARGIN = Duration.seconds(5);
