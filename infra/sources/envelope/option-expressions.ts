import { Token } from 'aws-cdk-lib';
import type { KeyExpressions } from '../../../state-machine/expression/key-expressions';
import type { KeyAndPayload } from '../../../state-machine/expression/same-in-each-delivery';
import type { StepInput } from '../../../state-machine/expression/step-input-and-result';
import { nodesOf } from '../../../state-machine/expression/syntax';
import type { UserExpression } from '../../../state-machine/expression/user-expression';
import { KeepPayload } from '../../../state-machine/options/keep-payload';
import type { OptionExpression } from './require-envelope';

/** The options of a workflow that read its input, validated. */
export interface ReadingOptions {
  readonly stepInput?: StepInput | undefined;
  readonly keepPayload?: boolean | KeepPayload | undefined;
}

/** Every expression of a workflow over its input. */
export function expressionsOver(
  { key, payload }: KeyAndPayload,
  { stepInput, keepPayload }: ReadingOptions,
): readonly OptionExpression[] {
  const option = key.kind === 'payload' ? 'Key.ofPayload' : 'idempotencyKey';
  const isPart = key.kind === 'composite';
  const redaction = keepPayload instanceof KeepPayload ? keepPayload.redaction : undefined;
  return [
    ...key.parts.map(part => ({ ...optionExpression(option, part), isPart, ...keyFacts(key) })),
    ...(payload ? [optionExpression('payload', payload)] : []),
    ...textsIn(stepInput).flatMap(text => parsed('stepInput', text, typeof stepInput !== 'string')),
    ...(redaction === undefined ? [] : parsed('KeepPayload.redacted', redaction)),
  ];
}

/** What the expression of a key has beside others. */
export function keyFacts({ reason }: KeyExpressions): Pick<OptionExpression, 'isKey' | 'isUnchecked'> {
  return { isKey: true, isUnchecked: reason !== undefined };
}

/** An expression of an option that is parsed already. */
export function optionExpression(option: string, { text, nodes }: UserExpression): OptionExpression {
  return { option, text, root: nodes[0] };
}

function parsed(option: string, text: string, isPart = false): OptionExpression[] {
  const jsonata = /^\s*\{%([\s\S]*)%\}\s*$/.exec(text)?.[1];
  return jsonata === undefined ? [] : [{ option, text, root: nodesOf(jsonata, option)[0], isPart }];
}

/** The texts within a value that is known at synthesis. */
function textsIn(value: unknown): readonly string[] {
  if (Token.isUnresolved(value)) return [];
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
