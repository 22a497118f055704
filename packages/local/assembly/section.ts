import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { isList, scalarText } from './intrinsics/intrinsic';
import { into, report } from './reading';
import { member } from './template';
import type { Reading, Section } from './types';

/** A section over an object whose references are resolved. */
function sectionOf(object: JsonObject, reading: Reading): Section {
  return createSection(name => member(object, name), reading);
}

/** A section over members that `value` resolves, e.g. on demand. */
export function createSection(value: (name: string) => Json | undefined, reading: Reading): Section {
  const problem = (name: string, message: string): undefined => report(into(reading, name), message);
  const optionalText = (name: string): string | undefined => {
    const found = value(name);
    return found === undefined ? undefined : (scalarText(found) ?? problem(name, 'must be text'));
  };
  const optionalNumber = (name: string) => numberOf(value(name), message => problem(name, message));
  const list = (name: string): readonly Json[] => {
    const found = value(name);
    if (found === undefined) return [];
    return isList(found) ? found : (problem(name, 'must be a list') ?? []);
  };
  return {
    value,
    problem,
    optionalText,
    text: name => required(name, optionalText, reading),
    optionalNumber,
    wholeNumber: (name, min, max) => {
      const number = optionalNumber(name);
      if (number === undefined || (Number.isInteger(number) && number >= min && number <= max)) return number;
      return problem(name, `must be a whole number from ${min} to ${max}, got ${number}`);
    },
    object: name => objectAt(value(name), into(reading, name)),
    objects: name =>
      list(name).flatMap((item, index) => objectAt(item, into(into(reading, name), index)) ?? []),
    texts: name => list(name).flatMap(item => scalarText(item) ?? problem(name, 'must hold text only') ?? []),
    textMap: name => textsByName(value(name), into(reading, name)),
    oneOf: (name, allowed) => {
      const text = optionalText(name);
      const known = allowed.find(candidate => candidate === text);
      return (
        known ?? (text === undefined ? undefined : problem(name, `must be one of ${allowed.join(', ')}`))
      );
    },
  };
}

function required(name: string, read: (name: string) => string | undefined, reading: Reading): string {
  const noted = reading.problems.length;
  const text = read(name);
  if (text === undefined && reading.problems.length === noted) report(into(reading, name), 'is missing');
  return text ?? '';
}

function numberOf(value: Json | undefined, problem: (message: string) => undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : problem('must be a number');
}

function objectAt(value: Json | undefined, reading: Reading): Section | undefined {
  if (value === undefined) return undefined;
  return isJsonObject(value) ? sectionOf(value, reading) : report(reading, 'must be an object');
}

function textsByName(value: Json | undefined, reading: Reading): Record<string, string> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) return report(reading, 'must be an object') ?? {};
  const entries = Object.entries(value).map(([name, item]): [string, string] => {
    return [name, scalarText(item) ?? report(into(reading, name), 'must be text') ?? ''];
  });
  return Object.fromEntries(entries);
}
