/** A JSONata expression as the States Language takes it: in `{% %}`. */
export function expression(jsonata: string): string {
  return `{% ${jsonata} %}`;
}

/** What stands between the delimiters of an {@link expression}. */
export function jsonataIn(expression: string): string {
  return expression.slice('{%'.length, -'%}'.length).trim();
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
 * The name of an object's field as a path has it: in backticks if it is not a plain name, or is a word of JSONata's.
 */
export function fieldName(name: string): string {
  return /^(?!(?:and|or|in|true|false|null|function)$)[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;
}

/** Texts as a JSONata list of literals. */
export function literals(texts: readonly string[]): string {
  return `[${texts.map(literal).join(', ')}]`;
}

/** True where all of the conditions are; each may be any expression. */
export function and(...conditions: readonly [string, string, ...string[]]): string {
  return conditions.map(condition => `(${condition})`).join(' and ');
}

/** True where one of the conditions is; each may be any expression. */
export function or(...conditions: readonly [string, string, ...string[]]): string {
  return conditions.map(condition => `(${condition})`).join(' or ');
}

/** True where the condition is not; it may be any expression. */
export function not(condition: string): string {
  return `$not(${condition})`;
}

/**
 * JSONata of the value of a JSON text; without a text the evaluation gives nothing, or fails. AWS does not say whether
 * `$parse` of `null` gives null or nothing. The text is evaluated twice.
 */
export function parsed(text: string): string {
  return `(${text} = 'null' ? null : $parse(${text}))`;
}

/** JSONata of the JSON text of a text: as the only item of a list, without its brackets. */
export function jsonText(text: string): string {
  return `$replace($string([${text}]), /^\\[|\\]$/, '')`;
}

/**
 * JSONata of the first number in what a text ends with, of the pattern `ending`; 0 where it ends otherwise. Without
 * `$match`, whose limit one implementation ignores.
 */
export function numberIn(text: string, ending: string): string {
  const around = ending.replace('[0-9]+', '([0-9]+)');
  return `($contains(${text}, /${ending}$/) ? $number($replace(${text}, /^.*${around}$/, '$1')) : 0)`;
}

/**
 * The first characters of a text, or all of it where it is shorter. The text is evaluated up to three times.
 *
 * `$substring` is used from the beginning of a text and within it only: elsewhere implementations differ, where the
 * text has characters of two UTF-16 units.
 */
export function beginning(text: string, characters: number): string {
  if (characters === 0) return "''";
  return `($length(${text}) > ${characters} ? $substring(${text}, 0, ${characters}) : ${text})`;
}
