import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { RequestError } from '../table/request-error';
import type { TableSettings } from './change';
import type { OperationName } from './requests';
import type { StoredTable } from './stored-table';
import { requireTagCount, requireTags, tagsIn } from './tags';

/** The settings of tables beside their items: tags, and the attribute for expiry. It has no effect here. */
export class Settings {
  readonly #settings = new WeakMap<StoredTable, TableSettings>();

  /** Those of a table, at first of the request that has made it. */
  of(table: StoredTable): TableSettings {
    return this.#settings.get(table) ?? { tags: tagsIn(table.definition.request['Tags']) };
  }

  set(table: StoredTable, settings: TableSettings): void {
    this.#settings.set(table, settings);
  }
}

/** The answer of `ListTagsOfResource`. */
export function listedTags({ tags }: TableSettings): JsonObject {
  return { Tags: tags.map(([Key, Value]) => ({ Key, Value })) };
}

/** The `TimeToLiveDescription` of a table. Items that have expired are not deleted. */
export function timeToLiveOf({ timeToLive: AttributeName }: TableSettings): JsonObject {
  if (AttributeName === undefined) return { TimeToLiveStatus: 'DISABLED' };
  return { TimeToLiveStatus: 'ENABLED', AttributeName };
}

/** What `TagResource`, `UntagResource` or `UpdateTimeToLive` make of settings. @throws RequestError if rejected */
export function changedSettings(
  operation: OperationName,
  settings: TableSettings,
  request: JsonObject,
): TableSettings {
  const tags = new Map(settings.tags);
  switch (operation) {
    case 'TagResource':
      if (tagsIn(request['Tags']).length === 0) {
        throw new RequestError('Atleast one Tag needs to be provided as Input.');
      }
      requireTags(request['Tags']);
      for (const [key, value] of tagsIn(request['Tags'])) tags.set(key, value);
      requireTagCount(tags.size);
      return { ...settings, tags: [...tags] };
    case 'UntagResource':
      for (const key of Array.isArray(request['TagKeys']) ? request['TagKeys'] : []) tags.delete(String(key));
      return { ...settings, tags: [...tags] };
    default:
      return { tags: settings.tags, ...changedTimeToLive(settings, request['TimeToLiveSpecification']) };
  }
}

function changedTimeToLive(
  { timeToLive }: TableSettings,
  given: Json | undefined,
): Pick<TableSettings, 'timeToLive'> {
  const specification = isJsonObject(given) ? given : {};
  const isEnabled = timeToLive !== undefined;
  if (specification['Enabled'] === isEnabled) {
    throw new RequestError(`TimeToLive is already ${isEnabled ? 'enabled' : 'disabled'}`);
  }
  return isEnabled ? {} : { timeToLive: String(specification['AttributeName']) };
}
