import type { Json } from '../../json/json';
import { report } from '../reading';
import { member } from '../template';
import type { Reading } from '../types';
import { scalarText } from './intrinsic';

/** A parameter's value: the one the caller gave, else its default. Lists come as arrays, all else as text. */
export function resolveParameter(name: string, reading: Reading): Json | undefined {
  const parameter = member(reading.stack.template.parameters, name);
  const declaredType = member(parameter, 'Type');
  const type = typeof declaredType === 'string' ? declaredType : 'String';
  const given = givenValue(name, reading);
  const fallback = scalarText(member(parameter, 'Default'));
  // The default of such a parameter is the name of an entry in Parameter Store, not a value.
  if (given === undefined && type.startsWith('AWS::SSM::Parameter::')) {
    const source = `the Parameter Store entry \`${fallback ?? '(not given)'}\``;
    return report(
      reading,
      `needs the parameter \`${name}\`, which AWS reads from ${source}; ${remedy(name)}`,
    );
  }
  const text = given ?? fallback;
  if (text === undefined) {
    return report(reading, `needs the parameter \`${name}\`, which has no default; ${remedy(name)}`);
  }
  const isTextList = type === 'CommaDelimitedList' || type.includes('List<');
  return isTextList ? text.split(',').map(item => item.trim()) : text;
}

function givenValue(name: string, reading: Reading): string | undefined {
  const { parameters } = reading.scope;
  const scoped = `${reading.stack.name}:${name}`;
  return [scoped, name].filter(key => Object.hasOwn(parameters, key)).map(key => parameters[key])[0];
}

function remedy(name: string): string {
  return `give it in the option \`parameters\`, as \`${name}\``;
}
