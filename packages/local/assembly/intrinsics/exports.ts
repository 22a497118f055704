import { isJsonObject, type Json } from '../../json/json';
import { exportKey, into, report, visit } from '../reading';
import type { Stack } from '../stack';
import { member } from '../template';
import type { Reading, Resolve } from '../types';
import { resolveText } from './intrinsic';
import { remedy } from './parameters';

/** Fn::ImportValue: what another stack, in the same account and region, exports; or as the caller gave it by its name. */
export function resolveImportValue(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const name = resolveText(argument, reading, resolve);
  if (name === undefined) return undefined;
  const { parameters } = reading.scope;
  if (Object.hasOwn(parameters, name)) return parameters[name];
  const exported = reading.scope.exports.get(exportKey(reading.stack, name));
  if (exported) return outputValue(exported.stack, exported.output, reading, resolve);
  return report(
    reading,
    `imports \`${name}\`, which no stack here exports; synthesize that stack too, or ${remedy(name)}`,
  );
}

/**
 * Fn::GetStackOutput: the weak reference of recent CDK versions, an output by stack and name, without an
 * export.
 */
export function resolveStackOutput(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const text = (name: string, fallback: string): string | undefined => {
    const value = member(argument, name);
    return value === undefined ? fallback : resolveText(value, into(reading, name), resolve);
  };
  const stackName = text('StackName', '');
  const output = text('OutputName', '');
  const region = text('Region', reading.stack.environment.region);
  if (stackName === undefined || output === undefined || region === undefined) return undefined;
  const stack = reading.scope.stacks.find(
    candidate => candidate.name === stackName && candidate.environment.region === region,
  );
  if (stack) return outputValue(stack, output, reading, resolve);
  const given = `${stackName}:${output}`;
  const { parameters } = reading.scope;
  if (Object.hasOwn(parameters, given)) return parameters[given];
  return report(
    reading,
    `reads an output of stack \`${stackName}\` in ${region}, which is not here; ${remedy(given)}`,
  );
}

/** The value of a stack's output. */
export function outputValue(
  stack: Stack,
  output: string,
  reading: Reading,
  resolve: Resolve,
): Json | undefined {
  const definition = member(stack.template.outputs, output);
  const value = member(definition, 'Value');
  if (!isJsonObject(definition) || value === undefined) {
    return report(
      reading,
      `reads the output \`${output}\` of stack \`${stack.name}\`, which has no such output`,
    );
  }
  return visit(reading, { stack, path: `Outputs.${output}.Value` }, inner => resolve(value, inner));
}
