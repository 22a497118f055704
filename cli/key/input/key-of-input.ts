import { recordKey } from '../../../state-machine/contract/index';
import type { Workflow, WorkflowAccess } from '../../aws/workflow';
import type { Key } from './key';
import type { InputKeyProblem } from './key-problem';
import { evaluateInThread, type KeyTaken } from './key-thread';

/** What an expression reads that is the same for every execution with the same input. */
const OF_THE_INPUT = /\$states\s*\.\s*(?:input|context\s*\.\s*Execution\s*\.\s*Input)(?!\w)/g;

/**
 * The key that a workflow takes of an input: its own expression, evaluated as the state machine does, so that a list
 * has the key that JSONata makes of its items. An evaluation that takes seconds, or more memory than there is, is
 * stopped, and `unclear`.
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
      why: 'other states run before the claim, or onceflow cannot read the definition',
    };
  }
  if (keyExpression.jsonata.replace(OF_THE_INPUT, '').includes('$states')) {
    return { kind: 'unclear', why: 'its key depends on more than the input' };
  }
  return evaluateInThread({ ...keyExpression, input }, signal);
}

/**
 * The record that a workflow claims for the input of an execution; undefined if it takes none, if that is not known, or
 * if another scope was named than its definition has.
 */
export async function recordKeyOfInput(
  { aws, workflow }: WorkflowAccess,
  input: string | undefined,
): Promise<string | undefined> {
  if (input === undefined || workflow.scopeInDefinition !== undefined) return undefined;
  const taken = await keyOfInput(JSON.parse(input), workflow, aws.signal);
  return taken.kind === 'key' ? recordKey(workflow.scope, taken.text) : undefined;
}

/**
 * Why an input is not that of a key: the workflow takes another key of the input, or none; or onceflow cannot say
 * which. Undefined if it takes this very key.
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
      return { kind: 'missing', name, keyPaths, input };
    case 'unclear':
      return { kind: 'unclear', name, why: taken.why };
    case 'key':
      return taken.text === text ? undefined : { kind: 'another', name, keyPaths, taken: taken.text, text };
  }
}
