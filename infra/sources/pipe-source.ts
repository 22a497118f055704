import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { Construct } from 'constructs';
import { recordExpression } from '../../state-machine/dispatcher/records-fragment';
import { sendPolicies } from '../../state-machine/tasks/send-policies';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { grantData } from '../cdk/customer-key';
import { serviceRole } from '../cdk/service-role';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { isListOf, isRecord, type Kind, requireKind } from '../validation/kinds';
import type { IRecordStream } from './stream-records';
import type { IStartableWorkflow, IWorkflowSource, SourceOptions } from './workflow-source';

/**
 * Settings of `Source.pipe`.
 *
 * @example
 * Source.pipe(RecordStream.kinesis(stream), { filters: [{ data: { type: ['OrderPlaced'] } }] })
 */
export interface PipeSourceOptions extends SourceOptions {
  /** Which records start the workflow: patterns of EventBridge, of which one has to match. @default - all */
  readonly filters?: readonly Readonly<Record<string, unknown>>[];
  /**
   * Members of a record that the workflow needs although they differ when a producer sends the same again: `eventID`
   * of Kinesis, `offset` of Kafka.
   *
   * @default - they are left out
   */
  readonly keep?: readonly string[];
}

const FILTERS: Kind = [
  value => isListOf(value, isRecord),
  "a list of patterns such as [{ data: { type: ['OrderPlaced'] } }]",
];
const OPTIONS: Readonly<Record<keyof PipeSourceOptions, true>> = { id: true, filters: true, keep: true };

/**
 * Starts the workflow for every record of a stream or topic, by way of an EventBridge pipe.
 *
 * @example
 * workflow.startFrom(Source.pipe(RecordStream.kinesis(stream)));
 */
export class PipeSource implements IWorkflowSource {
  readonly id: string;
  readonly recordAge: IMetric | undefined;

  constructor(
    private readonly stream: IRecordStream,
    private readonly options: PipeSourceOptions,
  ) {
    const { id = stream?.id ?? 'Pipe' } = options ?? {};
    this.id = id;
    this.recordAge = stream?.age;
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    const { stream } = this;
    requireRecordStream(stream);
    validateNames('Source.pipe', this.options, OPTIONS);
    if (workflow.outcomes === undefined) {
      throw new Error(
        '`Source.pipe` needs a STANDARD workflow: a pipe delivers lists of records, and an Express workflow has no dispatcher ' +
          'that splits them. Leave `type` out',
      );
    }
    const { keep = [], filters = [] } = this.options;
    requireKind('filters', filters, FILTERS);
    validateKept(keep, stream.volatile);
    const volatile = stream.volatile.filter(name => !keep.includes(name));
    const dispatcher = workflow.startByKey(scope, {
      volatile,
      envelope: stream.envelope,
      record: recordExpression({ ...stream.shape, without: [...stream.shape.without, ...volatile] }),
      deadLetterQueue: () => new DeadLetterQueue(scope, 'NotStarted'),
    });
    const role = serviceRole(scope, 'PipeRole', 'pipes');
    dispatcher.grantStartSyncExecution(role);
    grantData(dispatcher, role);
    const notDelivered = stream.isGivenUp ? new DeadLetterQueue(scope, 'NotDelivered') : undefined;
    for (const statement of notDelivered ? sendPolicies(notDelivered) : []) role.addToPolicy(statement);
    stream.grantRead(role);
    const pipe = new CfnPipe(scope, 'Pipe', {
      roleArn: role.roleArn,
      source: stream.source,
      sourceParameters: {
        ...stream.parameters(notDelivered && { arn: notDelivered.queueArn }),
        ...(filters.length > 0 && {
          filterCriteria: { filters: filters.map(pattern => ({ pattern: JSON.stringify(pattern) })) },
        }),
      },
      target: dispatcher.stateMachineArn,
      // The pipe waits, so that records are started in their order, and a record that could not be kept comes again.
      targetParameters: { stepFunctionStateMachineParameters: { invocationType: 'REQUEST_RESPONSE' } },
    });
    // A pipe whose role may not read yet cannot be made.
    pipe.node.addDependency(role);
  }
}

/** Rejects a value that is not a record stream, such as the stream itself: it does not say where to begin. */
function requireRecordStream(given: unknown): void {
  const { grantRead, parameters, streamArn, tableArn } = (given ?? {}) as Readonly<Record<string, unknown>>;
  // A Kinesis stream has a `grantRead`, too.
  if (typeof grantRead === 'function' && typeof parameters === 'function') return;
  const isTable = typeof tableArn === 'string';
  const made = isTable ? 'RecordStream.dynamoDb(table' : 'RecordStream.kinesis(stream';
  const got = isTable ? 'a table' : typeof streamArn === 'string' ? 'a Kinesis stream' : describeValue(given);
  throw new Error(
    `\`Source.pipe\` takes a record stream such as ${made}, { startingPosition: 'TRIM_HORIZON' }), got ${got}`,
  );
}

function validateKept(keep: unknown, volatile: readonly string[]): void {
  if (Array.isArray(keep) && keep.every(name => volatile.includes(name))) return;
  const known = volatile.join(', ') || 'nothing, because nothing is left out';
  throw new Error(`\`keep\` must be a list of: ${known}; got ${describeValue(keep)}`);
}
