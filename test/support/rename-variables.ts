import { randomFrom } from './random';

/** Literals, whose content is not code, variables, and what separates operands. */
const TOKENS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\$\w+|\/(?:[^/\\\n]|\\.)+\/(?=[,)])/g;

/** The same definition: other names for the local variables of each expression, and sums and conditions in reverse. */
export function renamed(definition: string, seed: number): string {
  const next = randomFrom(seed);
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return /^\{%[\s\S]*%\}$/.test(value) ? expressionOf(value, next) : value;
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, name === 'Comment' ? member : change(member)]),
    );
  };
  return JSON.stringify(change(JSON.parse(definition)));
}

function expressionOf(text: string, next: () => number): string {
  const names = new Map<string, string>();
  const bound = [...text.matchAll(/\$(\w+)\s*:=/g)].map(([, name = '']) => name);
  const parameters = [...text.matchAll(/function\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/\$(\w+)/g)].map(([, name = '']) => name),
  );
  for (const name of [...bound, ...parameters])
    names.set(`$${name}`, `$v${Math.floor(next() * 1e6)}_${names.size}`);
  const other = text.replace(TOKENS, token => names.get(token) ?? token);
  return swappedSums(swappedConditions(other));
}

/** `a + 60` becomes `60 + a`, if `a` is a call or a variable. */
function swappedSums(text: string): string {
  return text.replace(
    /(\$\w+\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\w+) \+ (\d+)(?=[\s,;)])(?! \*)/g,
    (_, left: string, right: string) => `${right} + ${left}`,
  );
}

/** A condition that is one conjunction becomes the same, its first part last. */
function swappedConditions(text: string): string {
  const inner = text.slice(2, -2).trim();
  const parts = conjunctionIn(inner);
  if (parts === undefined || parts.length < 2) return text;
  const [first, ...others] = parts;
  return `{% ${[...others, first].join(' and ')} %}`;
}

function conjunctionIn(text: string): readonly string[] | undefined {
  const bare = text.replace(TOKENS, token => (token.startsWith('$') ? token : 'L'.repeat(token.length)));
  let depth = 0;
  const cuts: number[] = [];
  for (let at = 0; at < bare.length; at += 1) {
    if ('([{'.includes(bare[at] ?? '')) depth += 1;
    if (')]}'.includes(bare[at] ?? '')) depth -= 1;
    if (depth > 0) continue;
    if (/^(?: or | \? |;|:=|~>)/.test(bare.slice(at, at + 4))) return undefined;
    if (bare.startsWith(' and ', at)) cuts.push(at);
  }
  const ends = [...cuts, text.length];
  return ends.map((end, index) => text.slice(index === 0 ? 0 : (cuts[index - 1] ?? 0) + 5, end));
}
