import { isJsonObject, type Json, type JsonObject } from '../json/json';
import type { Item } from '../services/dynamodb/table/attribute-value';
import { parseCondition } from '../services/dynamodb/table/condition';
import { areNested } from '../services/dynamodb/table/document-path';
import { attributesOf, type KeySchema, keyTextOf, keyTextOfItem } from '../services/dynamodb/table/key';
import { parseProjection } from '../services/dynamodb/table/projection';
import { Words } from '../services/dynamodb/table/tokens';
import { parseUpdate } from '../services/dynamodb/table/update';
import { operationOf } from './kernel/index';
import type { DocumentPath, Knowledge, ModelState } from './state';

const WHOLE: DocumentPath = [];

/** A request of a table that has succeeded. */
export interface Access {
  readonly execution: number;
  readonly stateName: string;
  readonly resource: string;
  readonly arguments: Json;
  readonly table: string;
}

/** The state with what a request has read, and with what it has destroyed of the writes of others. */
export function afterAccess(before: ModelState, after: ModelState, access: Access): ModelState {
  const [old, made] = [before, after].map(({ tables }) => tables.get(access.table));
  if (!old || !made) return after;
  const request = isJsonObject(access.arguments) ? access.arguments : {};
  const key = keyOf(access.resource, request, old.schema);
  const item = JSON.stringify([access.table, key]);
  const all = before.reads?.get(item) ?? {};
  const [from, to] = [old.items.get(key), made.items.get(key)];
  const { read, blind, asked } = placesIn(access.resource, request, { ...from, ...to });
  const { known, stale } = all[access.execution] ?? { known: [], stale: [] };
  // A condition that asks for something that has changed goes by what others have written.
  const isAware = stale.some(place => isAmong(asked, place));
  const lost = isAware ? undefined : stale.find(place => isAmong(blind, place));
  const changed = changesBetween(from, to);
  const others = Object.entries(all).map(([execution, { known, stale }]) => {
    const more = changed.filter(place => isAmong(known, place));
    return [execution, { known, stale: distinct([...stale, ...more]) }];
  });
  const left = isAware ? [] : stale.filter(place => !read.some(other => isWithin(place, other)));
  const own: Knowledge = { known: distinct([...known, ...read]), stale: left };
  const reads = new Map([
    ...(before.reads ?? []),
    [item, { ...Object.fromEntries(others), [access.execution]: own }],
  ]);
  return {
    ...after,
    reads,
    ...(lost && { lost: lossText(access, placeText(lost, old.schema), [from, to]) }),
  };
}

function placeText(place: DocumentPath, schema: KeySchema): string {
  const isKey = attributesOf(schema).some(({ name }) => name === place[0]);
  return isKey ? 'the item' : `${place.join('.')} of the item`;
}

function lossText({ stateName, execution }: Access, place: string, items: readonly unknown[]): string {
  const [from, to] = items.map(item => JSON.stringify(item) ?? 'nothing');
  const made = from === to ? `${from} is written once more` : `${from} becomes ${to}`;
  return (
    `"${stateName}" of execution ${execution} overwrites ${place}, which another execution has ` +
    `written since execution ${execution} read it: ${made}`
  );
}

function keyOf(resource: string, { Item: item, Key: key }: JsonObject, schema: KeySchema): string {
  const isPut = operationOf(resource) === 'putItem';
  return isPut ? keyTextOfItem(schema, item as Item) : keyTextOf(schema, key as Item);
}

/** The places that an execution knows after a request, those that it writes blindly, and those of its condition. */
function placesIn(resource: string, request: JsonObject, item: Item) {
  const words = new Words(request);
  const textOf = (name: string) => request[`${name}Expression`] as string | undefined;
  const [condition, projection, update] = ['Condition', 'Projection', 'Update'].map(textOf);
  const asked: DocumentPath[] = [];
  if (condition !== undefined) parseCondition(condition, words, path => asked.push(path));
  switch (operationOf(resource)) {
    case 'getItem':
      return {
        read: projection === undefined ? [WHOLE] : parseProjection(projection, words),
        blind: [],
        asked,
      };
    case 'updateItem': {
      const { paths, blind } = update === undefined ? { paths: [], blind: [] } : parseUpdate(update, words);
      const isAll = /^ALL_/.test(String(request['ReturnValues']));
      return { read: isAll ? [WHOLE] : [...paths, ...asked], blind, asked };
    }
    default:
      return { read: [WHOLE], blind: Object.keys(item).map(name => [name]), asked };
  }
}

/** The places at which two items differ, as deep as both have maps. */
function changesBetween(
  from: Item | undefined,
  to: Item | undefined,
  within: DocumentPath = WHOLE,
): DocumentPath[] {
  const names = Object.keys({ ...from, ...to });
  return names.flatMap(name => {
    const [old, made] = [from?.[name], to?.[name]];
    if (JSON.stringify(old) === JSON.stringify(made)) return [];
    const [maps, others] = [old?.['M'], made?.['M']];
    if (!isJsonObject(maps) || !isJsonObject(others)) return [[...within, name]];
    return changesBetween(maps as Item, others as Item, [...within, name]);
  });
}

/** Whether a place is one of these, or contains one, or is within one. */
function isAmong(places: readonly DocumentPath[], place: DocumentPath): boolean {
  return places.some(other => areNested(place, other));
}

function isWithin(place: DocumentPath, other: DocumentPath): boolean {
  return other.length <= place.length && areNested(place, other);
}

/** In one order, so that states with the same knowledge are the same. */
function distinct(places: readonly DocumentPath[]): readonly DocumentPath[] {
  return [...new Map(places.map(place => [JSON.stringify(place), place]))].sort().map(([, place]) => place);
}
