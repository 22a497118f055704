import { Annotations, Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { atSynthesis } from '../../state-machine/template/at-synthesis';
import { compareEnvironment, queueUrlFor } from '../../state-machine/template/environment';
import { functionTimeout } from '../../state-machine/template/function-timeout';
import { ResolvedTime } from '../../state-machine/template/resolved-time';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { grantData } from '../cdk/customer-key';
import { requireOwn } from '../cdk/resource-bounds';
import { withConstructPath } from '../cdk/with-construct-path';
import { packageFunction } from '../nested/package-function';
import { checkMessages } from './check-messages';
import { AROUND_A_MESSAGE, type EnvelopeName } from './envelope/envelopes';
import type { Outcomes } from './outcomes';
import {
  CHECK_AFTER_MAX,
  isDefinedHere,
  validateQueue,
  validateQueueOptions,
  visibilityOf,
} from './validate-queue';
import { VOLATILE, validateKeep } from './volatile-members';
import type { IStartableWorkflow, IWorkflowSource, SourceOptions } from './workflow-source';

/**
 * Settings of `Source.queue`.
 *
 * @example
 * Source.queue(queue, { batchSize: 10, maxConcurrency: 20 })
 */
export interface QueueSourceOptions extends SourceOptions {
  /** Messages that one invocation gets at most, 1 to 10; of a FIFO queue 1. @default - 10, of a FIFO queue 1 */
  readonly batchSize?: number;
  /**
   * Invocations at the same time, 2 to 1,000. Without a bound Lambda goes up to 1,000, the whole concurrency of an
   * account, and tries far more starts than the quota lets through.
   *
   * @default 20
   * @see https://github.com/onceflow/onceflow/blob/main/docs/reference/limits.md#deliveries-per-second
   */
  readonly maxConcurrency?: number;
  /**
   * Own members of your messages, the same for each delivery. These are `id`, `time` and `replay-name`, which are
   * otherwise left out of messages that are EventBridge events. These are also names that SQS, SNS and Lambda put
   * around a message, such as `messageId`, which synthesis otherwise rejects in expressions.
   *
   * @default - none
   */
  readonly keep?: readonly string[];
  /**
   * The workflow's input: JSONata in `{% %}` over the message's body, such as `{% {'detail': $states.input} %}`, for
   * a workflow with other sources. It must give an object, the same for each delivery of a message. A message for which
   * it does not, or cannot be evaluated, starts nothing, and goes to the dead-letter queue. For a Standard workflow.
   *
   * @default - the body
   */
  readonly input?: string;
  /**
   * When a message is deleted. `finished`: when its key is finished. If the step fails, the queue starts it again until
   * its redrive policy moves the message to the dead-letter queue. `started`: when its execution has started, whatever
   * happens to the execution. An Express workflow is always `finished`, because the source waits for its end.
   *
   * @default finished
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/sources.md#a-queue
   */
  readonly deleteWhen?: 'finished' | 'started';
  /**
   * How long after its start a message's key is checked, from 1 second to 3 hours. A message is in flight until then,
   * and a queue can have at most 120,000 messages in flight: if most steps are quick and many messages come, check
   * sooner. If the step is still running, the check is repeated, each time after twice as long. Not for an Express
   * workflow.
   *
   * @default - the time that the step may take: its function's timeout and half a minute, or `stepTimeout`; at most 3
   * hours. For a FIFO queue 2 seconds, because the next message of the group waits for the check
   */
  readonly checkAfter?: Duration;
  /** The visibility timeout of a queue that is defined elsewhere. @default - not checked, with a warning */
  readonly visibilityTimeout?: Duration;
  /** The `maxReceiveCount` of a queue that is defined elsewhere. @default - not checked, with a warning */
  readonly maxReceiveCount?: number;
}

/** The name of every option of `Source.queue`. */
const QUEUE_SOURCE_OPTIONS: Readonly<Record<keyof QueueSourceOptions, true>> = {
  id: true,
  batchSize: true,
  maxConcurrency: true,
  keep: true,
  input: true,
  deleteWhen: true,
  checkAfter: true,
  visibilityTimeout: true,
  maxReceiveCount: true,
};

/**
 * Starts the workflow for every message of a queue. A message stays until its key is finished; one that was not, or
 * could not be started, comes again, until the queue's redrive policy moves it away. Of a FIFO queue the next message
 * of a group is started when the one before it is gone.
 *
 * @example
 * workflow.startFrom(Source.queue(queue, { batchSize: 10 }));
 */
export class QueueSource implements IWorkflowSource {
  readonly id: string;

  /** @throws Error for a value that is not a queue, and for an unknown option */
  constructor(
    private readonly queue: IQueue,
    private readonly options: QueueSourceOptions,
    private readonly envelope: EnvelopeName = 'queue',
  ) {
    if (typeof queue?.queueUrl !== 'string') {
      throw new Error(`\`Source.queue\` takes a queue, got ${describeValue(queue)}`);
    }
    withConstructPath(queue, () => validateNames('Source.queue', options, QUEUE_SOURCE_OPTIONS));
    const { id = queue.node.id } = options;
    this.id = id;
  }

  get deadLetterQueues(): readonly IQueue[] {
    const kept = this.queue instanceof Queue ? this.queue.deadLetterQueue?.queue : undefined;
    return kept ? [kept] : [];
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    requireOwn('Source.queue', this.queue, this.queue.queueArn, scope);
    requirePermittable(this.queue, scope);
    const {
      batchSize = this.queue.fifo ? 1 : 10,
      maxConcurrency = CONCURRENCY,
      keep = [],
      input,
      deleteWhen,
    } = this.options;
    const { outcomes } = workflow;
    if (input !== undefined && !outcomes) {
      throw new Error(
        '`input` needs a STANDARD workflow, because an Express workflow gets a message as it is, without a dispatcher that ' +
          "makes another input. Leave `input` or `type: 'EXPRESS'` out",
      );
    }
    if (outcomes && !outcomes.isRecovered) {
      throw new Error(
        'a source with a queue needs `recovery`, because a message waits for its key. With Recovery.none(), the key of an ' +
          'execution that ended stays in progress until the message is in the dead-letter queue. Leave `recovery` out',
      );
    }
    const timeout = batchTimeout(workflow);
    validateKeep(keep, [...VOLATILE, ...AROUND_A_MESSAGE]);
    const checked = deleteWhen === 'started' ? undefined : outcomes;
    validateQueueOptions(this.queue, this.options, outcomes === undefined);
    const checkAfter = checked && this.checkAfter(checked);
    if (!isDefinedHere(this.queue)) adviseSettings(scope, this.options, checked !== undefined);
    // Both layers, as for an event bus; but what cannot be started stays in the queue instead of going to another.
    // An Express workflow gets a message as it is.
    const volatile = outcomes ? VOLATILE.filter(name => !keep.includes(name)) : [];
    const dispatcher = workflow.startByKey(scope, {
      volatile,
      envelope: this.envelope,
      keep,
      input,
      namesRecord: checked !== undefined,
    });
    const starter = packageFunction(scope, STARTER, 'start-from-queue', {
      description: 'Starts the workflow for the messages of a queue',
      environment: {
        [outcomes ? 'DISPATCHER_ARN' : 'WORKFLOW_ARN']: dispatcher.stateMachineArn,
        QUEUE_URL: queueUrlFor(scope, this.queue),
        // An Express workflow has ended when its start is answered.
        DELETE_WHEN: checked ? 'finished' : 'started',
      },
      timeout,
    });
    dispatcher.grantStartSyncExecution(starter);
    grantData(dispatcher, starter);
    atSynthesis(scope, () => {
      const seconds = functionTimeout(starter) ?? timeout.toSeconds();
      validateQueue(this.queue, this.options, { timeoutSeconds: seconds, checkAfter: checkAfter?.seconds() });
      // Of an Express workflow it is also the time between two runs of a step that fails: for the team to say.
      if (outcomes) adviseVisibility(scope, visibilityOf(this.queue, this.options), seconds);
    });
    starter.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize,
        reportBatchItemFailures: true,
        maxConcurrency,
      }),
    );
    if (checked && checkAfter) {
      checkMessages(scope, { queue: this.queue, starter, outcomes: checked, checkAfter });
    }
  }

  private checkAfter({ stepTimeout }: Outcomes): ResolvedTime {
    const { checkAfter } = this.options;
    if (checkAfter) return ResolvedTime.of(checkAfter);
    if (this.queue.fifo) return ResolvedTime.of(FIFO_CHECK_AFTER);
    return stepTimeout.map(seconds => Math.min(seconds, CHECK_AFTER_MAX.toSeconds()));
  }
}

/** Rejects a queue whose policy CDK would change: it cannot name roles in another account that have no name. */
function requirePermittable(queue: IQueue, scope: Construct): void {
  const { account } = compareEnvironment(queue, queue.queueArn, scope);
  if (account !== 'other' || !(queue instanceof Queue)) return;
  throw new Error(
    `\`Source.queue\` takes a queue of another account by its ARN, such as Queue.fromQueueArn(…), got ${queue.node.path}. ` +
      'Its policy must permit the functions of the source to receive, hide and delete messages',
  );
}

/** Warns about the unchecked settings of a queue that is defined elsewhere, because they are unknown at synthesis. */
function adviseSettings(scope: Construct, options: QueueSourceOptions, isChecked: boolean): void {
  const { visibilityTimeout, maxReceiveCount } = options;
  // A message that is deleted when its execution has started is not received again for a step that failed.
  const needed = { visibilityTimeout, ...(isChecked && { maxReceiveCount }) };
  const unknown = Object.entries(needed).flatMap(([name, given]) => (given === undefined ? [name] : []));
  if (unknown.length === 0) return;
  const names = unknown.map(name => `\`${name}\``).join(' and ');
  Annotations.of(scope).addWarningV2(
    'onceflow:queueNotChecked',
    `another app defines the queue, so its ${names} could not be checked. A visibility timeout that is too short ` +
      'delivers messages again while they are started; without a redrive policy, a failing message never stops. ' +
      `Pass the ${names} of the queue to \`Source.queue\``,
  );
}

function adviseVisibility(scope: Construct, seconds: number | undefined, timeoutSeconds: number): void {
  const advised = timeoutSeconds * VISIBILITY_TIMEOUTS;
  if (seconds === undefined || seconds >= advised) return;
  Annotations.of(scope).addWarningV2(
    'onceflow:queueVisibility',
    `the queue has a visibility timeout of ${seconds} seconds; AWS recommends at least ${advised}, six ` +
      'times the timeout of the function that reads it. While Lambda cannot run the function, each visibility timeout ' +
      'uses up a receive, so a message might reach the dead-letter queue without a start. Raise its `visibilityTimeout`',
  );
}

/** The visibility timeout that a queue should have: time for Lambda to invoke the function again if it is throttled. */
export function advisedVisibility(timeout: Duration): Duration {
  return Duration.seconds(timeout.toSeconds() * VISIBILITY_TIMEOUTS);
}

/** The same for a queue of a source's own, whatever timeout the template gives the function that reads it. */
export function ownVisibility(scope: Construct, workflow: IStartableWorkflow): Duration {
  const starter = () => functionTimeout(scope.node.findChild(STARTER) as LambdaFunction) ?? 0;
  const timeout = new ResolvedTime(() => Math.max(batchTimeout(workflow).toSeconds(), starter()));
  return timeout.map(seconds => seconds * VISIBILITY_TIMEOUTS).duration;
}

const STARTER = 'Starter';

/** AWS Lambda Developer Guide, "Creating and configuring an Amazon SQS event source mapping". */
const VISIBILITY_TIMEOUTS = 6;

/** Invocations at the same time: 200 messages, more than the quota of starts lets through in a second or two. */
const CONCURRENCY = 20;

/** How long the function has for a batch: the least visibility timeout of its queue. */
export function batchTimeout({ startsWithin }: Pick<IStartableWorkflow, 'startsWithin'>): Duration {
  return startsWithin.plus(MARGIN);
}

/** How soon a message is looked at behind which others of its group wait. */
const FIFO_CHECK_AFTER = Duration.seconds(2);

/** Beyond the answer that the function waits for. */
const MARGIN = Duration.seconds(5);
