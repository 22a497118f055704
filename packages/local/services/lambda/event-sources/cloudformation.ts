import type { Read, ResourceReader, ResourceSpec, ResourceType } from '../../../assembly/types';

/** An event source mapping: a queue whose messages are handed to a function in batches. */
export interface QueueSourceSpec extends ResourceSpec {
  readonly queueArn: string;
  /** As the template names it: a name or an ARN, perhaps of a version or an alias. */
  readonly functionName: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  readonly maximumBatchingWindowInSeconds: number;
  readonly reportBatchItemFailures: boolean;
  /** Batches that may be worked on at the same time. */
  readonly maximumConcurrency?: number;
}

/** Messages that Lambda takes from a queue at a time by default, and at most. */
const BATCH_SIZE_DEFAULT = 10;
const BATCH_SIZE_MAX = 10_000;
/** A larger batch takes several receives, for which Lambda demands a window. */
const BATCH_SIZE_WITHOUT_WINDOW_MAX = 10;
const WINDOW_SECONDS_MAX = 300;
const CONCURRENCY_MIN = 2;
const CONCURRENCY_MAX = 1_000;

/** AWS::Lambda::EventSourceMapping of an SQS queue. Those of other sources, and those with filters, are not run. */
export const EVENT_SOURCE_MAPPING: ResourceType<QueueSourceSpec> = {
  attributes: {},
  read: readMapping,
};

function readMapping(resource: ResourceReader): Read<QueueSourceSpec> {
  const queueArn = resource.optionalText('EventSourceArn') ?? '';
  if (!/^arn:[^:]+:sqs:/.test(queueArn)) resource.notRun('its source is not a queue');
  if (resource.value('FilterCriteria') !== undefined) resource.notRun('it filters; filter in the function');
  const concurrency = resource
    .object('ScalingConfig')
    ?.wholeNumber('MaximumConcurrency', CONCURRENCY_MIN, CONCURRENCY_MAX);
  const batchSize = resource.wholeNumber('BatchSize', 1, BATCH_SIZE_MAX) ?? BATCH_SIZE_DEFAULT;
  const window = resource.wholeNumber('MaximumBatchingWindowInSeconds', 0, WINDOW_SECONDS_MAX) ?? 0;
  if (batchSize > BATCH_SIZE_WITHOUT_WINDOW_MAX && window === 0) {
    const message = `above ${BATCH_SIZE_WITHOUT_WINDOW_MAX} needs a MaximumBatchingWindowInSeconds of at least 1`;
    resource.problem('BatchSize', message);
  }
  return {
    queueArn,
    functionName: resource.text('FunctionName'),
    enabled: resource.optionalText('Enabled') !== 'false',
    batchSize,
    maximumBatchingWindowInSeconds: window,
    reportBatchItemFailures: resource.texts('FunctionResponseTypes').includes('ReportBatchItemFailures'),
    ...(concurrency !== undefined && { maximumConcurrency: concurrency }),
  };
}
