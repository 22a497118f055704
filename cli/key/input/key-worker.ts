import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import jsonata from 'jsonata';
import { type KeyJob, type KeyTaken, type ThreadMessage, TOO_MUCH } from './key-thread';

// The program of a thread that evaluates keys (key-thread.ts): one job after another.

parentPort?.on('message', (job: KeyJob) => {
  void evaluateKey(job).then(answer);
});
answer('ready');

function answer(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

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
  if (typeof code !== 'string') return TOO_MUCH;
  // What else is thrown fails the claim, for which the workflow ends with the error of a missing key.
  return NOT_UNDERSTOOD.test(code)
    ? { kind: 'unclear', why: 'onceflow cannot read the expression of its key' }
    : { kind: 'missing' };
}

function compiled(source: string) {
  const expression = jsonata(source);
  // Two of the service's own, of those that a key may use; the others are seen as unknown.
  expression.registerFunction('hash', hash, '<ss?:s>');
  expression.registerFunction('parse', parse, '<s?:x>');
  expression.assign('eval', undefined);
  return expression;
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
