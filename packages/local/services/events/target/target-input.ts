import type { Json } from '../../../json/json';
import { jsonFault } from './input-template';
import { compileInputTransformer } from './input-transformer';
import { compileJsonPath } from './json-path';
import type { CompiledTargetInput, EventTarget } from './target';

/** Compiles what `target` receives of an event: all of it, or what `input`, `inputPath` or `inputTransformer` say. */
export function compileTargetInput(target: EventTarget): CompiledTargetInput {
  const { id, input, inputPath, inputTransformer } = target;
  if ([input, inputPath, inputTransformer].filter(given => given !== undefined).length > 1)
    return invalid(`Only one of Input, InputPath, or InputTransformer must be provided for target ${id}.`);
  if (input !== undefined) return constantInput(id, input);
  if (inputPath !== undefined) return partOfEvent(id, inputPath);
  if (inputTransformer !== undefined) return compileInputTransformer(id, inputTransformer);
  return { kind: 'target', build: event => ({ kind: 'input', text: JSON.stringify(event) }) };
}

function constantInput(id: string, input: string): CompiledTargetInput {
  const fault = jsonFault(input);
  if (fault !== undefined) return invalid(`Input for target ${id} must be JSON text: ${fault}`);
  return { kind: 'target', build: () => ({ kind: 'input', text: input }) };
}

function partOfEvent(id: string, inputPath: string): CompiledTargetInput {
  const path = compileJsonPath(inputPath);
  if (path === undefined)
    return invalid(`InputPath ${inputPath} for target ${id} must be a path like $.detail.items[0].name`);
  return {
    kind: 'target',
    build(event) {
      const part: Json | undefined = path(event);
      if (part !== undefined) return { kind: 'input', text: JSON.stringify(part) };
      return { kind: 'failed', reason: `InputPath ${inputPath} leads to nothing in the event` };
    },
  };
}

function invalid(problem: string): CompiledTargetInput {
  return { kind: 'invalid', problems: [problem] };
}
