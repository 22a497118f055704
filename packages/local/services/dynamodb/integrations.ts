import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Service, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import { ATTRIBUTE_MAPS, rejectionOf } from './rejection';

/** What a DynamoDB answers to a request: the operation's output, or its error where the status is not 200. */
export interface DynamoDbAnswer {
  readonly status: number;
  /** By names in lower case; the request's id is among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content: JsonObject;
}

/**
 * Sends a request of DynamoDB's JSON protocol, such as `PutItem`.
 *
 * @returns the answer, or why there is none
 */
export type AskDynamoDb = (
  operation: string,
  request: Json,
) => Promise<DynamoDbAnswer | { readonly unanswered: string }>;

/**
 * The DynamoDB integrations of a state machine.
 *
 * The optimized ones (`dynamodb:putItem`) and their `aws-sdk` twins differ in error names, causes and results, as they
 * do on AWS. Queries, scans, batches and transactions there are through the SDK only.
 */
export function dynamoDbIntegrations(ask: AskDynamoDb): ServiceTable {
  return new Map([
    ...OPTIMIZED.map(
      operation => [`dynamodb:${operation}`, serviceFor(ask, operation, OPTIMIZED_FLAVOUR)] as const,
    ),
    ...[...OPTIMIZED, ...SDK_ONLY].map(
      operation => [`aws-sdk:dynamodb:${operation}`, serviceFor(ask, operation, SDK_FLAVOUR)] as const,
    ),
  ]);
}

const OPTIMIZED = ['getItem', 'putItem', 'updateItem', 'deleteItem'];
const SDK_ONLY = [
  'query',
  'scan',
  'batchGetItem',
  'batchWriteItem',
  'transactGetItems',
  'transactWriteItems',
];

interface DynamoDbError {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly requestId: string;
}

/** The two integrations report the same answer differently. */
interface Flavour {
  readonly prefix: string;
  /** What an error is called that the service's model does not declare, such as ValidationException. */
  readonly undeclared: string;
  /** The request that these arguments make; they have no nulls. */
  requestOf(given: Json): Json;
  outputOf(answer: DynamoDbAnswer): JsonObject;
  causeOf(error: DynamoDbError): string;
}

const OPTIMIZED_FLAVOUR: Flavour = {
  prefix: 'DynamoDB',
  undeclared: 'AmazonDynamoDBException',
  requestOf: withTypedTexts,
  outputOf: ({ status, headers, content }) => ({
    ...content,
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      HttpHeaders: headers,
      HttpStatusCode: status,
    },
    SdkResponseMetadata: { RequestId: requestIdOf(headers) },
  }),
  causeOf: ({ code, message, status, requestId }) =>
    `${message} (Service: AmazonDynamoDBv2; Status Code: ${status}; Error Code: ${code}; ` +
    `Request ID: ${requestId}; Proxy: null)`,
};

const SDK_FLAVOUR: Flavour = {
  prefix: 'DynamoDb',
  undeclared: 'DynamoDbException',
  requestOf: given => given,
  outputOf: ({ content }) => content,
  causeOf: ({ message, status, requestId }) =>
    `${message} (Service: DynamoDb, Status Code: ${status}, Request ID: ${requestId})`,
};

/** The errors that the model of the service declares for requests to items. */
const DECLARED: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'IdempotentParameterMismatchException',
  'IndexNotFoundException',
  'InternalServerError',
  'InvalidEndpointException',
  'ItemCollectionSizeLimitExceededException',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'ResourceInUseException',
  'ResourceNotFoundException',
  'ThrottlingException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

function serviceFor(ask: AskDynamoDb, operation: string, flavour: Flavour): Service {
  const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  return {
    rejectionOf,
    async call({ arguments: given }): Promise<ServiceResult> {
      const answer = await ask(name, flavour.requestOf(withoutNulls(given)));
      if ('unanswered' in answer) {
        const cause = `Unable to execute HTTP request: ${answer.unanswered}`;
        return { kind: 'failed', error: `${flavour.prefix}.SdkClientException`, cause };
      }
      if (answer.status !== 200) return failureOf(answer, flavour);
      return { kind: 'succeeded', output: flavour.outputOf(answer) };
    },
  };
}

/** As SDKs write a request: members that are null are left out, also attributes. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** As the optimized integrations read attribute values: a text without a type is one of the type S. */
function withTypedTexts(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const members = Object.entries(given).map(([name, member]) => [
    name,
    ATTRIBUTE_MAPS.includes(name) ? typedMembers(member) : member,
  ]);
  return Object.fromEntries(members) as Json;
}

function typedMembers(values: Json): Json {
  if (!isJsonObject(values)) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typed(value)]));
}

function typed(value: Json): Json {
  if (typeof value === 'string') return { S: value };
  if (!isJsonObject(value)) return value;
  const { M: map, L: list } = value;
  return {
    ...value,
    ...(map !== undefined && { M: typedMembers(map) }),
    ...(Array.isArray(list) && { L: list.map(typed) }),
  };
}

/** The name of an error without its namespace (`…#`) and without the URL that can follow it. */
function codeIn(given: Json | undefined): string {
  return String(given ?? 'Unknown')
    .split(/[:,]/, 1)
    .join('')
    .replace(/^.*#/, '');
}

function failureOf({ status, headers, content }: DynamoDbAnswer, flavour: Flavour): ServiceResult {
  const code = codeIn(headers['x-amzn-errortype'] ?? content['code'] ?? content['__type']);
  const message = String(content['message'] ?? content['Message'] ?? 'UnknownError');
  const cause = flavour.causeOf({ code, message, status, requestId: requestIdOf(headers) });
  return { kind: 'failed', error: `${flavour.prefix}.${classOf(code, flavour)}`, cause };
}

function classOf(code: string, { undeclared }: Flavour): string {
  if (!DECLARED.has(code)) return undeclared;
  // The integrations name Java's exception class, which always ends so; the error code may not (InternalServerError).
  return code.endsWith('Exception') ? code : `${code}Exception`;
}

function requestIdOf(headers: DynamoDbAnswer['headers']): string {
  return headers['x-amzn-requestid'] ?? '';
}
