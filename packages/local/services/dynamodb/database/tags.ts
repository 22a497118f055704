import { isJsonObject, type Json } from '../../../json/json';
import { RequestError } from '../table/request-error';
import type { TableSettings } from './change';

const TAGS_MAX = 50;
const TAG_CHARACTERS_MAX = { key: 128, value: 256 };
const TAG = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** @throws RequestError for more tags than a table can have */
export function requireTagCount(count: number): void {
  if (count <= TAGS_MAX) return;
  const what = 'One or more parameter values were invalid: Too many tags';
  throw new RequestError(`${what}: a table can have at most ${TAGS_MAX}, got ${count}`);
}

/** @throws RequestError for tags that no table can have */
export function requireTags(given: Json | undefined): void {
  const tags = tagsIn(given);
  requireTagCount(tags.length);
  for (const [key, value] of tags) {
    requireTag('key', key);
    requireTag('value', value);
  }
  if (new Set(tags.map(([key]) => key)).size === tags.length) return;
  throw new RequestError('One or more parameter values were invalid: Duplicate tag key');
}

function requireTag(part: 'key' | 'value', text: string): void {
  const count = [...text].length;
  if (count <= TAG_CHARACTERS_MAX[part] && TAG.test(text) && (part === 'value' || count > 0)) return;
  const what = '1 validation error detected: Value';
  const rule = `Member must have length less than or equal to ${TAG_CHARACTERS_MAX[part]} and satisfy ${TAG.source}`;
  throw new RequestError(`${what} '${text}' at 'tags.member.${part}' failed to satisfy constraint: ${rule}`);
}

/** The tags in a request, by key. */
export function tagsIn(value: Json | undefined): TableSettings['tags'] {
  const tags = Array.isArray(value) ? value.filter(isJsonObject) : [];
  return tags.map(({ Key, Value = '' }) => [String(Key), String(Value)]);
}
