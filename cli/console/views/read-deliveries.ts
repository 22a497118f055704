import type { DeliveriesView, QueueItem, RuleItem } from '@onceflow/console';
import { listQueues, type QueueFacts } from '../../aws/queues';
import type { LocalStackAccess } from '../../dev/local-stack-access';
import { Rejection } from '../../program/rejection';
import { sendEventAction, skipTimeAction } from '../actions/local-actions';
import type { Connection } from '../connection';

/** What carries events to the workflows of the connection, and what lies there. */
export async function readDeliveries(connection: Connection): Promise<DeliveriesView> {
  const { aws } = connection;
  const local = connection.local?.();
  const missing: string[] = [];
  const rules = local?.rules() ?? null;
  const queues = await queuesOf(connection, { rules, missing });
  if (local === undefined) missing.push(connection.isLocal ? IN_ITS_PROCESS : ON_AWS);
  return {
    // If Step Functions was not asked, the stack's time is unknown.
    now: local?.now() ?? aws.time.now(),
    queues,
    rules,
    functions: local?.functions() ?? null,
    deliveries: local?.deliveries() ?? null,
    missing,
    actions: local === undefined ? [] : [sendEventAction(local), skipTimeAction('')],
  };
}

const IN_ITS_PROCESS =
  'Rules, functions and their log lines are shown on the page that the stack itself serves, next to its endpoint; ' +
  'no API returns them.';
const ON_AWS =
  'Rules and their buses are in the console of EventBridge; what functions did and wrote is in CloudWatch, in the log ' +
  'groups /aws/lambda/NAME; the age of the oldest message of a queue is the metric ApproximateAgeOfOldestMessage. ' +
  'They are not read here.';

async function queuesOf(
  connection: Connection,
  { rules, missing }: { readonly rules: readonly RuleItem[] | null; readonly missing: string[] },
): Promise<readonly QueueItem[] | null> {
  const { aws, selector } = connection;
  try {
    const { queues, isCutOff } = await listQueues(aws, selector.stack && `${selector.stack}-`);
    if (isCutOff) missing.push('Only the first hundred queues are shown; select others with --stack.');
    return queues.map(queue => queueItem(queue, queues, rules ?? [], connection.local?.()));
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    missing.push(`Queues: ${error.message}.`);
    return null;
  }
}

function queueItem(
  { name, url, arn, waiting, inFlight, delayed, redrive }: QueueFacts,
  all: readonly QueueFacts[],
  rules: readonly RuleItem[],
  local: LocalStackAccess | undefined,
): QueueItem {
  const sent = (local?.messages(url) ?? []).flatMap(({ sentAt }) => (sentAt === null ? [] : [sentAt]));
  const isKeptBy = ({ targets }: RuleItem) => targets.some(({ deadLetterQueue }) => deadLetterQueue === name);
  return {
    name,
    url,
    waiting,
    inFlight,
    delayed,
    oldest: sent.length === 0 ? null : Math.min(...sent),
    deadLetterQueue: redrive?.deadLetterTargetArn.split(':').at(-1) ?? null,
    maxReceiveCount: redrive?.maxReceiveCount ?? null,
    keepsFor: [
      ...all.filter(other => other.redrive?.deadLetterTargetArn === arn).map(other => `queue ${other.name}`),
      ...rules.filter(isKeptBy).map(rule => `rule ${rule.name}`),
      ...(local?.dispatchers() ?? [])
        .filter(({ queue }) => queue === name)
        .map(dispatcher => `dispatcher ${dispatcher.name}`),
    ],
  };
}
