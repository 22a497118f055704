import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { tooDeepAt } from '../../json/depth';
import { type Json, type JsonObject, jsonOr } from '../../json/json';
import type { AskDynamoDb } from './integrations';
import { RequestError, type RequestErrorCode } from './table/request-error';

/** What carries requests out: a database. */
export interface Performing {
  perform(operation: string, given: Json): Promise<JsonObject>;
}

/** An answer of DynamoDB over HTTP, without a request id. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const HEADERS = { 'content-type': 'application/x-amz-json-1.0' };

/**
 * Answers a request of the JSON protocol: `x-amz-target: DynamoDB_20120810.<Operation>`. Signatures are not checked,
 * but a request must have one, as everywhere at AWS.
 *
 * Whatever goes wrong is this request's answer: what DynamoDB rejects with status 400, a fault of this program or of
 * the disk with `InternalServerError` and 500, which SDKs try again.
 */
export async function answerOver(
  database: Performing,
  headers: IncomingHttpHeaders,
  body: string | Buffer,
): Promise<HttpAnswer> {
  const { status, content } = await answered(() => {
    const operation = /^DynamoDB_20120810\.(\w+)$/.exec(String(headers['x-amz-target']))?.[1] ?? '';
    const rejection = unsupported(operation);
    if (rejection) throw rejection;
    if (!/^AWS4-/.test(String(headers.authorization ?? ''))) {
      throw new RequestError(
        'Request is missing Authentication Token',
        'MissingAuthenticationTokenException',
      );
    }
    return database.perform(operation, parsed(decoded(body, headers['content-encoding'])));
  });
  return { status, headers: HEADERS, body: JSON.stringify(content) };
}

/** Answers requests within this process as they are over HTTP, without one. */
export function askingIn(database: Performing, newRequestId: () => string): AskDynamoDb {
  return async (operation, request) => {
    const { status, content } = await answered(() => database.perform(operation, request));
    return {
      status,
      headers: { ...HEADERS, 'x-amzn-requestid': newRequestId() },
      // A copy: what becomes of it changes nothing in the table.
      content: JSON.parse(JSON.stringify(content)) as JsonObject,
    };
  };
}

async function answered(
  perform: () => Promise<JsonObject>,
): Promise<{ readonly status: number; readonly content: JsonObject }> {
  try {
    return { status: 200, content: await perform() };
  } catch (error) {
    if (error instanceof RequestError) return { status: 400, content: rejected(error) };
    const message = error instanceof Error ? error.message : String(error);
    return { status: 500, content: { __type: `${AREA.service}#InternalServerError`, message } };
  }
}

/** Bytes that a compressed request may become. */
const DECODED_BYTES_MAX = 16 * 1024 * 1024;

/** @throws Error for a body that cannot be decoded, which DynamoDB answers with status 500 */
function decoded(body: string | Buffer, encoding: string | undefined): string | Buffer {
  if (encoding === undefined || typeof body === 'string') return body;
  if (encoding === 'gzip') return gunzipSync(body, { maxOutputLength: DECODED_BYTES_MAX });
  throw new Error(`the content encoding ${encoding} is not supported`);
}

function parsed(given: string | Buffer): Json {
  const body = typeof given === 'string' ? given : textIn(given);
  // A value that is nested deeper than this could not be written again.
  if (tooDeepAt(body) !== undefined) {
    throw new RequestError('the request is nested too deep', 'SerializationException');
  }
  const value = jsonOr(body, undefined);
  if (value === undefined) throw new RequestError('the request is not JSON', 'SerializationException');
  return value;
}

function textIn(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new RequestError('the request is not in UTF-8', 'SerializationException');
  }
}

/** The origin of the service's errors, as the answer's `__type` names it. */
const AREA = {
  service: 'com.amazon.coral.service',
  validate: 'com.amazon.coral.validate',
  dynamodb: 'com.amazonaws.dynamodb.v20120810',
};

const AREAS: Readonly<Record<RequestErrorCode, string>> = {
  AccessDeniedException: AREA.service,
  ConditionalCheckFailedException: AREA.dynamodb,
  IdempotentParameterMismatchException: AREA.dynamodb,
  MissingAuthenticationTokenException: AREA.service,
  PolicyNotFoundException: AREA.dynamodb,
  ResourceInUseException: AREA.dynamodb,
  ResourceNotFoundException: AREA.dynamodb,
  SerializationException: AREA.service,
  TransactionCanceledException: AREA.dynamodb,
  UnknownOperationException: AREA.service,
  UnsupportedOperationException: AREA.service,
  ValidationException: AREA.validate,
};

/** The service writes the message's name with a capital in some of its errors. */
const CAPITAL: ReadonlySet<RequestErrorCode> = new Set([
  'SerializationException',
  'TransactionCanceledException',
]);

function rejected({ code, message, members }: RequestError): JsonObject {
  return {
    __type: `${AREAS[code]}#${code}`,
    [CAPITAL.has(code) || 'Item' in members ? 'Message' : 'message']: message,
    ...members,
  };
}

/**
 * Why an operation cannot be carried out if DynamoDB has it and this database does not: otherwise the caller would look
 * for a typing error.
 */
function unsupported(operation: string): RequestError | undefined {
  if (!UNSUPPORTED.has(operation)) return undefined;
  return new RequestError(
    `${operation} is not supported by the local DynamoDB`,
    'UnsupportedOperationException',
  );
}

/** The operations of the service that are not here. */
const UNSUPPORTED = new Set([
  'BatchExecuteStatement',
  'CreateBackup',
  'CreateGlobalTable',
  'DeleteBackup',
  'DescribeBackup',
  'DescribeContinuousBackups',
  'DescribeContributorInsights',
  'DescribeEndpoints',
  'DescribeExport',
  'DescribeGlobalTable',
  'DescribeGlobalTableSettings',
  'DescribeImport',
  'DescribeKinesisStreamingDestination',
  'DescribeLimits',
  'DescribeTableReplicaAutoScaling',
  'DisableKinesisStreamingDestination',
  'EnableKinesisStreamingDestination',
  'ExecuteStatement',
  'ExecuteTransaction',
  'ExportTableToPointInTime',
  'ImportTable',
  'ListBackups',
  'ListContributorInsights',
  'ListExports',
  'ListGlobalTables',
  'ListImports',
  'RestoreTableFromBackup',
  'RestoreTableToPointInTime',
  'UpdateContinuousBackups',
  'UpdateContributorInsights',
  'UpdateGlobalTable',
  'UpdateGlobalTableSettings',
  'UpdateKinesisStreamingDestination',
  'UpdateTable',
  'UpdateTableReplicaAutoScaling',
]);
