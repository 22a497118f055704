import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { resolveIf } from './intrinsics/conditions';
import { resolveImportValue, resolveStackOutput } from './intrinsics/exports';
import { type Intrinsic, isList } from './intrinsics/intrinsic';
import { LOOKUPS } from './intrinsics/lookups';
import { remedy, storedValue } from './intrinsics/parameters';
import { resolveGetAtt, resolveRef } from './intrinsics/references';
import { resolveSub } from './intrinsics/sub';
import { TEXT_FUNCTIONS } from './intrinsics/text';
import { into, report, reportForeign } from './reading';
import type { Reading } from './types';

// CloudFormation, "Intrinsic function reference". Left out: Fn::Cidr, Fn::Transform, Fn::ForEach; nothing
// that a workflow, a function or a rule is made of needs them.
const FUNCTIONS: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ['Ref', resolveRef],
  ['Fn::GetAtt', resolveGetAtt],
  ['Fn::ImportValue', resolveImportValue],
  ['Fn::GetStackOutput', resolveStackOutput],
  ['Fn::Sub', resolveSub],
  ['Fn::If', resolveIf],
  ...TEXT_FUNCTIONS,
  ...LOOKUPS,
]);

/** `{{resolve:ssm:...}}`, `{{resolve:secretsmanager:...}}`: CloudFormation fills them in from the account. */
const DYNAMIC_REFERENCE = /\{\{resolve:([^}]*)\}\}/g;

/**
 * A value of a template with every intrinsic function replaced by what it yields.
 *
 * `undefined` stands for `AWS::NoValue` and for what could not be resolved; the latter has been noted in
 * `reading.problems`. Members and elements that are `undefined` disappear, as CloudFormation removes them.
 */
export function resolve(value: Json, reading: Reading): Json | undefined {
  if (typeof value === 'string') return resolveString(value, reading);
  if (isList(value)) return resolveItems(value, reading);
  if (!isJsonObject(value)) return value;
  const [name = '', ...others] = Object.keys(value);
  const argument = value[name];
  const isCall = others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
  if (!isCall || argument === undefined) return resolveMembers(value, reading);
  const evaluate = FUNCTIONS.get(name);
  if (evaluate) return evaluate(argument, into(reading, name), resolve);
  return report(reading, `uses ${name}, which is not resolved locally; write the value out instead`);
}

function resolveString(value: string, reading: Reading): string | undefined {
  if (!value.includes('{{resolve:')) return value;
  let missing: string | undefined;
  const resolved = value.replace(DYNAMIC_REFERENCE, (whole, reference: string) => {
    const found = referredValue(reference, reading);
    missing ??= found === undefined ? reference : undefined;
    return found ?? whole;
  });
  if (missing === undefined) return resolved;
  const what = `contains {{resolve:${missing}}}, which only an AWS account can answer`;
  return reportForeign(reading, `${what}; ${remedy(missing)}`);
}

/** The value of a reference such as `ssm:/shop/url:1`: as it was given, or as an entry of the app has it. */
function referredValue(reference: string, reading: Reading): string | undefined {
  const { parameters } = reading.scope;
  if (Object.hasOwn(parameters, reference)) return parameters[reference];
  const [, entry] = /^ssm(?:-secure)?:([^:]+)(?::\d+)?$/.exec(reference) ?? [];
  return entry === undefined ? undefined : storedValue(entry, reading, resolve);
}

function resolveItems(items: readonly Json[], reading: Reading): Json[] {
  const resolved: Json[] = [];
  for (const [index, item] of items.entries()) {
    const value = resolve(item, into(reading, index));
    if (value !== undefined) resolved.push(value);
  }
  return resolved;
}

function resolveMembers(object: JsonObject, reading: Reading): JsonObject {
  const resolved: [string, Json][] = [];
  for (const [name, member] of Object.entries(object)) {
    const value = resolve(member, into(reading, name));
    if (value !== undefined) resolved.push([name, value]);
  }
  return Object.fromEntries(resolved);
}
