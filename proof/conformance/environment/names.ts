import type { CaseBase } from '../cases/recorded-case';
import { isoSeconds, type References } from '../cases/references';

/** Where every case plays: the region and account that the recordings name literally. */
export const ENVIRONMENT = { partition: 'aws', region: 'us-east-1', account: '111111111111' } as const;

/** When every case begins: 2026-01-01T00:00:00Z. */
export const START_MS = Date.UTC(2026, 0, 1);

/** The name of the machine under test. */
const MACHINE_UNDER_TEST = 'machine-under-test';

/** What the references of a case stand for here. */
export function referencesOf(recorded: CaseBase): References {
  const { lambdas, tables, queues, topics, buckets, logGroups, stateMachines, activities } = recorded;
  return new Map([
    ['RoleArn', `arn:aws:iam::${ENVIRONMENT.account}:role/conformance`],
    ['TrustedRoleArn', 'arn:aws:iam::222222222222:role/trusted'],
    ['Now', isoSeconds(START_MS)],
    ...named('Lambda', Object.keys(lambdas), id => `function-${id}`, functionArn),
    ...Object.keys(tables).map(id => [`TableName:${id}`, tableName(id)] as const),
    ...named('Queue', Object.keys(queues), queueName, queueArn),
    ...Object.keys(queues).map(id => [`QueueUrl:${id}`, queueUrl(id)] as const),
    ...named('Topic', Object.keys(topics), topicName, topicArn),
    ...Object.keys(buckets).map(id => [`BucketName:${id}`, bucketName(id)] as const),
    ...named('LogGroup', Object.keys(logGroups), id => `/aws/vendedlogs/${id}`, logGroupArn),
    ...named('Activity', Object.keys(activities), activityName, activityArn),
    ...named('StateMachine', [...Object.keys(stateMachines), 'self'], machineName, machineArn),
  ]);
}

/** The name of a table of a case. */
export function tableName(id: string): string {
  return `table-${id}`;
}

/** The name of a queue of a case. */
export function queueName(id: string): string {
  return `queue-${id}`;
}

/** The URL of a queue of a case, as SQS writes it. */
function queueUrl(id: string): string {
  return `https://sqs.${ENVIRONMENT.region}.amazonaws.com/${ENVIRONMENT.account}/${queueName(id)}`;
}

/** The ARN of a queue of a case. */
export function queueArn(id: string): string {
  return `arn:aws:sqs:${ENVIRONMENT.region}:${ENVIRONMENT.account}:${queueName(id)}`;
}

/** The name of a topic of a case. */
export function topicName(id: string): string {
  return `topic-${id}`;
}

function topicArn(id: string): string {
  return `arn:aws:sns:${ENVIRONMENT.region}:${ENVIRONMENT.account}:${topicName(id)}`;
}

/** The name of a bucket of a case. */
export function bucketName(id: string): string {
  return `bucket-${id}`;
}

/** The name of an activity of a case. */
export function activityName(id: string): string {
  return `activity-${id}`;
}

function activityArn(id: string): string {
  return `arn:aws:states:${ENVIRONMENT.region}:${ENVIRONMENT.account}:activity:${activityName(id)}`;
}

/** The ARN of a log group of a case, as logging configurations have it. */
export function logGroupArn(id: string): string {
  return `arn:aws:logs:${ENVIRONMENT.region}:${ENVIRONMENT.account}:log-group:/aws/vendedlogs/${id}:*`;
}

/** The ARN of a function of a case, without version. */
export function functionArn(id: string): string {
  return `arn:aws:lambda:${ENVIRONMENT.region}:${ENVIRONMENT.account}:function:function-${id}`;
}

/** The ARN of a state machine of a case; `self` is the one under test. */
export function machineArn(id: string): string {
  return `arn:aws:states:${ENVIRONMENT.region}:${ENVIRONMENT.account}:stateMachine:${machineName(id)}`;
}

function machineName(id: string): string {
  return id === 'self' ? MACHINE_UNDER_TEST : `machine-${id}`;
}

function named(
  noun: string,
  ids: readonly string[],
  nameOf: (id: string) => string,
  arnOf: (id: string) => string,
): (readonly [string, string])[] {
  return ids.flatMap(id => [
    [`${noun}Name:${id}`, nameOf(id)] as const,
    [`${noun}Arn:${id}`, arnOf(id)] as const,
  ]);
}
