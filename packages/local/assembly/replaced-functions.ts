import path from 'node:path';
import type { JsonObject } from '../json/json';
import { notKnown } from './likeness';
import type { Problem } from './problem';
import { constructPathOf, type Stack } from './stack';
import { member, type TemplateResource } from './template';
import { textOf } from './unused-names';

const FUNCTION = 'AWS::Lambda::Function';
/** The runtimes of modules that replace a function, by the ending of the file. */
const RUNTIMES: Readonly<Record<string, string>> = {
  '.js': 'nodejs24.x',
  '.cjs': 'nodejs24.x',
  '.mjs': 'nodejs24.x',
  '.py': 'python3.13',
};

/**
 * The stacks with other code for functions, each by its construct path, logical id or name. A name that no template
 * has, and that one mentions, is that of a function of another app, which is added.
 */
export function withReplacedFunctions(
  stacks: readonly Stack[],
  functions: Readonly<Record<string, string>>,
  problems: Problem[],
): readonly Stack[] {
  return Object.entries(functions).reduce((changed, [name, target]) => {
    const found = changed.flatMap(stack => {
      return [...stack.template.resources.values()]
        .filter(resource => resource.type === FUNCTION && isCalled(resource, name, stack))
        .map(resource => ({ stack, resource }));
    });
    const [one, ...others] = found;
    const [first] = changed;
    if (others.length > 0) {
      const all = found.map(({ stack, resource }) => constructPathOf(resource, stack)).join(', ');
      problems.push({ where: name, message: `matches several functions; name one of ${all}` });
    } else if (one) {
      return changed.map(stack => (stack === one.stack ? withFunction(stack, one.resource, target) : stack));
    } else if (first && /^[\w-]{1,64}$/.test(name) && isMentioned(name, stacks)) {
      const properties = { FunctionName: name };
      return [
        withFunction(first, { logicalId: `Function${name}`, type: FUNCTION, properties }, target),
        ...changed.slice(1),
      ];
    } else {
      const all = changed.flatMap(stack =>
        [...stack.template.resources.values()]
          .filter(({ type }) => type === FUNCTION)
          .map(one => constructPathOf(one, stack)),
      );
      problems.push({ where: name, message: notKnown(name, 'a function', all) });
    }
    return changed;
  }, stacks);
}

/** Whether the templates mention a function that they do not have. A definition in a bucket is not among them. */
function isMentioned(name: string, stacks: readonly Stack[]): boolean {
  const text = textOf(stacks);
  return text.includes('DefinitionS3Location') || new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);
}

function isCalled(resource: TemplateResource, name: string, stack: Stack): boolean {
  const own = [resource.logicalId, member(resource.properties, 'FunctionName')];
  return own.includes(name) || `/${constructPathOf(resource, stack)}`.endsWith(`/${name}`);
}

function withFunction(stack: Stack, resource: TemplateResource, target: string): Stack {
  const { PackageType: _image, ...properties } = resource.properties;
  const changed = { ...resource, properties: { ...properties, ...codeOf(target) } };
  const resources = new Map([...stack.template.resources, [resource.logicalId, changed]]);
  return { ...stack, template: { ...stack.template, resources } };
}

function codeOf(target: string): JsonObject {
  const { dir, name, ext } = path.parse(path.resolve(target));
  const Runtime = RUNTIMES[ext];
  const isModule = Runtime !== undefined && !/\s/.test(target) && !/^https?:/.test(target);
  return isModule
    ? { Runtime, Handler: `${name}.handler`, Code: { LocalPath: dir } }
    : { Runtime: 'external', Handler: target, Code: { LocalPath: path.resolve('.') } };
}
