import { Annotations, Duration } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import { shown } from '../../state-machine/contract/shown';
import { Results } from '../../state-machine/results';
import { acknowledge, FINDING, written } from './acknowledge';
import { RETENTION_DEFAULT } from './defaults';

/** What is to be known of a workflow or fragment whose results may be in a bucket. */
export interface ResultsKept {
  readonly results?: Results;
  readonly retention?: Duration;
  readonly recordScope: string;
}

/** Refuses what is no {@link Results}, or cannot be. @throws Error with the remedy */
export function validateResults(results: unknown): void {
  if (results === undefined) return;
  if (!(results instanceof Results))
    throw new Error(`\`results\` must be Results.inBucket(bucket), got ${shown(results)}`);
  results.validate();
}

/**
 * For how many days an object is kept beyond the retention of its record. That begins when the record is finished; the
 * object may be older by the hours of a write that is tried again, or by the fortnight in which an owner is redriven
 * that was cut off between the two.
 */
const DAYS_BEYOND = 31;

/**
 * Lets results expire when no record can name them any more: also those of attempts that never finished. Where the
 * bucket is not the app's own, or the retention is not known at synth, it says which rule is needed.
 */
export function expireResults(construct: IConstruct, { results, retention, recordScope }: ResultsKept): void {
  if (!results) return;
  const { bucket } = results;
  const { isFixed, days } = daysOf(retention ?? RETENTION_DEFAULT);
  const prefix = `${results.prefix}${recordScope}/`;
  if (!(bucket instanceof Bucket) || !isFixed) {
    Annotations.of(construct).addInfoV2(
      'onceflow:results',
      `results stay in the bucket for ever unless a lifecycle rule of yours expires '${prefix}' ${DAYS_BEYOND} days ` +
        'after the retention',
    );
    return;
  }
  bucket.addLifecycleRule({
    id: `onceflow-results-${construct.node.addr}`,
    prefix,
    expiration: Duration.days(days),
    noncurrentVersionExpiration: Duration.days(DAYS_BEYOND),
  });
}

function daysOf(retention: Duration): { readonly isFixed: boolean; readonly days: number } {
  if (retention.isUnresolved()) return { isFixed: false, days: 0 };
  return { isFixed: true, days: Math.ceil(retention.toDays({ integral: false })) + DAYS_BEYOND };
}

/** Says of a state machine why its role names more than one object. */
export function acknowledgeResults(
  stateMachine: IConstruct,
  { results, recordScope }: Omit<ResultsKept, 'retention'>,
): void {
  if (!results) return;
  const objects = results.bucket.arnForObjects(`${results.prefix}${recordScope}/*`);
  const finding = FINDING.wildcard(written(stateMachine, objects));
  acknowledge(stateMachine, finding, 'each key and attempt has an object of its own');
}

/** Lets the results of a workflow expire, and says why its role names more than one of them. */
export function keepResults(construct: IConstruct, stateMachine: IConstruct, kept: ResultsKept): void {
  expireResults(construct, kept);
  acknowledgeResults(stateMachine, kept);
}
