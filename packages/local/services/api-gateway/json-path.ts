import { isJsonObject, type Json } from '../../json/json';
import { TemplateError } from './vtl/value';

/** One step: `.name`, `['name']`, `["name"]`, `[0]`, `[*]` or `.*`. */
const STEP =
  /\.(?<name>[^.[\]*'"\s()?@]+)|\[(?:'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<index>-?\d+))\]|(?<all>\.\*|\[\*\])/y;

/**
 * What a JSON path leads to in a document, undefined where there is nothing. With a `*` it is the list of all it finds.
 *
 * @throws TemplateError for filters, slices and `..`, which are not built
 */
export function atJsonPath(document: Json, path: string): Json | undefined {
  if (!path.startsWith('$')) throw new TemplateError(`the JSON path ${path} does not begin with $`);
  let found: readonly Json[] = [document];
  let isList = false;
  for (let at = 1; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const groups = STEP.exec(path)?.groups;
    if (groups === undefined) throw new TemplateError(`the JSON path ${path} is not built`);
    const { name = groups['single'] ?? groups['double'], index } = groups;
    if (name !== undefined) found = found.flatMap(value => memberOf(value, name));
    else if (index !== undefined) found = found.flatMap(value => itemOf(value, Number(index)));
    else {
      isList = true;
      found = found.flatMap(value => (isJsonObject(value) ? Object.values(value) : listOf(value)));
    }
  }
  return isList ? found : found[0];
}

function memberOf(value: Json, name: string): readonly Json[] {
  return isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] ?? null] : [];
}

function itemOf(value: Json, index: number): readonly Json[] {
  const list = listOf(value);
  return list.slice(index, index === -1 ? undefined : index + 1);
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
