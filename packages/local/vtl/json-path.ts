import type { Json } from '../json/json';
import { parsePath, select } from '../language/index';
import { TemplateError } from './template-error';

/**
 * What a JSON path leads to in a document, undefined where there is nothing. A path that may lead to many values leads
 * to the list of all it finds.
 *
 * @throws TemplateError for a text that is not a JSON path, or does not begin at the document
 */
export function atJsonPath(document: Json, path: string): Json | undefined {
  const parsed = parsePath(path);
  if (parsed.kind === 'invalid') throw new TemplateError(`${path} is not a JSON path: ${parsed.reason}`);
  if (parsed.path.root.kind !== 'input')
    throw new TemplateError(`the JSON path ${path} does not begin with $.`);
  const found = select(parsed.path, { input: document, context: {}, variables: {} });
  return found.kind === 'value' ? found.value : undefined;
}
