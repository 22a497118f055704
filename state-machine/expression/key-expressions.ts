import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type IdempotencyKey, Key } from '../options/key';
import { KEY_FORMS, type KeyForms } from './key-forms';
import { hasForm, isOfTheEvent, type KeyPart, keyPartOf, neverBoth, tagOf } from './key-parts';
import {
  AS_IT_IS,
  codeOf,
  type Fault,
  faultOf,
  keysInstead,
  LOSSY_FORMS,
  meetingInWords,
  ONE_BY_ONE,
  prefixIn,
  quoted,
  requireEverAKey,
  tagged,
  uncheckedOf,
} from './key-remedies';
import { meetingsOf } from './meetings';
import { branchesOf, requireComparable, requireNoOrder } from './payload-expression';
import { readsOf } from './reads';
import {
  type Checks,
  changingCall,
  expressionIn,
  memberPathsIn,
  NOT_REBOUND,
  OF_THE_EXECUTION,
  OF_THE_INPUT,
  STABLE,
  type UserExpression,
} from './user-expression';

/** The expression(s) that a key is made of: one, the parts of a composite key, or a payload's. */
export type KeyExpressions = Assurance &
  (
    | { readonly kind: 'single' | 'payload'; readonly parts: readonly [UserExpression] }
    | { readonly kind: 'composite'; readonly parts: readonly UserExpression[] }
  );

interface Assurance {
  /** How two events can get one key although the table has its forms, in words. */
  readonly meetings?: readonly string[];
  /** Why the table does not count: `Key.unchecked`. */
  readonly reason?: string;
}

export interface KeyOwner {
  /** It is tried for a message: its own rejection needs no remedy. */
  readonly isRemedy?: boolean;
  readonly event: string;
  readonly example: string;
}

const OF_THE_EVENT: KeyOwner = { event: 'the event', example: '{% $states.input.detail.orderId %}' };
const OF_THE_REQUEST: KeyOwner = {
  event: 'the request',
  example: '{% $states.input.body.paymentId %}',
};

/**
 * The key's expression(s), parsed, by the table of forms (`key-forms.ts`).
 *
 * @throws Error with the remedy for a text that is not JSONata, or that is not in the table
 */
export function parseKeyExpressions(
  idempotencyKey: IdempotencyKey,
  owner: KeyOwner = OF_THE_EVENT,
  forms: KeyForms = KEY_FORMS,
): KeyExpressions {
  const key = parseKey(idempotencyKey, owner);
  if (key.parts.every(({ nodes }) => changingCall(nodes) === undefined)) requireTheEvent(key, owner);
  if (key.reason !== undefined) {
    // Two events may share it, but one event must not have two.
    for (const part of key.parts) requireNoOrder(part, optionOf(key));
    for (const { nodes, text } of key.parts) requireEverAKey(nodes[0], text);
    return key;
  }
  if (key.kind !== 'payload') return { ...key, meetings: requireForms(key, owner, forms) };
  const [payload] = key.parts;
  requireComparable(payload, PAYLOAD);
  if (branchesOf(payload.nodes[0]).every(branch => readsOf(branch).given.length > 0))
    return { ...key, meetings: meetingsOfHash(payload, forms) };
  throw new Error(
    `\`${PAYLOAD}\` gives the same for all events of a branch, so that they share a key; got ${payload.text}. ` +
      `Read ${owner.event} in every branch`,
  );
}

/**
 * The key that a front door takes of its request, parsed.
 *
 * @throws Error as `parseKeyExpressions` does
 */
export function parseRequestKey(idempotencyKey: IdempotencyKey): KeyExpressions {
  const key = parseKeyExpressions(idempotencyKey, OF_THE_REQUEST);
  const read = key.parts.find(readsContext);
  if (read === undefined) return key;
  throw new Error(
    `\`${optionOf(key)}\` reads $states.context, which has other values for each request. Read one value of the ` +
      `request, such as ${OF_THE_REQUEST.example}; got ${read.text}`,
  );
}

const PAYLOAD = 'Key.ofPayload';
const RULES = [OF_THE_EXECUTION, OF_THE_INPUT, NOT_REBOUND];

/** How a message names the option that the key was passed by. */
export function optionOf({ kind }: KeyExpressions): string {
  return kind === 'payload' ? PAYLOAD : 'idempotencyKey';
}

function parseKey(given: IdempotencyKey, { example }: KeyOwner): KeyExpressions {
  const { payload, expression = given, reason } = given instanceof Key ? given : ({} as Partial<Key>);
  // The table says what to write instead.
  const rules = reason === undefined && payload === undefined ? RULES : [STABLE, ...RULES];
  const remedyFor = () => `Read the event, such as ${example}`;
  const checks: Checks = { prop: 'idempotencyKey', rules, example, remedyFor };
  if (payload !== undefined)
    return { kind: 'payload', parts: [expressionIn(payload, { ...checks, prop: PAYLOAD })] };
  const why = reason === undefined ? {} : { reason };
  if (!Array.isArray(expression))
    return { kind: 'single', parts: [expressionIn(expression, checks)], ...why };
  if (expression.length === 0) throw new Error('`idempotencyKey` needs at least one part, got an empty list');
  // A list with holes has parts as well, which are missing.
  const parts = Array.from(expression, (part, i) =>
    expressionIn(part, { ...checks, prop: `idempotencyKey[${i}]` }),
  );
  return { kind: 'composite', parts, ...why };
}

/** Rejects what the table does not have. Gives the warnings of what it has. @throws Error with the remedy */
function requireForms({ kind, parts }: KeyExpressions, owner: KeyOwner, forms: KeyForms): string[] {
  const { event, example, isRemedy } = owner;
  const isAccepted = (key: IdempotencyKey) => {
    try {
      parseKeyExpressions(key, { ...owner, isRemedy: true }, forms);
      return true;
    } catch {
      return false;
    }
  };
  const instead = (fault?: Fault, first: readonly IdempotencyKey[] = []) => {
    const keys = isRemedy ? [] : [...first, ...keysInstead(parts, { example, fault })];
    return codeOf(keys.find(isAccepted) ?? example);
  };
  const known = parts.map(({ nodes, reads }) => {
    const isStable = reads.problems.length === 0 && changingCall(nodes) === undefined;
    return isStable ? keyPartOf(nodes[0], forms) : undefined;
  });
  const at = known.indexOf(undefined);
  const wrong = parts[at];
  const got = parts.map(({ text }) => text).join(', ');
  if (wrong) {
    const fault = faultOf(wrong);
    const prop = kind === 'composite' ? `idempotencyKey[${at}]` : 'idempotencyKey';
    const prefix = prefixIn(wrong.nodes);
    const scope = prefix
      ? `. The scope is before every key; if ${prefix} must be in it too, add the part ${quoted(`{% ${prefix} %}`)}`
      : '';
    throw new Error(
      `\`${prop}\` ${fault.because}; got ${wrong.text}. Write \`idempotencyKey: ${instead(fault)}\`` +
        `${scope}${fault.isNeverRight ? '' : `. If it is right that two events share a key: ${uncheckedOf(parts)}`}`,
    );
  }
  const all = known.filter(part => part !== undefined);
  if (forms['constant']?.isShared && !all.some(part => isOfTheEvent(part))) {
    throw new Error(
      `\`idempotencyKey\` is a constant in a branch, so that all events of this branch share one key; got ${got}. Add a part ` +
        `that ${event} always has: \`idempotencyKey: ${instead()}\``,
    );
  }
  if (kind === 'single' && all.some(part => hasForm(part, 'filter'))) {
    throw new Error(
      `\`idempotencyKey\` has a filter, which can find several items, whose values would be one key; got ${got}. Make it a ` +
        `part, which must be one value: \`idempotencyKey: ${instead(undefined, [[got]])}\``,
    );
  }
  const both = neverBoth(all);
  if (both) {
    const [outer, inner] = both.map(index => parts[index]?.text);
    throw new Error(
      `\`idempotencyKey\` has the part ${outer}, which must be a text or a number, and ${inner}, which is a member of ` +
        `it, so that no event has both. Leave one out, write \`idempotencyKey: ${instead(
          undefined,
          both.map(index => parts.map(({ text }) => text).toSpliced(index, 1)),
        )}\``,
    );
  }
  const meetings = meetingsOf(all, forms);
  const unknown = meetings.find(({ events }) => events === undefined);
  if (unknown) {
    const { text = '' } = parts[unknown.part] ?? {};
    const tag = tagOf(all[unknown.part] as KeyPart);
    const code = instead(undefined, tag === undefined ? [] : [tagged(parts, { ...unknown, tag })]);
    throw new Error(
      `\`idempotencyKey\` cannot be shown to give two events two keys, because ${unknown.because}; got ${text}. ` +
        `Write \`idempotencyKey: ${code}\`. ` +
        `If it is right that two events share a key: ${uncheckedOf(parts)}`,
    );
  }
  return meetings.map(meeting => {
    const { part, tag } = meeting;
    const asItIs = hasForm(all[part] as KeyPart, 'index') ? ONE_BY_ONE : AS_IT_IS;
    const remedy =
      tag === undefined
        ? asItIs
        : `To tell them apart, write \`idempotencyKey: ${codeOf(tagged(parts, meeting))}\``;
    return `with ${parts[part]?.text}, ${meetingInWords(meeting)}. ${remedy}`;
  });
}

/** The warnings of a payload that is one value, which its hash makes no better than it is. */
function meetingsOfHash({ nodes: [root], text }: UserExpression, forms: KeyForms): string[] {
  const all = { ...LOSSY_FORMS, ...forms };
  const part = keyPartOf(root, all);
  return (part ? meetingsOf([part], all) : []).map(
    meeting => `with ${text}, ${meetingInWords(meeting)}. ${AS_IT_IS}`,
  );
}

/** Rejects a key or payload of which no part reads the event: it would be the same for all of them. */
function requireTheEvent(key: KeyExpressions, { event, example }: KeyOwner): void {
  if (key.parts.some(({ reads }) => memberPathsIn(reads).length > 0)) return;
  throw new Error(
    `\`${optionOf(key)}\` must read ${event} in $states.input, such as ${example}; got ` +
      key.parts.map(({ jsonata }) => `{% ${jsonata} %}`).join(', '),
  );
}

/** Warns at synthesis of two events that a key takes for one, although the team may not have meant it. */
export function adviseKey(scope: Construct, { meetings = [] }: KeyExpressions): void {
  for (const meeting of meetings) {
    Annotations.of(scope).addWarningV2(
      'onceflow:eventsMeet',
      `\`idempotencyKey\`: ${meeting}, or acknowledge this warning`,
    );
  }
}

/** Whether a key has another value for each item of a Map: `$states.context` is the same for all of them. */
export function tellsItemsApart({ kind, parts, reason }: KeyExpressions): boolean {
  return parts.some(({ nodes: [root] }) => {
    const part = kind === 'payload' || reason !== undefined ? undefined : keyPartOf(root);
    if (part) return isOfTheEvent(part, 'input');
    return branchesOf(root).every(branch => readsOf(branch).given.some(([member]) => member === 'input'));
  });
}

/** Whether an expression does nothing but read a member by its path: then its evaluation cannot fail. */
export function isPath({ nodes: [root] }: UserExpression): boolean {
  const part = root.type === 'path' ? keyPartOf(root) : undefined;
  return part?.kind === 'value' && part.steps.every(({ form }) => form === 'name');
}

export function readsContext({ reads }: UserExpression): boolean {
  return memberPathsIn(reads).some(([member]) => member === 'context');
}
