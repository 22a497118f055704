import type { Json } from '../../json/json';
import { report, visit } from '../reading';
import { member } from '../template';
import type { Reading, Resolve } from '../types';
import { isList, scalarText } from './intrinsic';

/** A parameter's value: the one the caller gave, else its default. Lists come as arrays, all else as text. */
export function resolveParameter(name: string, reading: Reading, resolve: Resolve): Json | undefined {
  const parameter = member(reading.stack.template.parameters, name);
  const declaredType = member(parameter, 'Type');
  const type = typeof declaredType === 'string' ? declaredType : 'String';
  const noted = reading.problems.length;
  const passed = passedValue(name, reading, resolve);
  if (reading.problems.length > noted) return undefined;
  const given = givenValue(name, reading, passed !== undefined);
  const fallback = passed ?? scalarText(member(parameter, 'Default'));
  // The default of such a parameter is the name of an entry in Parameter Store, not a value.
  if (type.startsWith('AWS::SSM::Parameter::')) {
    const entry = given ?? fallback ?? '';
    const value = given ?? storedValue(entry, reading, resolve);
    if (value === undefined) {
      const source = `the Parameter Store entry \`${entry || '(not given)'}\``;
      const message = `needs the parameter \`${name}\`, which AWS reads from ${source}; ${remedy(entry || name)}`;
      return report(reading, message);
    }
    return listed(value, type);
  }
  const text = given ?? fallback;
  if (text === undefined) {
    // Noted once, wherever it is referred to.
    const where = `${reading.stack.templateFile}: Parameters.${name}`;
    reading.problems.push({ where, message: `has no value and no default; ${remedy(name)}` });
    return undefined;
  }
  return listed(text, type);
}

function listed(text: string, type: string): Json {
  const isTextList = type === 'CommaDelimitedList' || type.includes('List<');
  return isTextList ? text.split(',').map(item => item.trim()) : text;
}

/** The value of an entry of the Parameter Store: as it was given by its name, or as a template has it. */
export function storedValue(entry: string, reading: Reading, resolve: Resolve): string | undefined {
  const { parameters, stacks } = reading.scope;
  if (Object.hasOwn(parameters, entry)) return parameters[entry];
  for (const stack of stacks) {
    for (const { logicalId, type, properties } of stack.template.resources.values()) {
      const value = member(properties, 'Value');
      if (type !== 'AWS::SSM::Parameter' || member(properties, 'Name') !== entry || value === undefined)
        continue;
      const at = { stack, path: `Resources.${logicalId}.Properties.Value` };
      return visit(reading, at, inner => scalarText(resolve(value, inner)));
    }
  }
  return undefined;
}

/** As the caller gave it. Of a value that an outer stack passes, only the name with the stack counts. */
function givenValue(name: string, reading: Reading, isPassed: boolean): string | undefined {
  const { parameters } = reading.scope;
  const scoped = `${reading.stack.name}:${name}`;
  return [scoped, ...(isPassed ? [] : [name])]
    .filter(key => Object.hasOwn(parameters, key))
    .map(key => parameters[key])[0];
}

/** The value that an outer stack passes to one that it nests. */
function passedValue(name: string, reading: Reading, resolve: Resolve): string | undefined {
  const { outer } = reading.stack;
  const stack = reading.scope.stacks.find(({ artifactId }) => artifactId === outer?.artifactId);
  const resource = outer && stack?.template.resources.get(outer.logicalId);
  const value = member(member(resource?.properties, 'Parameters'), name);
  if (!stack || value === undefined) return undefined;
  const at = { stack, path: `Resources.${outer?.logicalId}.Properties.Parameters.${name}` };
  const passed = visit(reading, at, inner => resolve(value, inner));
  return isList(passed) ? passed.map(scalarText).join(',') : scalarText(passed);
}

/** What to do about a value that only an account has. */
export function remedy(name: string): string {
  return `pass --parameter '${name}=VALUE', or \`parameters: { '${name}': '…' }\` in a test`;
}
