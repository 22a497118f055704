import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';

/** The name of the error that a record holds; undefined where it holds none. */
export function storedErrorOf(record: Item | undefined): string | undefined {
  const text = record?.['error']?.['S'];
  return typeof text === 'string' ? (JSON.parse(text) as { readonly Error: string }).Error : undefined;
}
