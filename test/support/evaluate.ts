import { createHash } from 'node:crypto';
import jsonata206 from 'jsonata206';

/** How an evaluation ended: with a value, or with the code of what was thrown. */
export type Evaluation = { readonly value: unknown } | { readonly thrown: string };

/**
 * Evaluates an expression in `{% %}` with JSONata 2.0.6, the version that AWS runs.
 *
 * Only for expressions of ours on data of ours: that version has no limits and known holes. `now`, in epoch
 * milliseconds, is what `$millis()` gives; without it, the real time.
 */
export async function evaluate206(
  text: string,
  variables: Record<string, unknown>,
  now?: number,
): Promise<Evaluation> {
  const compiled = jsonata206(text.slice(2, -2));
  compiled.registerFunction(
    'hash',
    (data: string) => createHash('sha256').update(data, 'utf8').digest('hex'),
    '<s-s?:s>',
  );
  compiled.registerFunction('parse', (data: string) => JSON.parse(data), '<s-:x>');
  if (now !== undefined) compiled.registerFunction('millis', () => now, '<:n>');
  try {
    const value: unknown = await compiled.evaluate(undefined, variables);
    return { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)) };
  } catch (error) {
    return { thrown: String((error as { code?: string }).code) };
  }
}
