import type { JsonObject } from '../../../json/json';
import type { Item } from './attribute-value';
import { type Path, requireApart, valueAt } from './document-path';
import { Tokens, type Words } from './tokens';

/** The paths in a `ProjectionExpression`. @throws RequestError where DynamoDB would reject it */
export function parseProjection(text: string, words: Words): readonly Path[] {
  const tokens = new Tokens(text);
  const paths = [tokens.path(words)];
  while (tokens.takeIf(',')) paths.push(tokens.path(words));
  tokens.expectEnd();
  requireApart(paths);
  return paths;
}

/** What an item has at these paths, in maps and lists that hold nothing else. */
export function projected(paths: readonly Path[], item: Item): Item {
  const found = paths.flatMap(path => {
    const value = valueAt(item, path);
    return value ? [{ path, value }] : [];
  });
  return found.length === 0 ? {} : (selection(found)['M'] as Item);
}

function selection(
  found: readonly { readonly path: readonly (string | number)[]; readonly value: JsonObject }[],
): JsonObject {
  const [only] = found;
  if (only && only.path.length === 0) return only.value;
  const pieces = [...new Set(found.map(({ path }) => path[0]))];
  const at = (piece: string | number | undefined) =>
    selection(
      found
        .filter(({ path }) => path[0] === piece)
        .map(({ path, value }) => ({ path: path.slice(1), value })),
    );
  if (typeof pieces[0] !== 'number')
    return { M: Object.fromEntries(pieces.map(piece => [String(piece), at(piece)])) };
  return { L: [...pieces].sort((a, b) => Number(a) - Number(b)).map(at) };
}
