import type { LocalService, ServiceDefinition, ServiceDirectory } from '../local-service';
import { noResource } from '../rule-target';
import { SNS_RESOURCE_TYPES, SUBSCRIPTION, TOPIC } from './cloudformation';
import { snsIntegrations } from './integrations';
import { snsRoute } from './route';
import { savedTopics } from './saved-topics';
import { envelopeOf, functionEventOf, type PublishedMessage, type Subscription, Topics } from './topics';

/** The SNS of a stack. */
export interface SnsService extends LocalService {
  readonly topics: Topics;
}

/** SNS: standard topics with subscriptions of queues and functions, which outlive the process. */
export const SNS: ServiceDefinition<SnsService> = {
  resourceTypes: SNS_RESOURCE_TYPES,
  open({ environment, resources, clock, ids, newRequestId, services, directory }) {
    const now = () => clock.now();
    const saved = directory && savedTopics(directory);
    const topics = new Topics({
      ...environment,
      now,
      notRun: resources.notRun,
      newId: ids.fork('topics').uuid,
      ...(saved && { changed: saved.changed, written: saved.written }),
      deliver: (subscription, message) => deliver(subscription, message, services),
    });
    return {
      topics,
      integrations: snsIntegrations(topics, { newRequestId, now }),
      route: snsRoute(topics),
      sdkName: 'SNS',
      target: {
        async deliver(topicArn, input) {
          if (!topics.has(topicArn)) throw noResource(`there is no topic ${topicArn}`);
          return topics.publish(topicArn, { message: input });
        },
      },
      async restore() {
        if (saved) topics.restore(await saved.load());
      },
      start() {
        const deployed = resources.of(TOPIC);
        const inline = deployed.flatMap(({ subscriptions }) => subscriptions);
        const names = deployed.map(({ name }) => name);
        topics.deploy(names, [...inline, ...resources.of(SUBSCRIPTION)]);
      },
      close: () => undefined,
    };
  },
};

/** A missing subscriber gets nothing without a report, as on AWS without a dead-letter queue. */
async function deliver(
  subscription: Subscription,
  message: PublishedMessage,
  services: ServiceDirectory,
): Promise<void> {
  const { protocol, endpoint, raw } = subscription;
  const owner = services.ownerOf(endpoint);
  if (protocol === 'lambda') {
    const event = JSON.stringify(functionEventOf(subscription, message));
    await owner?.target?.deliver(endpoint, event).catch(() => undefined);
    return;
  }
  const { messageAttributes } = message;
  if (!raw) await owner?.queues?.sendDurably(endpoint, envelopeOf(subscription, message));
  else {
    const options = { ...(messageAttributes && { messageAttributes }) };
    await owner?.queues?.sendDurably(endpoint, message.message, options);
  }
}
