import { createHash } from 'node:crypto';
import { inputPathText } from '../input-paths';
import { usage } from '../refusal';
import { printable } from '../text';
import type { Workflow } from '../workflow';
import type { Key } from './key';

/** What a workflow takes for the key of an input: the key's text, that it takes none, or that nobody can say here. */
export type KeyTaken =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'missing' }
  /** `why` continues a sentence after a colon. */
  | { readonly kind: 'unclear'; readonly why: string };

/** What an expression reads that is the same for every execution with the same input. */
const OF_THE_INPUT = /\$states\s*\.\s*(?:input|context\s*\.\s*Execution\s*\.\s*Input)(?!\w)/g;
/** The codes of JSONata for a function that there is not, and for what it cannot parse. */
const NOT_UNDERSTOOD = /^(?:T100[56]|S\d+)$/;

/**
 * The key that a workflow takes of an input: its own expression, evaluated as the state machine does, so that a list
 * has the key that JSONata makes of its items.
 */
export async function keyOfInput(
  input: unknown,
  { keyExpression }: Pick<Workflow, 'keyExpression'>,
): Promise<KeyTaken> {
  if (keyExpression === undefined) {
    return {
      kind: 'unclear',
      why: 'other states come before its claim, or its definition is not understood',
    };
  }
  const { jsonata, scope } = keyExpression;
  if (jsonata.replace(OF_THE_INPUT, '').includes('$states')) {
    return { kind: 'unclear', why: 'its key depends on more than the input' };
  }
  try {
    const states = { input, context: { Execution: { Input: input } } };
    const text: unknown = await (await compiled(jsonata)).evaluate(undefined, { states });
    if (typeof text === 'string' && text.startsWith(`${scope}#`)) {
      return { kind: 'key', text: text.slice(scope.length + 1) };
    }
    return { kind: 'unclear', why: 'its key does not begin with its scope' };
  } catch (error) {
    const { code = '' } = error as { readonly code?: string };
    // What else is thrown fails the claim, for which the workflow ends with the error of a missing key.
    return NOT_UNDERSTOOD.test(code)
      ? { kind: 'unclear', why: 'the expression of its key is not understood here' }
      : { kind: 'missing' };
  }
}

/**
 * Refuses an input of which the workflow would take another key, or none; and one of which nobody can say that here,
 * unless `isForced`.
 *
 * @throws Refusal that names both keys
 */
export async function requireKeyIn(
  input: unknown,
  workflow: Pick<Workflow, 'name' | 'keyExpression' | 'keyPaths'>,
  { text }: Key,
  isForced: boolean,
): Promise<void> {
  const { name, keyPaths } = workflow;
  const taken = await keyOfInput(input, workflow);
  const where = keyPaths === undefined ? '' : `, at ${keyPaths.map(inputPathText).join(' and ')}`;
  if (taken.kind === 'missing') {
    const none =
      keyPaths === undefined
        ? `: the idempotencyKey of ${name} gives none`
        : ` where ${name} reads it${where}`;
    throw usage(`--input has no usable key${none}; nothing was started`);
  }
  if (taken.kind === 'unclear') {
    if (isForced) return;
    throw usage(
      `which key ${name} takes of --input cannot be said here: ${taken.why}; nothing was started. Where you know ` +
        'that it is KEY, `onceflow start` takes --force',
    );
  }
  if (taken.text === text) return;
  throw usage(
    `the input belongs to ${printable(taken.text)}, not to ${printable(text)}: ${name} reads its key there${where}; ` +
      `nothing was started. Pass ${keyArguments(taken.text)}, or the input of ${printable(text)}`,
  );
}

/** A key's text as arguments of the command line. */
function keyArguments(text: string): string {
  const [, tag, rest = ''] = /^(string:|number:|long:|(?=\[))(.*)$/s.exec(text) ?? [
    undefined,
    undefined,
    text,
  ];
  if (tag === 'long:') return 'the whole key of this input';
  if (tag === 'number:') return `${rest} --number`;
  if (tag === undefined && /^\w[\w.:/@+-]*$/.test(text)) return text;
  const json = tag === '' ? text : JSON.stringify(rest);
  return `--json-key '${printable(json).replaceAll("'", "'\\''")}'`;
}

async function compiled(source: string) {
  // Only here: most commands evaluate nothing.
  const { default: jsonata } = await import('jsonata');
  const expression = jsonata(source);
  // Two of the service's own, of those that a key may use; the others are seen as unknown.
  expression.registerFunction('hash', hash, '<ss?:s>');
  expression.registerFunction(
    'parse',
    (text?: string) => (text === undefined ? undefined : JSON.parse(text)),
    '<s?:x>',
  );
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
  if (name === undefined) throw { code: 'D3137', message: `there is no hash ${algorithm}` };
  return createHash(name).update(text, 'utf8').digest('hex');
}
