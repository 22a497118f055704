import { Annotations, Duration } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import type { Results } from '../../state-machine/options/results';
import { acknowledge, FINDING, written } from '../cdk/acknowledge';
import { RETENTION_DEFAULT } from '../cdk/defaults';

/** What is to be known of a workflow or fragment whose results may be in a bucket. */
export interface ResultsKept {
  readonly results?: Results;
  readonly retention?: Duration;
  readonly recordScope: string;
}

/**
 * For how many days an object is kept beyond the retention of its record. That begins when the record is finished; the
 * object may be older by the hours of a write that is tried again, or by the fortnight in which an owner is redriven
 * that was cut off between the two.
 */
const DAYS_BEYOND = 31;

/** Where in a bucket results expire, and after how many days. */
interface Expiry {
  readonly prefix: string;
  readonly days: number;
}

const expiries = new WeakMap<Bucket, Expiry[]>();

/**
 * Lets results expire when no record can name them any more: also those of attempts that never finished. Where the
 * bucket is not the app's own, or the retention is not known at synth, it says which rule is needed.
 *
 * @throws Error where the rule of one workflow would take the results of another one too early
 */
export function expireResults(construct: IConstruct, { results, retention, recordScope }: ResultsKept): void {
  if (!results) return;
  const { bucket } = results;
  const { isFixed, days } = daysOf(retention ?? RETENTION_DEFAULT);
  const prefix = `${results.prefix}${recordScope}/`;
  if (!(bucket instanceof Bucket) || !isFixed) {
    Annotations.of(construct).addInfoV2(
      'onceflow:results',
      `the bucket stores results forever, unless your lifecycle rule expires '${prefix}' ${DAYS_BEYOND} days ` +
        'after the retention',
    );
    return;
  }
  // Of two workflows of one scope, on tables of their own: S3 may reject a second rule for a prefix.
  if (expiries.get(bucket)?.some(known => known.prefix === prefix && known.days === days)) return;
  requireOwnPlace(bucket, { prefix, days });
  bucket.addLifecycleRule({
    id: `onceflow-results-${construct.node.addr}`,
    prefix,
    expiration: Duration.days(days),
    noncurrentVersionExpiration: Duration.days(DAYS_BEYOND),
  });
}

/** Of two rules that an object falls under, S3 goes by the one that expires it first. */
function requireOwnPlace(bucket: Bucket, own: Expiry): void {
  const known = expiries.get(bucket) ?? [];
  const takes = (one: Expiry, other: Expiry) => other.prefix.startsWith(one.prefix) && one.days < other.days;
  const clash = known.find(other => takes(own, other) || takes(other, own));
  if (clash) {
    const [short, long] = [own, clash].sort((a, b) => a.days - b.days);
    throw new Error(
      `\`results\` at '${own.prefix}' of ${bucket.node.path} would be deleted with results of another retention: ` +
        `those at '${short?.prefix}' after ${short?.days} days, those at '${long?.prefix}' after ${long?.days}. ` +
        'Give one of the workflows another `prefix`',
    );
  }
  expiries.set(bucket, [...known, own]);
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
export function configureResultExpiry(
  construct: IConstruct,
  stateMachine: IConstruct,
  kept: ResultsKept,
): void {
  expireResults(construct, kept);
  acknowledgeResults(stateMachine, kept);
}
