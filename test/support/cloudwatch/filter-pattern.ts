/**
 * Whether a metric filter's pattern for JSON matches a log event: `{ ($.type = "A*") && (($.a.b = "x") || ...) }`,
 * with `=` and `!=` of texts, `*` for any characters, or of a regular expression, `%a[0-9]+$%`. A field that is not
 * there matches nothing.
 *
 * @throws Error for what else the syntax has
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function matchesPattern(pattern: string, message: string): boolean {
  const [, condition] = /^\{(.*)\}$/s.exec(pattern.trim()) ?? [];
  if (condition === undefined) throw new Error(`no pattern for JSON: ${pattern}`);
  let event: unknown;
  try {
    event = JSON.parse(message);
  } catch {
    return false;
  }
  const tokens = tokensOf(condition);
  const answer = anyOf(tokens, event);
  if (tokens.length > 0) throw new Error(`not understood: ${tokens.join(' ')} in ${pattern}`);
  return answer;
}

function tokensOf(text: string): string[] {
  const token = /\s*(\(|\)|&&|\|\||!=|=|\$(?:\.\w+)+|"(?:[^"\\]|\\.)*"|%[^%]+%)\s*/y;
  const tokens: string[] = [];
  while (token.lastIndex < text.length) {
    const { lastIndex } = token;
    const found = token.exec(text)?.[1];
    if (found === undefined) throw new Error(`not understood at ${lastIndex}: ${text}`);
    tokens.push(found);
  }
  return tokens;
}

// Each takes what it has read from the front of `tokens`.

function anyOf(tokens: string[], event: unknown): boolean {
  let answer = allOf(tokens, event);
  while (tokens[0] === '||') {
    tokens.shift();
    answer = allOf(tokens, event) || answer;
  }
  return answer;
}

function allOf(tokens: string[], event: unknown): boolean {
  let answer = one(tokens, event);
  while (tokens[0] === '&&') {
    tokens.shift();
    answer = one(tokens, event) && answer;
  }
  return answer;
}

function one(tokens: string[], event: unknown): boolean {
  const first = tokens.shift();
  if (first === '(') {
    const answer = anyOf(tokens, event);
    if (tokens.shift() !== ')') throw new Error('a parenthesis is not closed');
    return answer;
  }
  const [operator, wanted] = tokens.splice(0, 2);
  if (!first?.startsWith('$') || !/^["%]/.test(wanted ?? '')) throw new Error(`not understood: ${first}`);
  const value = first
    .split('.')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], event);
  if (typeof value !== 'string') return false;
  return isLike(value, wanted ?? '') === (operator === '=');
}

function isLike(value: string, wanted: string): boolean {
  if (wanted.startsWith('%')) return new RegExp(wanted.slice(1, -1)).test(value);
  const parts = (JSON.parse(wanted) as string)
    .split('*')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
}
