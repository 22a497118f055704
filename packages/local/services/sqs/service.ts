import { DamagedState } from '../../state/damage';
import type { LocalService, Persistence, ServiceDefinition } from '../local-service';
import { noResource, type RuleTarget } from '../rule-target';
import { sqsRoute } from './api/route';
import { QUEUE, SQS_RESOURCE_TYPES } from './cloudformation';
import { sqsIntegrations } from './integrations';
import { type QueueSnapshot, Queues } from './queues';

/** The SQS of a stack. */
export interface SqsService extends LocalService {
  readonly queues: Queues;
}

/** SQS: standard queues, which outlive the process with their messages. */
export const SQS: ServiceDefinition<SqsService> = {
  resourceTypes: SQS_RESOURCE_TYPES,
  open(context) {
    const { environment, resources, clock, ids, newRequestId, services } = context;
    const now = () => clock.now();
    const queues = new Queues({
      ...environment,
      now,
      newId: ids.fork('queues').uuid,
      // Clients send to the host that a queue's URL names.
      get endpoint() {
        return services.endpoint;
      },
      changed: () => context.persist(persistence),
    });
    const persistence = queuePersistence(queues);
    return {
      queues,
      integrations: sqsIntegrations(queues, { newRequestId, now }),
      route: sqsRoute({ queues, clock }),
      sdkName: 'SQS',
      persistence,
      target: queueTarget(queues),
      withLocalUrls: text => text.replace(QUEUE_URL_ON_AWS, url => queues.find(url)?.url ?? url),
      start() {
        for (const { name, attributes } of resources.of(QUEUE)) queues.create(name, attributes);
      },
      close: () => undefined,
    };
  },
};

const QUEUE_URL_ON_AWS = /https:\/\/sqs\.[^/\s]+\/\d{12}\/[\w-]+/g;

/** Queues as targets of rules: an event's input becomes a message's body. */
export function queueTarget(queues: Pick<Queues, 'send'>): RuleTarget {
  return {
    async deliver(queueArn, input) {
      const sent = queues.send(queueArn, input);
      if (!sent) throw noResource(`there is no queue ${queueArn}`);
      return sent;
    },
  };
}

function queuePersistence(queues: Queues): Persistence {
  return {
    name: 'queues',
    snapshot: () => queues.snapshot(),
    restore(snapshot, file) {
      if (!Array.isArray(snapshot) || !snapshot.every(isQueue)) {
        throw new DamagedState([`${file} does not hold queues`]);
      }
      queues.restore(snapshot);
    },
  };
}

function isQueue(queue: unknown): queue is QueueSnapshot {
  if (typeof queue !== 'object' || queue === null) return false;
  const { name, messages } = queue as { readonly name?: unknown; readonly messages?: unknown };
  return typeof name === 'string' && Array.isArray(messages);
}
