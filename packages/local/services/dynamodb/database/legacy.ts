import { isJsonObject, type Json } from '../../../json/json';
import { RequestError } from '../table/request-error';

/** The parameters of the API before expressions, and what stands for them since. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  AttributesToGet: 'ProjectionExpression',
  AttributeUpdates: 'UpdateExpression',
  ConditionalOperator: 'an expression',
  Expected: 'ConditionExpression',
  KeyConditions: 'KeyConditionExpression',
  QueryFilter: 'FilterExpression',
  ScanFilter: 'FilterExpression',
};

/** @throws RequestError UnsupportedOperationException for a parameter of the API before expressions */
export function refuseLegacyParameters(request: Json): void {
  if (!isJsonObject(request)) return;
  for (const [name, replacement] of Object.entries(REPLACEMENTS)) {
    if (request[name] === undefined || request[name] === null) continue;
    throw new RequestError(
      `the local DynamoDB does not support ${name}, which is older than expressions; use ${replacement}`,
      'UnsupportedOperationException',
    );
  }
}
