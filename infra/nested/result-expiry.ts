import { Annotations, Duration } from 'aws-cdk-lib';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import type { Results } from '../../state-machine/options/results';
import { atSynthesis } from '../../state-machine/template/at-synthesis';
import { noted } from '../../state-machine/template/noted';
import { numberIn, propertiesOf } from '../../state-machine/template/rendered-properties';
import { acknowledge, FINDING, written } from '../cdk/acknowledge';
import { RETENTION_DEFAULT } from '../cdk/defaults';

/** The facts of a workflow or fragment whose results may be in a bucket. */
export interface ResultsKept {
  readonly results?: Results;
  readonly retention?: Duration;
  readonly recordScope: string;
}

/**
 * For how many days an object is kept beyond the retention of its record. That begins when the record is finished. The
 * object may be older by the hours of a write that is tried again, or by the fortnight in which an interrupted owner is
 * redriven.
 */
const DAYS_BEYOND = 31;

/** The prefix in a bucket whose results expire, and after how many days. */
interface Expiry {
  readonly prefix: string;
  readonly days: number;
}

/**
 * Lets results expire when no record can name them any more: also those of attempts that never finished. If the bucket
 * is not the app's own, or the retention is not known at synthesis, a warning names the required rule.
 */
export function expireResults(construct: IConstruct, { results, retention, recordScope }: ResultsKept): void {
  if (!results) return;
  const { bucket } = results;
  const { isFixed, days } = daysOf(retention ?? RETENTION_DEFAULT);
  const prefix = `${results.prefix}${recordScope}/`;
  if (isFixed) atSynthesis(construct, () => requireTime(bucket, { prefix, days }));
  if (!(bucket instanceof Bucket) || !isFixed) {
    Annotations.of(construct).addInfoV2(
      'onceflow:results',
      `the bucket stores results forever, unless your lifecycle rule expires '${prefix}' ${DAYS_BEYOND} days ` +
        'after the retention',
    );
    return;
  }
  // Of two workflows of one scope, on tables of their own: S3 may reject a second rule for a prefix.
  const known = noted<Expiry[]>(bucket, 'Expiries', () => []);
  if (known.some(one => one.prefix === prefix && one.days === days)) return;
  known.push({ prefix, days });
  bucket.addLifecycleRule({
    id: `onceflow-results-${construct.node.addr}`,
    prefix,
    expiration: Duration.days(days),
    noncurrentVersionExpiration: Duration.days(DAYS_BEYOND),
  });
}

/** A rule of a bucket's lifecycle, as the template has it. */
interface LifecycleRule {
  readonly Status?: unknown;
  readonly Prefix?: unknown;
  readonly ExpirationInDays?: unknown;
  readonly TagFilters?: unknown;
}

/**
 * Rejects a rule that deletes results before their records have expired: that of another workflow, of the bucket, or of
 * an aspect. Of two rules that an object falls under, S3 goes by the one that expires it first.
 */
function requireTime(bucket: IBucket, { prefix, days }: Expiry): void {
  const { LifecycleConfiguration } = propertiesOf(bucket, 'AWS::S3::Bucket') ?? {};
  const { Rules = [] } = (LifecycleConfiguration ?? {}) as { readonly Rules?: readonly LifecycleRule[] };
  for (const { Status, Prefix = '', ExpirationInDays, TagFilters } of Rules) {
    const shorter = numberIn(ExpirationInDays) ?? days;
    const isOfAll = TagFilters === undefined && typeof Prefix === 'string' && prefix.startsWith(Prefix);
    if (Status !== 'Enabled' || !isOfAll || shorter >= days) continue;
    throw new Error(
      `\`results\` at '${prefix}' of ${bucket.node.path} must be kept for ${days} days, but a lifecycle rule of the ` +
        `bucket deletes what is at '${Prefix}' after ${shorter}. Give one of them another \`prefix\``,
    );
  }
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
