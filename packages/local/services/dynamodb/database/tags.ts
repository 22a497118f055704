import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { RequestError } from '../table/request-error';
import type { OperationName } from './requests';
import type { StoredTable } from './stored-table';

/** What is remembered of tables beside their items: tags, and the attribute for expiry. It has no effect here. */
export class Tags {
  readonly #tags = new WeakMap<StoredTable, Map<string, Json>>();
  readonly #timeToLive = new WeakMap<StoredTable, string>();

  /** Answers `TagResource`, `UntagResource` and `ListTagsOfResource`. */
  perform(operation: OperationName, table: StoredTable, request: JsonObject): JsonObject {
    const tags = this.#tagsOf(table);
    switch (operation) {
      case 'TagResource':
        for (const { Key, Value = '' } of objects(request['Tags'])) tags.set(String(Key), Value);
        return {};
      case 'UntagResource':
        for (const key of Array.isArray(request['TagKeys']) ? request['TagKeys'] : [])
          tags.delete(String(key));
        return {};
      default:
        return { Tags: [...tags].map(([Key, Value]) => ({ Key, Value })) };
    }
  }

  /** The `TimeToLiveDescription` of a table. Items that have expired are not deleted. */
  timeToLive(table: StoredTable): JsonObject {
    const AttributeName = this.#timeToLive.get(table);
    if (AttributeName === undefined) return { TimeToLiveStatus: 'DISABLED' };
    return { TimeToLiveStatus: 'ENABLED', AttributeName };
  }

  /** Answers `UpdateTimeToLive`. @throws RequestError where nothing would change */
  setTimeToLive(table: StoredTable, { TimeToLiveSpecification: given }: JsonObject): JsonObject {
    const specification = isJsonObject(given) ? given : {};
    const isEnabled = this.#timeToLive.has(table);
    if (specification['Enabled'] === isEnabled) {
      throw new RequestError(`TimeToLive is already ${isEnabled ? 'enabled' : 'disabled'}`);
    }
    if (isEnabled) this.#timeToLive.delete(table);
    else this.#timeToLive.set(table, String(specification['AttributeName']));
    return { TimeToLiveSpecification: specification };
  }

  #tagsOf(table: StoredTable): Map<string, Json> {
    const known = this.#tags.get(table);
    if (known) return known;
    const tags = new Map(
      objects(table.definition.request['Tags']).map(({ Key, Value = '' }) => [String(Key), Value]),
    );
    this.#tags.set(table, tags);
    return tags;
  }
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
