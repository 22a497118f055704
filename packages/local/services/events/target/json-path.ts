import { isJsonObject, type Json } from '../../../json/json';

/** A path compiled by `compileJsonPath`: the value it leads to in a document, undefined where there is none. */
export type JsonPath = (document: Json) => Json | undefined;

type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' };

/** One step: `.name`, `.*`, `[0]` or `[*]`. Names end at the next dot or bracket. */
const STEP = /\.(?<name>[^.[\]*"'<>\s]+)|\[(?<index>\d+)\]|(?<all>\.\*|\[\*\])/y;

/**
 * Compiles the JSON path subset of EventBridge: `$`, dots, array indices and `*`. Undefined if `text` is none of
 * these; `$['name']`, filters and `..` are not part of the subset.
 *
 * With a `*` the path leads to the list of all it finds, which may be empty.
 */
export function compileJsonPath(text: string): JsonPath | undefined {
  const steps = parseSteps(text);
  if (steps === undefined) return undefined;
  const isList = steps.some(step => step.kind === 'all');
  return document => {
    const found = steps.reduce<readonly Json[]>(
      (values, step) => values.flatMap(value => follow(value, step)),
      [document],
    );
    return isList ? found : found[0];
  };
}

function parseSteps(text: string): readonly Step[] | undefined {
  if (!text.startsWith('$')) return undefined;
  const steps: Step[] = [];
  let from = 1;
  while (from < text.length) {
    STEP.lastIndex = from;
    const match = STEP.exec(text);
    if (match === null) return undefined;
    const { name, index } = match.groups ?? {};
    if (name !== undefined) steps.push({ kind: 'name', name });
    else if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else steps.push({ kind: 'all' });
    from = STEP.lastIndex;
  }
  return steps;
}

/** What one step finds, as a list so that "nothing" and "null" differ. */
function follow(value: Json, step: Step): readonly Json[] {
  if (step.kind === 'all') {
    if (isJsonObject(value)) return Object.values(value);
    return Array.isArray(value) ? value : [];
  }
  if (step.kind === 'index') return Array.isArray(value) ? value.slice(step.index, step.index + 1) : [];
  if (!isJsonObject(value) || !Object.hasOwn(value, step.name)) return [];
  return [value[step.name] ?? null];
}
