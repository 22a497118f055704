import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import jsonata from 'jsonata';
import { type KeyJob, type KeyTaken, MEMORY_MB_MAX, type ThreadMessage, TOO_MUCH } from './key-thread';

// The program of a thread that evaluates keys (key-thread.ts): one job after another.

parentPort?.on('message', (job: KeyJob) => {
  void evaluateKey(job).then(answer);
});
answer('ready');

function answer(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** Items of a list, as the service bounds them. */
const LIST_ITEMS_MAX = 873_782;
/** Characters of a text: more than an input has. */
const TEXT_CHARACTERS_MAX = 2 ** 20;
/**
 * Bytes of objects, from which on nothing more is evaluated. The thread may hold twice as many: V8 ends the whole
 * process, and not the thread, for one object that does not fit into what is left.
 */
const HEAP_BYTES_MAX = (MEMORY_MB_MAX / 2) * 2 ** 20;

/** @throws RangeError for a value that is too large, or one too many */
function requireMemory(value: unknown): void {
  const isLong = typeof value === 'string' && value.length > TEXT_CHARACTERS_MAX;
  if (isLong || getHeapStatistics().used_heap_size > HEAP_BYTES_MAX) throw new RangeError('too much memory');
}

/** The codes of JSONata for a list that is too long. */
const TOO_LONG = /^D201[45]$/;
/** The codes of JSONata for a function that there is not, and for what it cannot parse. */
const NOT_UNDERSTOOD = /^(?:T100[56]|S\d+)$/;

/** Takes as long as the expression wants. */
async function evaluateKey({ jsonata: source, scope, input }: KeyJob): Promise<KeyTaken> {
  try {
    const states = { input, context: { Execution: { Input: input } } };
    const text: unknown = await compiled(source).evaluate(undefined, { states });
    if (typeof text === 'string' && text.startsWith(`${scope}#`)) {
      return { kind: 'key', text: text.slice(scope.length + 1) };
    }
    // Nothing fails the claim as well.
    if (text === undefined) return { kind: 'missing' };
    return { kind: 'unclear', why: 'its key does not begin with its scope' };
  } catch (error) {
    return takenAfter(error as { readonly code?: unknown });
  }
}

function takenAfter({ code }: { readonly code?: unknown }): KeyTaken {
  // No error of JSONata: the stack was full, or a text or list too long for this program.
  if (typeof code !== 'string' || TOO_LONG.test(code)) return TOO_MUCH;
  // What else is thrown fails the claim, for which the workflow ends with the error of a missing key.
  return NOT_UNDERSTOOD.test(code)
    ? { kind: 'unclear', why: 'onceflow cannot read the expression of its key' }
    : { kind: 'missing' };
}

function compiled(source: string) {
  const expression = jsonata(source, { sequence: LIST_ITEMS_MAX });
  // The package calls what it finds here after each part of the expression; its types know names only.
  const onPart = Symbol.for('jsonata.__evaluate_exit') as unknown as string;
  expression.assign(onPart, (_part: unknown, _input: unknown, _frame: unknown, value: unknown) =>
    requireMemory(value),
  );
  expression.registerFunction('pad', pad, '<s-ns?:s>');
  expression.registerFunction('join', join, '<a<s>s?:s>');
  expression.registerFunction('clone', clone, '<(oa)-:o>');
  // Two of the service's own, of those that a key may use; the others are seen as unknown.
  expression.registerFunction('hash', hash, '<ss?:s>');
  expression.registerFunction('parse', parse, '<s?:x>');
  expression.assign('eval', undefined);
  return expression;
}

// These two make a text of any length at once. The package's own `$pad` can be called only from within an expression.
const PAD = jsonata('$pad($text, $width, $filler)');

function pad(text: string | undefined, width: number, filler?: string) {
  if (Math.abs(width) > TEXT_CHARACTERS_MAX) throw new RangeError('too long a text');
  return PAD.evaluate(undefined, { text, width, filler });
}

function join(texts: readonly string[] | undefined, separator: string | undefined): string | undefined {
  const joint = separator ?? '';
  const length = texts?.reduce((sum, text) => sum + text.length + joint.length, 0) ?? 0;
  if (length > 2 * TEXT_CHARACTERS_MAX) throw new RangeError('too long a text');
  return texts?.join(joint);
}

/** As 2.0.6 copies what a transform changes: by a text, in which numbers have 15 digits. */
function clone(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) =>
    typeof one === 'number' ? Number(one.toPrecision(15)) : one,
  );
}

const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

function hash(text?: string, algorithm = ''): string | undefined {
  if (text === undefined || algorithm === '') return undefined;
  const name = HASHES[algorithm];
  if (name === undefined) throw failure(`there is no hash ${algorithm}`);
  return createHash(name).update(text, 'utf8').digest('hex');
}

function parse(text?: string): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw (error as Error).name === 'SyntaxError' ? failure('no JSON') : error;
  }
}

/** As `$error` throws it. */
function failure(message: string) {
  return { code: 'D3137', message };
}
