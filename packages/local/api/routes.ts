import type { EventBuses } from '../services/events/buses';
import type { LambdaFunctions } from '../services/lambda/functions';
import type { Queues } from '../services/sqs/queues';
import { isJsonType } from './aws-json';
import { dynamoDbRoute } from './dynamodb/route';
import { RequestError } from './errors';
import { eventsRoute } from './events/route';
import type { ApiAnswer, RequestHead, Route } from './exchange';
import { INVOKE_PATH, lambdaRoute } from './lambda/route';
import { sqsRoute } from './sqs/route';
import type { StatesBackend } from './states/operation';
import { statesRoute } from './states/route';
import { unknownServiceOf } from './unknown-service';

/** The services that the endpoint answers for. */
export interface ApiBackend extends StatesBackend {
  /** Where the embedded DynamoDB listens. */
  readonly dynamoDbEndpoint: string;
  readonly eventBuses: EventBuses;
  readonly functions: LambdaFunctions;
  /** @default - no queues */
  readonly queues?: Queues;
  /**
   * Stands around requests whose answers wait for something, with the trace header of the caller.
   *
   * @default - nobody needs to know that a caller waits
   */
  readonly wait?: (traceHeader: string | undefined, answer: () => Promise<ApiAnswer>) => Promise<ApiAnswer>;
}

/** Operations that may wait for clock time to pass before they answer. */
const WAITING = new Set(['StartSyncExecution', 'GetActivityTask', 'ReceiveMessage']);

/** Where requests go, by what their heads say. */
export interface Routes {
  /** @throws RequestError for what no service answers. */
  find(head: RequestHead): Route;
  close(): void;
}

/** The routes of a stack: one per service. */
export function createRoutes(backend: ApiBackend): Routes {
  const dynamoDb = dynamoDbRoute(backend.dynamoDbEndpoint);
  const lambda = lambdaRoute(backend.functions);
  const { queues, catalogue, wait } = backend;
  const byTarget = new Map<string, Route>([
    ['AWSStepFunctions', statesRoute(backend)],
    ['DynamoDB_20120810', dynamoDb],
    ['AWSEvents', eventsRoute(backend.eventBuses)],
    ...(queues ? [['AmazonSQS', sqsRoute({ queues, clock: catalogue.clock })] as const] : []),
  ]);

  function find(head: RequestHead): Route {
    const { method, path, headers, target } = head;
    if (method === 'POST' && INVOKE_PATH.test(path)) return lambda;
    const route = byTarget.get(target.service);
    const unknown = route ? undefined : unknownServiceOf(head);
    if (unknown) throw unknown;
    if (method !== 'POST' || path !== '/') {
      throw new RequestError(
        'UnknownOperationException',
        `${method} ${path} is no operation of this endpoint`,
      );
    }
    if (!isJsonType(headers['content-type'])) {
      const message = `A request in '${headers['content-type']}' is no AWS JSON`;
      throw new RequestError('SerializationException', message);
    }
    if (route && wait && WAITING.has(target.operation)) return waitingRoute(route, wait);
    if (route) return route;
    const known = [...byTarget.keys()].join(', ');
    const named = target.service === '' ? 'no service' : `'${target.service}'`;
    const message = `x-amz-target names ${named}; this endpoint answers for ${known}`;
    throw new RequestError('UnknownOperationException', message);
  }

  return { find, close: dynamoDb.close };
}

function waitingRoute({ bodyBytesMax, handle }: Route, wait: NonNullable<ApiBackend['wait']>): Route {
  return {
    bodyBytesMax,
    handle(request) {
      const header = request.headers['x-amzn-trace-id'];
      return wait(typeof header === 'string' ? header : undefined, () => handle(request));
    },
  };
}
