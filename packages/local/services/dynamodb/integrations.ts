import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  TransactGetItemsCommand,
  type TransactGetItemsCommandInput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/service';
import { fromSdkResponse, toSdkRequest } from './attribute-values';
import { type Flavour, failureOf } from './errors';
import { refusalOf } from './refusal';

/**
 * The DynamoDB integrations of a state machine, answered by whatever endpoint the client talks to.
 *
 * The optimized ones (`dynamodb:putItem`) and their `aws-sdk` twins differ in error names, causes and results, as they
 * do on AWS. Queries, scans, batches and transactions there are through the SDK only.
 */
export function dynamoDbIntegrations(client: DynamoDBClient): ServiceTable {
  const source = { client, headers: keepHeaders(client) };
  return new Map([
    ...OPTIMIZED.map(
      operation => [`dynamodb:${operation}`, serviceFor(source, operation, 'optimized')] as const,
    ),
    ...[...OPTIMIZED, ...SDK_ONLY].map(
      operation => [`aws-sdk:dynamodb:${operation}`, serviceFor(source, operation, 'aws-sdk')] as const,
    ),
  ]);
}

const OPTIMIZED = ['getItem', 'putItem', 'updateItem', 'deleteItem'] as const;
const SDK_ONLY = [
  'query',
  'scan',
  'batchGetItem',
  'batchWriteItem',
  'transactGetItems',
  'transactWriteItems',
] as const;
type Operation = (typeof OPTIMIZED | typeof SDK_ONLY)[number];

/** The HTTP headers of each answer, by the answer. */
type Headers = WeakMap<object, Readonly<Record<string, string>>>;

interface Source {
  readonly client: DynamoDBClient;
  readonly headers: Headers;
}

// The optimized integration shows the HTTP headers of the answer; the SDK hands them out only to a middleware.
function keepHeaders(client: DynamoDBClient): Headers {
  const headers: Headers = new WeakMap();
  client.middlewareStack.add(
    next => async args => {
      const result = await next(args);
      if (typeof result.output === 'object')
        headers.set(result.output, (result.response as { headers?: Record<string, string> }).headers ?? {});
      return result;
    },
    { step: 'deserialize', priority: 'high' },
  );
  return headers;
}

function serviceFor(source: Source, operation: Operation, flavour: Flavour): Service {
  return {
    refusalOf,
    async call(call: ServiceCall): Promise<ServiceResult> {
      const sent = await send(source.client, commandFor(operation, toSdkRequest(call.arguments)));
      return 'failure' in sent
        ? failureOf(sent.failure, flavour)
        : { kind: 'succeeded', output: outputOf(sent.response, source.headers, flavour) };
    },
  };
}

type Sent = { readonly response: object } | { readonly failure: unknown };

// The commands have no common type that `send` accepts; what they share is this call.
async function send(client: DynamoDBClient, command: ReturnType<typeof commandFor>): Promise<Sent> {
  try {
    return { response: await client.send(command as PutItemCommand) };
  } catch (failure) {
    return { failure };
  }
}

// The request is the workflow's; what is wrong with it, DynamoDB says.
function commandFor(operation: Operation, request: unknown) {
  switch (operation) {
    case 'getItem':
      return new GetItemCommand(request as GetItemCommandInput);
    case 'putItem':
      return new PutItemCommand(request as PutItemCommandInput);
    case 'updateItem':
      return new UpdateItemCommand(request as UpdateItemCommandInput);
    case 'deleteItem':
      return new DeleteItemCommand(request as DeleteItemCommandInput);
    case 'query':
      return new QueryCommand(request as QueryCommandInput);
    case 'scan':
      return new ScanCommand(request as ScanCommandInput);
    case 'batchGetItem':
      return new BatchGetItemCommand(request as BatchGetItemCommandInput);
    case 'batchWriteItem':
      return new BatchWriteItemCommand(request as BatchWriteItemCommandInput);
    case 'transactGetItems':
      return new TransactGetItemsCommand(request as TransactGetItemsCommandInput);
    case 'transactWriteItems':
      return new TransactWriteItemsCommand(request as TransactWriteItemsCommandInput);
  }
}

function outputOf(response: object, headers: Headers, flavour: Flavour): Json {
  const { $metadata, ...members } = response as {
    $metadata?: { requestId?: string; httpStatusCode?: number };
  };
  const json = fromSdkResponse(members);
  const output: JsonObject = isJsonObject(json) ? json : {};
  if (flavour === 'aws-sdk') return output;
  const http = headers.get(response) ?? {};
  return {
    ...output,
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(http).map(([name, value]) => [name, [value]])),
      HttpHeaders: http,
      HttpStatusCode: $metadata?.httpStatusCode ?? 200,
    },
    SdkResponseMetadata: { RequestId: $metadata?.requestId ?? '' },
  };
}
