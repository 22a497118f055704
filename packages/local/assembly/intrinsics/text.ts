import { isJsonObject, type Json } from '../../json/json';
import { into, report } from '../reading';
import type { Reading, Resolve } from '../types';
import { type Intrinsic, isList, resolveList, resolveText, scalarText } from './intrinsic';

/** The functions that build text and take it apart. */
export const TEXT_FUNCTIONS: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ['Fn::Join', join],
  ['Fn::Split', split],
  ['Fn::Base64', base64],
  ['Fn::ToJsonString', toJsonString],
]);

function join(argument: Json, reading: Reading, resolve: Resolve): string | undefined {
  const [delimiter, parts] = isList(argument) ? argument : [];
  if (typeof delimiter !== 'string' || parts === undefined) {
    return report(reading, 'must be [delimiter, [parts]]');
  }
  const list = isList(parts) ? parts : resolveList(parts, into(reading, 1), resolve);
  const texts = list?.map((part, index) => {
    const position = into(into(reading, 1), index);
    const value = resolve(part, position);
    // A part that AWS::NoValue removes, or that is already in error, is left out.
    return value === undefined ? undefined : (scalarText(value) ?? report(position, 'must be text'));
  });
  return texts?.filter(text => text !== undefined).join(delimiter);
}

function split(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const [delimiter, source] = isList(argument) ? argument : [];
  if (typeof delimiter !== 'string' || delimiter === '' || source === undefined) {
    return report(reading, 'must be [delimiter, text]');
  }
  return resolveText(source, into(reading, 1), resolve)?.split(delimiter);
}

function base64(argument: Json, reading: Reading, resolve: Resolve): string | undefined {
  const text = resolveText(argument, reading, resolve);
  return text === undefined ? undefined : Buffer.from(text, 'utf8').toString('base64');
}

function toJsonString(argument: Json, reading: Reading, resolve: Resolve): string | undefined {
  const value = resolve(argument, reading);
  if (isJsonObject(value) || isList(value)) return JSON.stringify(value);
  return value === undefined ? undefined : report(reading, 'must be an object or a list');
}
