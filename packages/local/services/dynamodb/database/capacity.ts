import type { JsonObject } from '../../../json/json';
import type { Item } from '../table/attribute-value';
import { itemSize } from '../table/size';

const READ_UNIT_BYTES = 4096;
const WRITE_UNIT_BYTES = 1024;

/** The read units that so many bytes take; at least half a unit, a whole one where the read is consistent. */
export function readUnits(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (isConsistent ? 1 : 0.5);
}

/** The write units of a write: of the item before and after, the larger one counts. */
export function writeUnits(before: Item | undefined, after: Item | undefined): number {
  const bytes = Math.max(before ? itemSize(before) : 0, after ? itemSize(after) : 0);
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

/** The units that the parts of a batch or transaction take, of a table each. */
export type UnitsOfTables = ReadonlyMap<string, number>;

/** Adds what one part takes. */
export function addUnits(units: Map<string, number>, table: string, more: number): void {
  units.set(table, (units.get(table) ?? 0) + more);
}

/** The `ConsumedCapacity` member of the answer to a batch or transaction, where the request asks for it. */
export function consumedOfTables(request: JsonObject, units: UnitsOfTables): JsonObject {
  const each = [...units].flatMap(([table, count]) => {
    const { ConsumedCapacity: one } = consumed(request, table, count);
    return one === undefined ? [] : [one];
  });
  return each.length > 0 ? { ConsumedCapacity: each } : {};
}

/** The `ConsumedCapacity` member of an answer, where the request asks for it. */
export function consumed(request: JsonObject, TableName: string, CapacityUnits: number): JsonObject {
  switch (request['ReturnConsumedCapacity']) {
    case 'TOTAL':
      return { ConsumedCapacity: { TableName, CapacityUnits } };
    case 'INDEXES':
      return { ConsumedCapacity: { TableName, CapacityUnits, Table: { CapacityUnits } } };
    default:
      return {};
  }
}
