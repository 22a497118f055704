/** A JSONata expression as the States Language takes it: in `{% %}`. */
export function expression(jsonata: string): string {
  return `{% ${jsonata} %}`;
}

/**
 * A text as a JSONata string literal, in single quotes: the definition is JSON, where double ones need escaping.
 *
 * JSONata knows JSON's escapes only, so a single quote is written by its code.
 */
export function literal(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", '\\u0027');
  return `'${escaped}'`;
}

/**
 * JSONata that defines `$quoted(text)`: text in double quotes with `\` and `"` escaped.
 *
 * Fails on half a surrogate pair, which `$encodeUrlComponent` refuses: hashed or stored as UTF-8 it would be the same
 * as any other half.
 */
export const DEFINE_QUOTED =
  "$quoted := function($text) { $encodeUrlComponent($text) = '' ? '\"\"' : " +
  "'\"' & $replace($replace($text, '\\\\', '\\\\\\\\'), '\"', '\\\\\"') & '\"' }";
