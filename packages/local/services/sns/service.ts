import type { LocalService, ServiceDefinition, ServiceDirectory } from '../local-service';
import { noResource } from '../rule-target';
import { snsRoute } from './api';
import { SNS_RESOURCE_TYPES, SUBSCRIPTION, TOPIC } from './cloudformation';
import { snsIntegrations } from './integrations';
import { envelopeOf, functionEventOf, type PublishedMessage, type Subscription, Topics } from './topics';

/** SNS: standard topics with subscriptions of queues and functions. Those made by request are gone with the process. */
export const SNS: ServiceDefinition<LocalService> = {
  resourceTypes: SNS_RESOURCE_TYPES,
  open({ environment, resources, clock, ids, newRequestId, services }) {
    const now = () => clock.now();
    const topics = new Topics({
      ...environment,
      now,
      notRun: resources.notRun,
      newId: ids.fork('topics').uuid,
      deliver: (subscription, message) => deliver(subscription, message, services),
    });
    return {
      integrations: snsIntegrations(topics, { newRequestId, now }),
      route: snsRoute(topics),
      sdkName: 'SNS',
      target: {
        async deliver(topicArn, input) {
          if (!topics.has(topicArn)) throw noResource(`there is no topic ${topicArn}`);
          // What cannot be written yet is with its subscribers all the same: published again, it would be there twice.
          // It is written before the delivery is forgotten.
          return topics.publish(topicArn, { message: input }).catch(() => undefined);
        },
      },
      start() {
        const deployed = resources.of(TOPIC);
        for (const { name } of deployed) topics.create(name);
        const inline = deployed.flatMap(({ subscriptions }) => subscriptions);
        for (const subscription of [...inline, ...resources.of(SUBSCRIPTION)]) topics.subscribe(subscription);
      },
      close: () => undefined,
    };
  },
};

/** A subscriber that is not there gets nothing, and nobody hears of it, as on AWS without a dead-letter queue. */
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
  if (!raw) owner?.queues?.send(endpoint, envelopeOf(subscription, message));
  else owner?.queues?.send(endpoint, message.message, { ...(messageAttributes && { messageAttributes }) });
  await owner?.queues?.written();
}
