import { RegionInfo } from 'aws-cdk-lib/region-info';

const ACCOUNT = '[0-9]{12}';
/** The region and account of most resources. */
const OWNED = `[a-z0-9-]+:${ACCOUNT}`;

/** Each kind of resource that an option takes: its words, an example, and its ARN behind the partition. */
const KINDS = {
  function: [
    'a Lambda function',
    'lambda:eu-west-1:111111111111:function:charge',
    `lambda:${OWNED}:function:[A-Za-z0-9_-]+(:[$A-Za-z0-9_-]+)?`,
  ],
  table: [
    'a DynamoDB table',
    'dynamodb:eu-west-1:111111111111:table/records',
    `dynamodb:${OWNED}:table/[A-Za-z0-9_.-]+`,
  ],
  tableStream: [
    'a stream of a DynamoDB table',
    'dynamodb:eu-west-1:111111111111:table/orders/stream/2026-11-20T00:00:00.000',
    `dynamodb:${OWNED}:table/[A-Za-z0-9_.-]+/stream/[A-Za-z0-9_.:-]+`,
  ],
  bucket: ['an S3 bucket', 's3:::results', 's3:::[A-Za-z0-9_.-]+'],
  queue: ['an SQS queue', 'sqs:eu-west-1:111111111111:orders', `sqs:${OWNED}:[A-Za-z0-9_-]+([.]fifo)?`],
  topic: ['an SNS topic', 'sns:eu-west-1:111111111111:orders', `sns:${OWNED}:[A-Za-z0-9_-]+([.]fifo)?`],
  eventBus: [
    'a classic event bus',
    'events:eu-west-1:111111111111:event-bus/orders',
    `events:${OWNED}:event-bus/[A-Za-z0-9_./-]+`,
  ],
  customEventBus: [
    'a custom event bus',
    'events:eu-west-1:111111111111:event-busv2/orders/1a2b3c',
    `events:${OWNED}:event-busv2/[A-Za-z0-9_.-]+/[A-Za-z0-9-]+`,
  ],
  role: ['an IAM role', 'iam::111111111111:role/payments', `iam::${ACCOUNT}:role/[!-~]+`],
  policy: ['a managed policy', 'iam::111111111111:policy/boundary', `iam::(${ACCOUNT}|aws):policy/[!-~]+`],
  key: [
    'a KMS key',
    'kms:eu-west-1:111111111111:key/1a2b3c4d-0000-1111-2222-333344445555',
    `kms:${OWNED}:key/[A-Za-z0-9-]+`,
  ],
  logGroup: [
    'a log group',
    'logs:eu-west-1:111111111111:log-group:payments',
    `logs:${OWNED}:log-group:[A-Za-z0-9_./#-]+(:[*])?`,
  ],
  stateMachine: [
    'a state machine',
    'states:eu-west-1:111111111111:stateMachine:Payments',
    `states:${OWNED}:stateMachine:[^:/\\s]+`,
  ],
  stream: [
    'a Kinesis stream',
    'kinesis:eu-west-1:111111111111:stream/orders',
    `kinesis:${OWNED}:stream/[A-Za-z0-9_.-]+`,
  ],
  cluster: [
    'an MSK cluster',
    'kafka:eu-west-1:111111111111:cluster/orders/1a2b3c4d-0000-1111-2222-333344445555-1',
    `kafka:${OWNED}:cluster/[A-Za-z0-9_.-]+/[A-Za-z0-9-]+`,
  ],
  secret: [
    'a secret',
    'secretsmanager:eu-west-1:111111111111:secret:login-1a2b3c',
    `secretsmanager:${OWNED}:secret:[A-Za-z0-9_/+=.@!-]+`,
  ],
} as const satisfies Readonly<Record<string, readonly [words: string, example: string, form: string]>>;

/** A kind of resource, by its name here. */
export type ArnKind = keyof typeof KINDS;

/** The pattern of the ARN of a kind: for JavaScript, and for a parameter of CloudFormation. */
export function arnPattern(kind: ArnKind): string {
  return `arn:aws[a-z-]*:${KINDS[kind][2]}`;
}

/** A reference of CDK within a text, which may stand for anything. */
const REFERENCE = /\$\{Token\[[^\]]+\]\}/g;
/** A text that every part behind the partition may be. */
const ANY = '0'.repeat(12);

/**
 * Rejects an ARN of another kind, of another partition than its region or that of the stack, or with a character that
 * AWS does not take. What only the deployment knows passes.
 *
 * @throws Error with an example
 */
export function requireArn(option: string, kind: ArnKind, arn: string, ownRegion?: string): void {
  const known = arn.replace(REFERENCE, ANY);
  const [, partition = '', , region = '', , resource = ''] = known.split(':');
  const isKnown = known === arn || (known.startsWith('arn:') && !resource.startsWith(ANY));
  if (!isKnown || isOfKind(kind, known, partition, region || ownRegion)) return;
  const [words, example] = KINDS[kind];
  const got = JSON.stringify(arn.replace(REFERENCE, '*'));
  throw new Error(`\`${option}\` must be the ARN of ${words}, such as arn:aws:${example}, got ${got}`);
}

function isOfKind(kind: ArnKind, arn: string, partition: string, region: string | undefined): boolean {
  const ofRegion = region === undefined ? undefined : RegionInfo.get(region).partition;
  const isOfPartition = [ANY, ofRegion ?? partition].includes(partition);
  return isOfPartition && new RegExp(`^${arnPattern(kind)}$`).test(arn.replace(`arn:${ANY}:`, 'arn:aws:'));
}
