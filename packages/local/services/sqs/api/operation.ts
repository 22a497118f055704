import { JSON_1_0, jsonAnswer } from '../../../api/aws-json';
import { RequestError } from '../../../api/errors';
import type { ApiAnswer } from '../../../api/exchange';
import { checkRequest, type RequestOf, type Shape } from '../../../api/request-schema';
import { describeNotRun, findNotRun, type NotRunResource } from '../../../assembly/not-run';
import type { JsonObject } from '../../../json/json';
import type { Clock } from '../../../runtime/time/clock';
import type { Queues } from '../queues';

/** What the operations of SQS work on. */
export interface SqsBackend {
  readonly queues: Queues;
  readonly clock: Clock;
  /** Queues, and whatever else, that is not run: a request for one is rejected with its reason. */
  readonly notRun: readonly NotRunResource[];
}

/** One operation: answers a request's body. */
export type Operation = (backend: SqsBackend, request: unknown) => Promise<ApiAnswer>;

/** A rejection of SQS: the name of its error now, and the code it had before SQS spoke JSON. */
export class SqsRejection {
  constructor(
    readonly shape: string,
    readonly code: string,
    readonly message: string,
  ) {}
}

/** The name of a queue. */
export const NAME = { kind: 'text', required: true } as const;
/** The URL that a request names its queue by. */
export const QUEUE_URL = { kind: 'text', required: true } as const;

/**
 * An operation whose request is checked; it answers undefined where there is no such queue, and a rejection
 * where the service rejects.
 */
export function operation<const S extends Shape>(
  shape: S,
  perform: (backend: SqsBackend, request: RequestOf<S>) => object | undefined | Promise<object | undefined>,
): Operation {
  return async (backend, given) => {
    const checked = checkRequest(shape, given as JsonObject);
    switch (checked.kind) {
      case 'request': {
        const answer = await perform(backend, checked.request);
        if (answer instanceof SqsRejection) return rejection(answer.shape, answer.code, answer.message);
        return answer ? jsonAnswer(answer, JSON_1_0) : noSuchQueue(backend.notRun, given as JsonObject);
      }
      case 'unreadable':
        throw new RequestError('SerializationException', checked.message);
      case 'invalid':
        return rejection('InvalidParameterValueException', 'InvalidParameterValue', checked.message);
      default: {
        const never: never = checked;
        return never;
      }
    }
  };
}

function noSuchQueue(
  notRun: readonly NotRunResource[],
  { QueueUrl: url, QueueName: name }: JsonObject,
): ApiAnswer {
  const foreign = findNotRun(notRun, [url, name].find(one => typeof one === 'string') ?? '');
  if (foreign) {
    const code = 'AWS.SimpleQueueService.UnsupportedOperation';
    return rejection('UnsupportedOperation', code, describeNotRun(foreign));
  }
  const message = 'The specified queue does not exist.';
  return rejection('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue', message);
}

// The header keeps the name that the error had before SQS spoke JSON, by which SDKs still know it.
function rejection(name: string, queryName: string, message: string): ApiAnswer {
  const { headers, ...answer } = jsonAnswer({ __type: `com.amazonaws.sqs#${name}`, message }, JSON_1_0, 400);
  return { ...answer, headers: { ...headers, 'x-amzn-query-error': `${queryName};Sender` } };
}
