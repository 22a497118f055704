import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { into, report } from '../reading';
import type { Reading, Resolve } from '../types';
import { isList, resolveText } from './intrinsic';

/** `${Name}`, `${Name.Attribute}`, `${AWS::Region}`; `${!Literal}` is an escape. */
export const SUB_VARIABLE = /\$\{([^}]*)\}/g;

/** Fn::Sub: `text`, or `[text, { variable: value }]`; a variable wins over a resource of the same name. */
export function resolveSub(argument: Json, reading: Reading, resolve: Resolve): string | undefined {
  const [text, variables] = isList(argument) ? argument : [argument, {}];
  if (typeof text !== 'string' || !isJsonObject(variables)) {
    return report(reading, 'must be text, or [text, { variable: value }]');
  }
  return text.replace(SUB_VARIABLE, (whole: string, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    const position = into(reading, whole);
    return resolveText(variableValue(name.trim(), variables), position, resolve) ?? '';
  });
}

function variableValue(name: string, variables: JsonObject): Json {
  const own = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (own !== undefined) return own;
  return name.includes('.') ? { 'Fn::GetAtt': name } : { Ref: name };
}
