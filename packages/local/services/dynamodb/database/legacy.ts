import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { RequestError } from '../table/request-error';
import type { OperationName } from './requests';

type Replacements = Readonly<Record<string, string>>;

const WRITE: Replacements = { ConditionalOperator: 'an expression', Expected: 'ConditionExpression' };
const READ: Replacements = { AttributesToGet: 'ProjectionExpression' };
const READ_MANY: Replacements = { ...READ, ConditionalOperator: 'an expression' };

/** The parameters that operations have from the API before expressions, and what stands for them since. */
const REPLACEMENTS: { readonly [operation in OperationName]?: Replacements } = {
  PutItem: WRITE,
  UpdateItem: { ...WRITE, AttributeUpdates: 'UpdateExpression' },
  DeleteItem: WRITE,
  GetItem: READ,
  Query: { ...READ_MANY, KeyConditions: 'KeyConditionExpression', QueryFilter: 'FilterExpression' },
  Scan: { ...READ_MANY, ScanFilter: 'FilterExpression' },
};

/** @throws RequestError UnsupportedOperationException for a parameter of the API before expressions */
export function rejectLegacyParameters(operation: OperationName, request: Json): void {
  if (!isJsonObject(request)) return;
  reject(REPLACEMENTS[operation] ?? {}, request);
  if (operation !== 'BatchGetItem' || !isJsonObject(request['RequestItems'])) return;
  for (const ofTable of Object.values(request['RequestItems'])) {
    if (isJsonObject(ofTable)) reject(READ, ofTable);
  }
}

function reject(replacements: Replacements, request: JsonObject): void {
  for (const [name, replacement] of Object.entries(replacements)) {
    if (request[name] === undefined || request[name] === null) continue;
    throw new RequestError(
      `the local DynamoDB does not support ${name}, which is older than expressions; use ${replacement}`,
      'UnsupportedOperationException',
    );
  }
}
