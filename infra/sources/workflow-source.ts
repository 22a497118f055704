import type { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct, IConstruct } from 'constructs';
import type { ResolvedTime } from '../../state-machine/template/resolved-time';
import type { EnvelopeName } from './envelope/envelopes';
import type { Outcomes } from './outcomes';

/**
 * Settings of every source.
 *
 * @example
 * Source.queue(refunds, { id: 'Refunds' })
 */
export interface SourceOptions {
  /**
   * What tells the source from the workflow's other ones, in the ids of its constructs. Keep it: a source with another
   * id has other queues.
   *
   * @default - the construct id of the bus or queue; of a schedule `Schedule`
   */
  readonly id?: string;
}

/**
 * How deliveries are started.
 *
 * @example
 * workflow.startByKey(this, { volatile: ['time', 'id'] })
 */
export interface StartByKeyOptions {
  /** Members of an EventBridge event that differ between its deliveries. @default - none */
  readonly volatile?: readonly string[];
  /**
   * The form of the delivered input: an expression of the workflow that reads what it never has is rejected.
   *
   * @default - not checked
   */
  readonly envelope?: EnvelopeName | undefined;
  /** Members that deliveries do have, although others of this form have them around, or differing. @default - none */
  readonly keep?: readonly string[] | undefined;
  /**
   * The workflow's input: JSONata in `{% %}` over an event without the volatile members. For a STANDARD workflow.
   *
   * @default - the event
   */
  readonly input?: string | undefined;
  /** Makes the queue for events that could not be started. @default - the caller gets the failure */
  readonly deadLetterQueue?: () => IQueue;
  /**
   * An input is a list of records, or one record: JSONata of the delivered input, over one of them in `$record`. It
   * needs a dead-letter queue.
   *
   * @default - an input is one delivery
   */
  readonly record?: string;
  /**
   * Whether a failed list is delivered again: only events that no other delivery could start are kept then. With
   * `record`. @default false
   */
  readonly isRedelivered?: boolean;
  /** Whether the output of a start names the record in which its end will be, as `recordKey`. @default false */
  readonly namesRecord?: boolean;
}

/**
 * A workflow as its sources see it.
 *
 * @example
 * bind(scope: Construct, workflow: IStartableWorkflow) {
 *   new Rule(scope, 'Rule', { eventPattern, targets: [new SfnStateMachine(workflow.startByKey(scope))] });
 * }
 */
export interface IStartableWorkflow extends IConstruct {
  /**
   * Defines, within `scope`, the Express state machine that starts the workflow under the name of each delivery's key.
   * An Express workflow has no names: it is answered itself, or, with a `record`, what runs it for each record.
   */
  startByKey(scope: Construct, options?: StartByKeyOptions): IStateMachine;
  /** How long a synchronous start of what `startByKey` answers may take. */
  readonly startsWithin: Duration;
  /** How long an execution takes at most if no service delays it. */
  readonly usualDuration: ResolvedTime;
  /** Where the end of a started execution is found; undefined where a synchronous start is answered with it. */
  readonly outcomes: Outcomes | undefined;
  /** What a source needs that reads the records itself. */
  readonly reading: Outcomes;
}

/**
 * Something that starts a workflow for every event it has.
 *
 * @example
 * workflow.startFrom(Source.queue(queue))
 */
export interface IWorkflowSource {
  /**
   * What tells the source from the workflow's other ones. It is in the ids of the constructs that are defined for it,
   * so that a source that keeps it keeps its queues, in whatever order sources are added.
   */
  readonly id: string;
  /** Queues of the app's own for events that could not be processed, for metrics and alarms. @default - none */
  readonly deadLetterQueues?: readonly IQueue[];
  /** How old the oldest record is that was read, in milliseconds. @default - AWS has no such metric */
  readonly recordAge?: IMetric | undefined;
  /** Defines, within `scope`, what starts the workflow. Called once, by `startFrom`. */
  bind(scope: Construct, workflow: IStartableWorkflow): void;
}
