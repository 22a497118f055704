import type { Json } from '../../json/json';
import { into, report } from '../reading';
import { member } from '../template';
import type { Reading, Resolve } from '../types';
import { type Intrinsic, isList, resolveList, resolveText } from './intrinsic';

/** The functions that pick one value out of several. */
export const LOOKUPS: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ['Fn::Select', select],
  ['Fn::FindInMap', findInMap],
  ['Fn::GetAZs', availabilityZones],
  ['Fn::Length', length],
]);

function select(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const [index, items] = isList(argument) ? argument : [];
  if (index === undefined || items === undefined) return report(reading, 'must be [index, [items]]');
  const position = resolveText(index, into(reading, 0), resolve);
  // A literal list is resolved at the chosen item only: the others may well have no local value.
  const list = isList(items) ? items : resolveList(items, into(reading, 1), resolve);
  if (position === undefined || list === undefined) return undefined;
  const item = /^\d+$/.test(position) ? list[Number(position)] : undefined;
  if (item === undefined) return report(reading, `selects item ${position} of ${list.length}; count from 0`);
  return resolve(item, into(into(reading, 1), Number(position)));
}

function findInMap(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const [mapName, topKey, secondKey, options] = isList(argument) ? argument : [];
  if (mapName === undefined || topKey === undefined || secondKey === undefined) {
    return report(reading, 'must be [map, top-level key, second-level key]');
  }
  const keys = [mapName, topKey, secondKey].map((key, index) =>
    resolveText(key, into(reading, index), resolve),
  );
  let found: Json | undefined = reading.stack.template.mappings;
  for (const key of keys) {
    if (key === undefined) return undefined;
    found = member(found, key);
  }
  found ??= member(options, 'DefaultValue');
  if (found === undefined)
    return report(reading, `finds nothing under ${keys.join(' / ')} in Mappings; add it there`);
  return resolve(found, reading);
}

function availabilityZones(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const asked = argument === '' ? '' : resolveText(argument, reading, resolve);
  const region = asked || reading.stack.environment.region;
  // Real zones differ by account; three of them is what most regions have.
  return ['a', 'b', 'c'].map(zone => `${region}${zone}`);
}

function length(argument: Json, reading: Reading, resolve: Resolve): number | undefined {
  return resolveList(argument, reading, resolve)?.length;
}
