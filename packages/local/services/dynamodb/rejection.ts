import { isJsonObject, type Json } from '../../json/json';
import { fieldsOf, notOfType } from '../rejections';

/**
 * Why a request makes no call: a text, number or boolean among its attribute values that is of another JSON type, as
 * `{"N": 5}` for `{"N": "5"}` (https://github.com/aws/aws-cdk/issues/9181). What else is wrong with values, DynamoDB
 * says.
 */
export function rejectionOf(given: Json): string | undefined {
  const fields = fieldsOf(given);
  for (const name of ATTRIBUTE_MAPS) {
    const fault = faultIn(fields[name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The members of a request to one item that hold attribute values by name. */
export const ATTRIBUTE_MAPS = ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey'];

const SCALARS: ReadonlyMap<string, 'string' | 'boolean'> = new Map([
  ['S', 'string'],
  ['N', 'string'],
  ['BOOL', 'boolean'],
  ['NULL', 'boolean'],
]);

function faultIn(values: Json | undefined): string | undefined {
  if (!isJsonObject(values)) return undefined;
  for (const name in values) {
    const fault = faultOf(values[name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const type in value) {
    const content = value[type] as Json;
    const wanted = SCALARS.get(type);
    if (wanted !== undefined && content !== null && typeof content !== wanted)
      return notOfType(type, wanted === 'string' ? 'STRING' : 'BOOLEAN');
    const within = type === 'M' ? faultIn(content) : type === 'L' ? faultAmong(content) : undefined;
    if (within !== undefined) return within;
  }
  return undefined;
}

function faultAmong(list: Json): string | undefined {
  if (!Array.isArray(list)) return undefined;
  for (const item of list) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
