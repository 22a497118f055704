import { createHash } from 'node:crypto';
import jsonata206 from 'jsonata206';

/** How an evaluation ended: with a value, or with the code of the error, and its words. */
export type Evaluation = { readonly value: unknown } | { readonly thrown: string; readonly message: string };

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
  const compiled = compile(text.slice(2, -2));
  const clock = now === undefined ? {} : { millis: () => now };
  try {
    const value: unknown = await compiled.evaluate(undefined, { ...variables, ...clock });
    return { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)) };
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return { thrown: String(code), message: String(message) };
  }
}

const compiled206 = new Map<string, jsonata206.Expression>();

/** The expression with the functions that the service adds; the same text is parsed once. */
function compile(source: string): jsonata206.Expression {
  const known = compiled206.get(source);
  if (known) return known;
  const compiled = jsonata206(source);
  compiled.registerFunction(
    'hash',
    (data?: string) => (data === undefined ? data : createHash('sha256').update(data, 'utf8').digest('hex')),
    '<s-s?:s>',
  );
  compiled.registerFunction(
    'parse',
    (data?: string) => (data === undefined ? data : JSON.parse(data)),
    '<s-:x>',
  );
  compiled206.set(source, compiled);
  return compiled;
}
