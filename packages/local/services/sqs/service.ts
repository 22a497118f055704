import type { LocalService, ServiceDefinition } from '../local-service';
import { noResource, type RuleTarget, TargetError } from '../rule-target';
import { sqsRoute } from './api/route';
import { QUEUE, SQS_RESOURCE_TYPES } from './cloudformation';
import { sqsIntegrations } from './integrations';
import { Queues } from './queues';
import { savedQueues } from './saved-queues';

/** The SQS of a stack. */
export interface SqsService extends LocalService {
  readonly queues: Queues;
}

/** SQS: queues, which outlive the process with their messages. */
export const SQS: ServiceDefinition<SqsService> = {
  resourceTypes: SQS_RESOURCE_TYPES,
  open(context) {
    const { environment, resources, clock, ids, newRequestId, services, directory } = context;
    const now = () => clock.now();
    const saved = directory && savedQueues(directory);
    const queues = new Queues({
      ...environment,
      now,
      newId: ids.fork('queues').uuid,
      // Clients send to the host that a queue's URL names.
      get endpoint() {
        return services.endpoint;
      },
      ...(saved && {
        changed: saved.changed,
        written: saved.written,
        writeThrough: saved.writeThrough,
      }),
    });
    return {
      queues,
      integrations: sqsIntegrations(queues, { newRequestId, now }),
      route: sqsRoute({ queues, clock }),
      sdkName: 'SQS',
      target: queueTarget(queues),
      withLocalUrls: text => text.replace(QUEUE_URL_ON_AWS, url => queues.find(url)?.url ?? url),
      async restore() {
        if (saved) queues.restore(await saved.load());
      },
      start() {
        for (const { name, attributes } of resources.of(QUEUE)) queues.create(name, attributes);
      },
      close: () => undefined,
    };
  },
};

const QUEUE_URL_ON_AWS = /https:\/\/sqs\.[^/\s]+\/\d{12}\/[\w-]+(?:\.fifo)?/g;

/** Queues as targets of rules: an event's input becomes a message's body. FIFO queues are none here. */
export function queueTarget(queues: Pick<Queues, 'sendDurably' | 'faultOf'>): RuleTarget {
  return {
    async deliver(queueArn, input) {
      const fault = queues.faultOf(queueArn, input, {});
      if (fault) throw new TargetError('SDK_CLIENT_ERROR', fault.message, false);
      const sent = await queues.sendDurably(queueArn, input);
      if (!sent) throw noResource(`there is no queue ${queueArn}`);
      return sent;
    },
  };
}
