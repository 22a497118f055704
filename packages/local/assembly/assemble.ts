import type { Assembly, OutputSpec, Problem, UnsupportedResource } from './assembly';
import { resolve } from './intrinsics';
import { conditionHolds } from './intrinsics/conditions';
import type { Reading, World } from './reading';
import { createResourceReader } from './resource-reader';
import type { ResourcePart, ResourceType } from './resource-type';
import type { Stack } from './stack';
import { member, type TemplateResource } from './template';
import { exportName } from './world';

/** Reads every resource that exists under the templates' conditions; problems are noted, not thrown. */
export function assemble(world: World, problems: Problem[]): Assembly {
  const parts: ResourcePart[] = [];
  const unsupported: UnsupportedResource[] = [];
  for (const stack of world.stacks) {
    for (const resource of stack.template.resources.values()) {
      const reading = readingOf(world, stack, `Resources.${resource.logicalId}`, problems);
      if (!isCreated(resource, reading)) continue;
      const type = world.types.get(resource.type);
      const isRun = type === undefined || runs(type, resource, reading);
      const reader = type?.read && isRun ? createResourceReader(resource, reading) : undefined;
      if (reader && type?.read) parts.push(type.read(reader));
      else if (!type?.inert && (!type?.read || !isRun)) {
        unsupported.push({ logicalId: resource.logicalId, type: resource.type, stack: stack.name });
      }
    }
  }
  return {
    stateMachines: parts.flatMap(part => (part.kind === 'stateMachine' ? part.spec : [])),
    functions: parts.flatMap(part => (part.kind === 'function' ? part.spec : [])),
    tables: parts.flatMap(part => (part.kind === 'table' ? part.spec : [])),
    eventBuses: parts.flatMap(part => (part.kind === 'eventBus' ? part.spec : [])),
    rules: parts.flatMap(part => (part.kind === 'rule' ? part.spec : [])),
    queues: parts.flatMap(part => (part.kind === 'queue' ? part.spec : [])),
    queueSources: parts.flatMap(part => (part.kind === 'queueSource' ? part.spec : [])),
    outputs: world.stacks.flatMap(stack => readOutputs(world, stack)),
    unsupported,
  };
}

/** Asked of a reader whose problems nobody sees: a resource that is not run is not to stop those that are. */
function runs(type: ResourceType, resource: TemplateResource, reading: Reading): boolean {
  if (!type.isRun) return true;
  const reader = createResourceReader(resource, { ...reading, problems: [] });
  return reader !== undefined && type.isRun(reader);
}

function isCreated({ condition }: TemplateResource, reading: Reading): boolean {
  return condition === undefined || conditionHolds(condition, reading, resolve) === true;
}

/** Outputs are shown, not run: one that cannot be resolved is listed without a value. */
function readOutputs(world: World, stack: Stack): OutputSpec[] {
  return Object.entries(stack.template.outputs).flatMap(([name, definition]) => {
    const source = member(definition, 'Value');
    const condition = member(definition, 'Condition');
    const reading = readingOf(world, stack, `Outputs.${name}`, []);
    const isLeftOut = typeof condition === 'string' && conditionHolds(condition, reading, resolve) === false;
    if (source === undefined || isLeftOut) return [];
    const value = resolve(source, reading);
    const exported = exportName(world, stack, name);
    return {
      stack: stack.name,
      name,
      ...(value !== undefined && reading.problems.length === 0 && { value }),
      ...(exported !== undefined && { exportName: exported }),
    };
  });
}

function readingOf(world: World, stack: Stack, path: string, problems: Problem[]): Reading {
  return { world, stack, path, visiting: [], problems };
}
