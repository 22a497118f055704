/**
 * Where JSON text has a member for the second time within one object; undefined if it has none twice. `JSON.parse`
 * would drop the first one silently. `text` must be JSON.
 *
 * @example
 * ```ts
 * duplicateMemberIn('{"detail":{"items":[{"id":1,"id":2}]}}'); // 'detail.items[0].id'
 * ```
 */
export function duplicateMemberIn(text: string): string | undefined {
  const open: { readonly names: Set<string> | undefined; at: string | number }[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ names: new Set(), at: '' });
    else if (token === '[') open.push({ names: undefined, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (typeof inner?.at === 'number') inner.at += 1;
    } else if (token === ':' && inner?.names) {
      inner.at = JSON.parse(last) as string;
      if (inner.names.has(inner.at)) return pathOf(open.map(({ at }) => at));
      inner.names.add(inner.at);
    } else last = token;
  }
  return undefined;
}

function pathOf(steps: readonly (string | number)[]): string {
  return steps
    .map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
