import { JSON_1_0, jsonAnswer } from '../../../api/aws-json';
import { RequestError } from '../../../api/errors';
import type { ApiAnswer } from '../../../api/exchange';
import { checkRequest, type RequestOf, type Shape } from '../../../api/request-schema';
import { isJsonObject, type JsonObject } from '../../../json/json';
import type { Clock } from '../../../runtime/time/clock';
import type { Queues } from '../queues';

/** What the operations of SQS work on. */
export interface SqsBackend {
  readonly queues: Queues;
  readonly clock: Clock;
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
    const missing = isJsonObject(given) ? missingIn(shape, given) : undefined;
    if (missing !== undefined) {
      const message = `The request must contain the parameter ${missing}.`;
      return rejection('MissingRequiredParameterException', 'MissingParameter', message);
    }
    const checked = checkRequest(shape, given as JsonObject);
    switch (checked.kind) {
      case 'request': {
        const answer = boundsFault(checked.request) ?? (await perform(backend, checked.request));
        if (answer instanceof SqsRejection) return rejection(answer.shape, answer.code, answer.message);
        return answer ? jsonAnswer(answer, JSON_1_0) : noSuchQueue();
      }
      case 'unreadable':
        throw new RequestError('SerializationException', checked.message);
      case 'invalid':
        return rejection('InvalidParameterValueException', 'InvalidParameterValue', checked.message);
      default:
        return checked satisfies never;
    }
  };
}

/** The parameter that a request must have and has not; an empty text counts as absent. */
function missingIn(shape: Shape, given: JsonObject): string | undefined {
  const isMissing = (name: string) => (given[name] ?? '') === '';
  return Object.keys(shape).find(name => shape[name]?.required && isMissing(name));
}

/** The bounds of numbers, with the words of SQS for each. */
const BOUNDS = {
  MaxNumberOfMessages: { min: 1, max: 10, rule: 'Must be between 1 and 10, if provided.' },
  WaitTimeSeconds: { min: 0, max: 20, rule: 'Must be >= 0 and <= 20, if provided.' },
  VisibilityTimeout: { min: 0, max: 43_200, rule: 'Must be between 0 and 43200, if provided.' },
  DelaySeconds: { min: 0, max: 900, rule: 'DelaySeconds must be >= 0 and <= 900.' },
} as const;

/** The rejection of a request, or of an entry of a batch, with a number beyond its bounds. */
export function boundsFault(given: object): SqsRejection | undefined {
  const members: Readonly<Record<string, unknown>> = { ...given };
  for (const [name, { min, max, rule }] of Object.entries(BOUNDS)) {
    const value = members[name];
    if (typeof value === 'number' && (value < min || value > max)) {
      return invalid(`Value ${value} for parameter ${name} is invalid. Reason: ${rule}`);
    }
  }
  return undefined;
}

/** The rejection of a value. */
export function invalid(message: string): SqsRejection {
  return new SqsRejection('InvalidParameterValueException', 'InvalidParameterValue', message);
}

function noSuchQueue(): ApiAnswer {
  const message = 'The specified queue does not exist.';
  return rejection('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue', message);
}

// The header keeps the name that the error had before SQS spoke JSON, by which SDKs still know it.
function rejection(name: string, queryName: string, message: string): ApiAnswer {
  const { headers, ...answer } = jsonAnswer({ __type: `com.amazonaws.sqs#${name}`, message }, JSON_1_0, 400);
  return { ...answer, headers: { ...headers, 'x-amzn-query-error': `${queryName};Sender` } };
}
