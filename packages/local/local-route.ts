import { JSON_1_0, jsonAnswer, parseBody } from './api/aws-json';
import { RequestError } from './api/errors';
import type { ServiceRoute } from './api/exchange';
import { isJsonObject, type Json, type JsonObject } from './json/json';
import type { Assembly } from './load-assembly';
import type { Runtime } from './runtime/runtime';
import type { ServedStage } from './services/api-gateway/service';
import type { EventBuses } from './services/events/buses';
import type { CustomPutEventsResponse } from './services/events/custom/buses';
import type { CustomPutEventsRequest } from './services/events/custom/request';
import type { Topics } from './services/sns/topics';
import type { Queues } from './services/sqs/queues';

/** What these operations need of a stack. */
export interface StackItself {
  readonly assembly: Assembly;
  readonly runtime: Runtime;
  readonly eventBuses: EventBuses;
  readonly queues: Queues;
  readonly topics: Topics;
  readonly restApis: readonly ServedStage[];
  putEvents(request: CustomPutEventsRequest): Promise<CustomPutEventsResponse>;
}

/** Events and messages are at most this long, and what is around them. */
const BODY_BYTES_MAX = 2_000_000;

/**
 * Operations that no service of AWS has, `x-amz-target: OnceflowLocal.<Operation>`, in AWS JSON:
 *
 * - `ListRepeatedStarts`: the starts by Express executions that found their name in use, oldest first.
 * - `DescribeSources`: the parts of the assembly that lead events to state machines.
 * - `Send`: an event, a message or a notification, in the form of `onceflow dev --json`.
 *
 * Times are epoch milliseconds.
 */
export function localRoute(stack: StackItself): ServiceRoute {
  const operations: Readonly<Record<string, (request: JsonObject) => object | Promise<object>>> = {
    ListRepeatedStarts: () => ({ repeatedStarts: stack.runtime.expressOutcomes.repeated }),
    DescribeSources: () => sourcesOf(stack),
    Send: request => send(stack, request),
  };
  return {
    service: { title: 'this stack itself', signingName: 'onceflow-local' },
    requests: { target: 'OnceflowLocal' },
    bodyBytesMax: BODY_BYTES_MAX,
    async handle({ target: { operation }, body }) {
      const perform = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (perform === undefined) {
        const known = Object.keys(operations).join(', ');
        const message = `This stack has no operation '${operation}'; it has ${known}`;
        throw new RequestError('UnknownOperationException', message);
      }
      const request = parseBody(body);
      return jsonAnswer(await perform(isJsonObject(request) ? request : {}), JSON_1_0);
    },
  };
}

function sourcesOf({ assembly, restApis }: StackItself): object {
  const { rules, queueSources, subscriptions, customBusSubscribers } = assembly;
  const arns = new Set(assembly.stateMachines.map(({ arn }) => arn));
  return {
    stateMachines: assembly.stateMachines.map(({ name, arn, definitionText }) => ({
      name,
      arn,
      definitionText,
    })),
    // Of the environment only what a function starts: the rest can be secret.
    functions: assembly.functions.map(({ name, arn, environment }) => ({
      name,
      arn,
      environment: Object.fromEntries(Object.entries(environment).filter(([, value]) => arns.has(value))),
    })),
    rules,
    queueSources,
    subscriptions,
    customBusSubscribers,
    restApis,
  };
}

/** @throws RequestError for what the source does not take */
async function send(stack: StackItself, request: JsonObject): Promise<object> {
  const rejected = (message: string) => new RequestError('InvalidRequestContentException', message);
  const text = (name: string) => {
    const value = request[name];
    if (typeof value === 'string') return value;
    throw rejected(`'${name}' is not a text`);
  };
  const json = (name: string) => JSON.stringify(request[name] ?? {});
  const published = () => ({
    Source: text('source'),
    DetailType: text('detailType'),
    Detail: json('detail'),
  });
  switch (request['kind']) {
    case 'event': {
      const { Source: source, DetailType: detailType, Detail: detail } = published();
      const entry = { eventBusName: text('eventBus'), source, detailType, detail };
      return idIn((await stack.eventBuses.putEvents([entry])).Entries[0]);
    }
    case 'customEvent': {
      const asked = { EventBusArn: text('eventBusArn'), Entries: [published()] };
      const { Entries } = await stack.putEvents(asked).catch((error: Error) => {
        throw rejected(error.message);
      });
      return idIn(Entries[0]);
    }
    case 'message': {
      const [queue, body] = [text('queue'), json('body')];
      const once = crypto.randomUUID();
      const fifo = { messageGroupId: 'example', messageDeduplicationId: once };
      const options = queue.endsWith('.fifo') ? fifo : {};
      const fault = stack.queues.faultOf(queue, body, options);
      if (fault) throw rejected(fault.message);
      const sent = await stack.queues.sendDurably(queue, body, options);
      if (sent === undefined) throw rejected(`there is no queue ${queue}`);
      return { id: sent.messageId };
    }
    case 'notification': {
      const sent = await stack.topics.publish(text('topicArn'), { message: json('message') });
      if (sent === undefined) throw rejected(`there is no topic ${text('topicArn')}`);
      return { id: sent.messageId };
    }
    default:
      throw rejected("'kind' is not event, customEvent, message or notification");
  }

  function idIn(entry: Readonly<Record<string, Json | undefined>> | undefined): object {
    if (entry?.['EventId'] !== undefined) return { id: entry['EventId'] };
    throw rejected(`${entry?.['ErrorCode']}: ${entry?.['ErrorMessage']}`);
  }
}
