import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { RESULT_TEXT_MAX } from '../contract/record';
import { describeValue } from '../words/describe-value';
import { validateNames } from '../words/validate-names';

/**
 * Settings of {@link Results}.
 *
 * @example
 * results: Results.inBucket(bucket, { prefix: 'charges/', maxInRecord: 10_000 })
 */
export interface ResultsOptions {
  /**
   * What stands in front of the objects' keys in the bucket, such as `results/`: up to 500 bytes. Behind it come the
   * scope, a hash of the key, the attempt, and the claim.
   *
   * @default - nothing
   */
  readonly prefix?: string;
  /**
   * The longest result that the record itself keeps, in characters of JSON text with its quotes escaped: 0 to 50,000.
   *
   * @default 50000
   */
  readonly maxInRecord?: number;
}

/**
 * Where results are kept that the record does not hold.
 *
 * @example
 * results: Results.inBucket(bucket, { prefix: 'payments/' })
 */
export class Results {
  /**
   * A bucket. The workflow may write and read below its own scope there, and use the bucket's KMS key for that. If the
   * app defines the bucket, a lifecycle rule deletes each object a month after its record has expired; another bucket
   * needs such a rule of yours.
   */
  static inBucket(bucket: IBucket, options: ResultsOptions = {}): Results {
    return new Results(bucket, options);
  }

  readonly prefix: string;
  readonly maxInRecord: number;

  private constructor(
    readonly bucket: IBucket,
    private readonly options: ResultsOptions,
  ) {
    this.prefix = options?.prefix ?? '';
    this.maxInRecord = options?.maxInRecord ?? RESULT_TEXT_MAX;
  }

  /** Lets a step put its results there itself, with `storeResult`: below the `recordScope` of its workflow. */
  grantPut(grantee: IGrantable, recordScope: string): Grant {
    return this.bucket.grantPut(grantee, `${this.prefix}${recordScope}/*`);
  }

  /** Rejects invalid locations. @throws Error with the remedy */
  validate(): void {
    if (typeof this.bucket?.bucketArn !== 'string')
      throw new Error(`\`Results.inBucket\` takes a bucket, got ${describeValue(this.bucket)}`);
    validateNames('Results', this.options, { prefix: true, maxInRecord: true });
    const { prefix, maxInRecord } = this;
    const isText = typeof prefix === 'string' && Buffer.byteLength(prefix) <= PREFIX_BYTES_MAX;
    if (!isText || UNREADABLE.test(prefix)) {
      throw new Error(
        `\`prefix\` of Results must be a text of up to ${PREFIX_BYTES_MAX} bytes without control characters, ` +
          `halves of surrogate pairs and \${, got ${describeValue(prefix)}`,
      );
    }
    if (Number.isInteger(maxInRecord) && maxInRecord >= 0 && maxInRecord <= RESULT_TEXT_MAX) return;
    throw new Error(
      `\`maxInRecord\` of Results must be a whole number of characters from 0 to ${RESULT_TEXT_MAX}, got ` +
        describeValue(maxInRecord),
    );
  }
}

/** With the scope, the hash and the rest a key stays below S3's 1,024 bytes. */
const PREFIX_BYTES_MAX = 500;
const UNREADABLE = /\p{Cc}|\p{Surrogate}|\$\{/u;
