import { envelopeOf, Topics } from '../../../packages/local/services/sns/topics';
import type { Queues } from '../../../packages/local/services/sqs/queues';
import type { CaseBase } from '../cases/recorded-case';
import { type References, resolveReferences } from '../cases/references';
import { ENVIRONMENT, topicName } from './names';

/** What the topics of a case work with. */
export interface TopicPorts {
  readonly queues: Queues;
  readonly now: () => number;
  readonly newId: () => string;
  readonly references: References;
}

/** The topics of a case, with the queues that were subscribed to them before it. */
export function topicsOf(
  { topics, setup }: CaseBase,
  { queues, now, newId, references }: TopicPorts,
): Topics {
  const made = new Topics({
    ...ENVIRONMENT,
    now,
    newId,
    notRun: [],
    deliver: async (subscription, message) => {
      queues.send(subscription.endpoint, envelopeOf(subscription, message));
    },
  });
  for (const id of Object.keys(topics)) made.create(topicName(id));
  for (const { service, op, request } of setup) {
    if (service !== 'sns') continue;
    const { TopicArn = '', Endpoint = '' } = resolveReferences(request, references) as Record<string, string>;
    if (op === 'Subscribe')
      made.subscribe({ topicArn: TopicArn, protocol: 'sqs', endpoint: Endpoint, raw: false });
    if (op === 'DeleteTopic') made.delete(TopicArn);
  }
  return made;
}
