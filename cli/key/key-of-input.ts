import type { Workflow } from '../workflow';
import type { Key } from './key';
import type { InputKeyProblem } from './key-problem';
import type { KeyTaken } from './key-taken';
import { evaluateKeyInThread } from './key-thread';

/** What an expression reads that is the same for every execution with the same input. */
const OF_THE_INPUT = /\$states\s*\.\s*(?:input|context\s*\.\s*Execution\s*\.\s*Input)(?!\w)/g;

/**
 * The key that a workflow takes of an input: its own expression, evaluated as the state machine does, so that a list
 * has the key that JSONata makes of its items. One that takes seconds, or more memory than there is, is given up, and
 * `unclear`.
 *
 * @throws the reason of the signal, at once when it aborts
 */
export async function keyOfInput(
  input: unknown,
  { keyExpression }: Pick<Workflow, 'keyExpression'>,
  signal?: AbortSignal,
): Promise<KeyTaken> {
  if (keyExpression === undefined) {
    return {
      kind: 'unclear',
      why: 'other states come before its claim, or its definition is not understood',
    };
  }
  if (keyExpression.jsonata.replace(OF_THE_INPUT, '').includes('$states')) {
    return { kind: 'unclear', why: 'its key depends on more than the input' };
  }
  return evaluateKeyInThread({ ...keyExpression, input }, signal);
}

/**
 * What is wrong with an input for a key: the workflow would take another key of it, or none; or nobody can say that
 * here. Undefined where it takes this very key.
 *
 * @throws the reason of the signal, at once when it aborts
 */
export async function problemOfInput(
  input: unknown,
  workflow: Pick<Workflow, 'name' | 'keyExpression' | 'keyPaths'>,
  { text }: Key,
  signal?: AbortSignal,
): Promise<InputKeyProblem | undefined> {
  const { name, keyPaths } = workflow;
  const taken = await keyOfInput(input, workflow, signal);
  switch (taken.kind) {
    case 'missing':
      return { kind: 'missing', name, keyPaths };
    case 'unclear':
      return { kind: 'unclear', name, why: taken.why };
    case 'key':
      return taken.text === text ? undefined : { kind: 'another', name, keyPaths, taken: taken.text, text };
  }
}
