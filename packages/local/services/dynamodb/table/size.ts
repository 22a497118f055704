import { isJsonObject } from '../../../json/json';
import { type AttributeValue, elementsOf, type Item, typeOf } from './attribute-value';

/** Bytes of the largest item, names and values together. */
export const ITEM_BYTES_MAX = 400 * 1024;

/** The bytes of an item, as DynamoDB counts them for its limit and for capacity. */
export function itemSize(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value),
    0,
  );
}

/** Lists and maps take this many bytes more than what they hold. */
const CONTAINER_BYTES = 3;

function valueSize(value: AttributeValue): number {
  const type = typeOf(value);
  const content = value[type];
  const elements = elementsOf(value, type);
  switch (type) {
    case 'S':
      return Buffer.byteLength(String(content));
    case 'B':
      return bytesOf(content);
    case 'N':
      return numberSize(String(content));
    case 'SS':
      return sum(elements, text => Buffer.byteLength(String(text)));
    case 'BS':
      return sum(elements, bytesOf);
    case 'NS':
      return sum(elements, text => numberSize(String(text)));
    case 'L':
      return CONTAINER_BYTES + sum(elements, element => 1 + valueSize(element as AttributeValue));
    case 'M': {
      const members = isJsonObject(content) ? (content as Item) : {};
      return CONTAINER_BYTES + Object.keys(members).length + itemSize(members);
    }
    default:
      return 1;
  }
}

function sum(elements: readonly unknown[] | undefined, sizeOf: (element: unknown) => number): number {
  return (elements ?? []).reduce((total: number, element) => total + sizeOf(element), 0);
}

function bytesOf(base64: unknown): number {
  return Buffer.byteLength(String(base64), 'base64');
}

/**
 * About one byte for two significant digits, one for the exponent, and one for a minus. `text` is as `decimalText`
 * writes numbers.
 */
function numberSize(text: string): number {
  if (text === '0') return 1;
  const isNegative = text.startsWith('-');
  const count = text.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
  return 1 + Math.ceil(count / 2) + (isNegative ? 1 : 0);
}
