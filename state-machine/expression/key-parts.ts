import { isKeyConstant, KEY_FORMS, type KeyForms, matchOf } from './key-forms';
import { readsOf } from './reads';
import { type AstNode, calledName, isChanged, plain, written, writtenText } from './syntax';

/** What a key, or a part of one, is made of. */
export type KeyPart =
  | { readonly kind: 'value'; readonly of: 'input' | 'context'; readonly steps: readonly Step[] }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'either'; readonly test: AstNode; readonly branches: readonly KeyPart[] };

export type Value = KeyPart & { readonly kind: 'value' };

/** What leads from the input to a value: a form of the table, and what it takes behind the value. */
export interface Step {
  readonly form: string;
  readonly behind: readonly AstNode[];
}

/** What a node is as a part of a key; undefined if it is not in the table. */
export function keyPartOf(node: AstNode, forms: KeyForms = KEY_FORMS): KeyPart | undefined {
  const whole = plain(node);
  if (!isChanged(whole) && isKeyConstant(whole)) return { kind: 'constant', value: whole.value };
  if (!isChanged(whole) && whole.type === 'condition') {
    const branches = [whole.then, whole.else].flatMap(branch => (branch ? [keyPartOf(branch, forms)] : []));
    if (branches.includes(undefined)) return undefined;
    return { kind: 'either', test: whole.condition ?? {}, branches: branches as KeyPart[] };
  }
  const value = memberValue(node, forms);
  return value && isInItsPlace(value, forms) ? value : undefined;
}

const OF_A_TEXT =
  '(?:lowercase|uppercase|trim|substring(?:Before|After)?|split|hash|toMillis|parse|base64decode)';
/** Forms that give no event a key: of a number what takes a text, of a text what takes a number, of no time a time. */
const NEVER = new RegExp(
  `(?:\\$number|\\$floor|\\$toMillis|[-+/]) \\$${OF_A_TEXT}(?: |$)|` +
    `\\$(?:${OF_A_TEXT.replace('toMillis|parse', 'fromMillis')}) (?:\\$floor|\\$fromMillis|[-+/])|` +
    '\\$(?:lowercase|hash) .*\\$toMillis|\\$(?:fromMillis|hash) .*\\$number',
);

function isInItsPlace({ steps }: Value, forms: KeyForms): boolean {
  if (NEVER.test(steps.map(({ form }) => form).join(' '))) return false;
  return steps.every(({ form, behind }, at) => {
    const { within, takes } = forms[form] ?? {};
    const next = steps[at + 1];
    const isWithin = within === undefined || next?.form === within;
    // The member that a filter compares has the same value in each event.
    const isCompared =
      form === 'filter' && matchOf(behind[0])?.[String(next?.behind[0]?.value)] !== undefined;
    return (
      isWithin &&
      !isCompared &&
      (takes?.(behind) ?? (form === 'name' || form === 'index' || behind.length === 0))
    );
  });
}

function memberValue(given: AstNode, forms: KeyForms): Value | undefined {
  const node = plain(given);
  const { type, predicate = [], stages = [], steps = [] } = node;
  if (type === 'path') {
    const [first = {}, second, ...others] = steps;
    if (Object.keys(node).some(member => !/^(?:type|steps)$/.test(member))) return undefined;
    if (first.type !== 'variable') {
      return [second, ...others].reduce(
        (value, step) => stepTo(value, step, forms),
        memberValue(first, forms),
      );
    }
    if (first.value !== 'states' || hasMore(first) || second?.type !== 'name' || second.stages)
      return undefined;
    const of = second.value === 'input' || second.value === 'context' ? second.value : undefined;
    if (of === undefined || hasMore(second)) return undefined;
    return others.reduce<Value | undefined>((value, step) => stepTo(value, step, forms), {
      ...{ kind: 'value', of, steps: [] },
    });
  }
  const value = withoutFilters(node, forms);
  return [...predicate, ...stages].reduce(
    (inner, filter) => filterOf(inner, filter, forms, type === 'block'),
    value,
  );
}

function withoutFilters(node: AstNode, forms: KeyForms): Value | undefined {
  const { type, value, lhs, rhs, expressions = [], predicate, group } = node;
  if (group) return undefined;
  const name = calledName(node);
  if (name !== undefined) return called(`$${name}`, node.arguments ?? [], forms);
  if (type === 'binary' && rhs) return called(String(value), [lhs as AstNode, rhs], forms);
  const [only = {}, ...others] = expressions;
  return type === 'block' && predicate && others.length === 0 ? memberValue(only, forms) : undefined;
}

function called(form: string, [of, ...behind]: readonly AstNode[], forms: KeyForms): Value | undefined {
  const value = of && Object.hasOwn(forms, form) ? memberValue(of, forms) : undefined;
  return value && { ...value, steps: [...value.steps, { form, behind }] };
}

function hasMore(step: AstNode): boolean {
  return Object.keys(step).some(member => !/^(?:type|value|position|stages)$/.test(member));
}

function stepTo(value: Value | undefined, step: AstNode = {}, forms: KeyForms): Value | undefined {
  const form = step.type ?? '';
  if (!value || hasMore(step) || form === 'index' || form === 'filter' || !Object.hasOwn(forms, form))
    return undefined;
  const next: Value = {
    ...value,
    steps: [...value.steps, { form, behind: [{ type: form, value: step.value }] }],
  };
  return (step.stages ?? []).reduce<Value | undefined>((one, filter) => filterOf(one, filter, forms), next);
}

/** `isOfAll`: behind parentheses a filter takes of all items, and not of those of each list. */
function filterOf(
  value: Value | undefined,
  { expr }: AstNode,
  forms: KeyForms,
  isOfAll = false,
): Value | undefined {
  const last = value?.steps.at(-1);
  if (!value || !last || !expr) return undefined;
  const isIndex = expr.type === 'number' && Number.isSafeInteger(expr.value);
  if (last.form === '$split' && isIndex) {
    return { ...value, steps: [...value.steps.slice(0, -1), { ...last, behind: [...last.behind, expr] }] };
  }
  const form = isIndex ? 'index' : 'filter';
  const isOfList = /^(?:name|index|filter)$/.test(last.form) && Object.hasOwn(forms, form);
  const behind = isOfAll ? [expr, { type: 'block' }] : [expr];
  return isOfList ? { ...value, steps: [...value.steps, { form, behind }] } : undefined;
}

/** Whether every event that has such a part gives it a value of its own; a branch that gives nothing has no key. */
export function isOfTheEvent(part: KeyPart, of: 'input' | 'either' = 'either'): boolean {
  if (part.kind === 'either') return part.branches.every(branch => isOfTheEvent(branch, of));
  return part.kind === 'value' && (of === 'either' || part.of === of);
}

/** Whether a value of a part has a form. */
export function hasForm(part: KeyPart, form: string): boolean {
  if (part.kind === 'either') return part.branches.some(branch => hasForm(branch, form));
  return part.kind === 'value' && part.steps.some(step => step.form === form);
}

/** The values that branches of a part are. */
export function leavesIn(part: KeyPart): readonly Value[] {
  if (part.kind === 'either') return part.branches.flatMap(leavesIn);
  return part.kind === 'value' ? [part] : [];
}

/** The constants that branches of a part are. */
export function constantsIn(part: KeyPart): readonly unknown[] {
  if (part.kind === 'either') return part.branches.flatMap(constantsIn);
  return part.kind === 'constant' ? [part.value] : [];
}

/** The conditions of a part, also of those in its branches. */
export function testsIn(part: KeyPart): readonly AstNode[] {
  return part.kind === 'either' ? [part.test, ...part.branches.flatMap(testsIn)] : [];
}

/** The expressions within one that could be parts of a key instead; none if it reads no event. */
export function partsWithin(node: AstNode, forms: KeyForms = KEY_FORMS): readonly string[] {
  const part = keyPartOf(node, forms);
  const text = part && part.kind !== 'constant' && readsOf(node).problems.length === 0 && written(node);
  if (text) return [text];
  return childrenOf(plain(node)).flatMap(child => partsWithin(child, forms));
}

function childrenOf(value: unknown): readonly AstNode[] {
  if (typeof value !== 'object' || value === null) return [];
  const below: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return below.flatMap(one =>
    Array.isArray(one) ? childrenOf(one) : typeof one === 'object' && one ? [one] : [],
  );
}

export const isItem = (form: string) => form === 'index' || form === 'filter';

/** A missing item of a list is not null, and JSON has no regular expressions. */
function withoutPlace(this: unknown, name: string, value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  if (value === undefined && Array.isArray(this)) return { isMissing: true };
  return name === 'position' ? undefined : value;
}

/** A text that two steps, or two values, have in common if they are the same. */
export const textOf = (value: unknown) => JSON.stringify(value, withoutPlace) ?? '';

/** A value of which a form makes `value`. */
export function fromOf(value: unknown, { form, behind }: Step, forms: KeyForms): unknown {
  const { from, meets } = forms[form] ?? {};
  return from ? from(value, behind) : meets?.(value, behind)[0];
}

/** The document with these values behind these steps; `longer`: steps to an item, beside which there is one more. */
export function documentOf(
  members: readonly { readonly steps: readonly Step[]; readonly value: unknown }[],
  before: readonly Step[],
  longer: string,
  forms: KeyForms,
): unknown {
  const whole = members.find(({ steps }) => steps.length === before.length);
  if (whole) return whole.value;
  const next = new Map(
    members.map(({ steps }) => [textOf(steps[before.length]), steps[before.length] as Step]),
  );
  const documents = [...next].map(([text, step]) => {
    const inner = members.filter(({ steps }) => textOf(steps[before.length]) === text);
    const made = documentOf(inner, [...before, step], longer, forms);
    const isLonger = textOf([...before, step]) === longer;
    const both = isItem(step.form) ? forms[step.form]?.meets?.(made, step.behind) : undefined;
    const document = both?.[isLonger ? 1 : 0] ?? fromOf(made, step, forms);
    return { document, isSelected: step.form === 'filter' };
  });
  const [placed, selected] = [false, true].map(is =>
    documents.filter(({ isSelected }) => isSelected === is).map(({ document }) => document),
  );
  const [first, ...others] = placed ?? [];
  const joined = others.reduce(together, first);
  return selected?.length ? [...((joined as unknown[]) ?? []), ...selected.flat()] : joined;
}

/** Two documents in one, lists item by item. */
function together(one: unknown, other: unknown): unknown {
  const scalar = [one, other].find(value => typeof value !== 'object' || value === null);
  if (scalar !== undefined) return scalar;
  if (!Array.isArray(one) || !Array.isArray(other)) return Object.assign({}, one, other);
  const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
  return longer.map((item, at) => (at < shorter.length ? together(item, shorter[at]) : item));
}

/** Whether a part is the value of a member as it is, or a constant. */
export function isExact(part: KeyPart, forms: KeyForms): boolean {
  if (part.kind !== 'value') return part.kind === 'constant';
  return part.steps.every(({ form }) => forms[form]?.meets === undefined);
}

/** Whether a value is another one, or made of nothing but that. */
export function isMadeOf({ of, steps }: Value, other: Value): boolean {
  return of === other.of && textOf(steps.slice(0, other.steps.length)) === textOf(other.steps);
}

/** The places of two parts of which one is a member of the other, so that no event has both; undefined if none are. */
export function neverBoth(parts: readonly KeyPart[]): readonly [outer: number, inner: number] | undefined {
  for (const [outer, one] of parts.entries()) {
    const inner = parts.findIndex(
      other =>
        one.kind === 'value' &&
        other.kind === 'value' &&
        isMadeOf(other, one) &&
        other.steps[one.steps.length]?.form === 'name',
    );
    if (inner >= 0) return [outer, inner];
  }
  return undefined;
}

/**
 * The places of parts, in groups that read nothing of each other: by the places that each part reads. Two events that
 * meet in all parts meet in each group. So each is tried alone, and the events to try are a sum and not a product.
 */
export function apart(read: readonly (readonly string[])[]): readonly (readonly number[])[] {
  let groups: readonly { readonly parts: readonly number[]; readonly places: readonly string[] }[] = [];
  for (const [part, places] of read.entries()) {
    const isNear = (group: { readonly places: readonly string[] }) =>
      group.places.some(one => places.some(other => isWithin(one, other) || isWithin(other, one)));
    const all = [...groups.filter(isNear), { parts: [part], places }];
    const joined = {
      parts: all.flatMap(group => group.parts).sort((one, other) => one - other),
      places: all.flatMap(group => group.places),
    };
    groups = [...groups.filter(group => !isNear(group)), joined];
  }
  return groups.map(({ parts }) => parts);
}

/** Whether a place is another one, or within it; both as JSON of their steps. */
function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other.slice(0, -1)},`);
}

/** A constant that a value is compared with, and what is beside it. */
export function neighbours(constant: unknown): readonly unknown[] {
  if (typeof constant === 'number') return [constant, constant - 1, constant + 1];
  return typeof constant === 'string' ? [constant, `${constant}1`, `${constant}2`] : [constant];
}

/**
 * JSONata that tells by which branch a part has its value, as a text that no other branch has; undefined if it is too
 * long to write. `seen`: how often each text is there before.
 */
export function tagOf(part: KeyPart, seen = new Map<string, number>()): string | undefined {
  const once = (text: string) => {
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return writtenText(count === 1 ? text : `${text} ${count}`);
  };
  if (part.kind === 'constant') return once(String(part.value));
  if (part.kind === 'value') {
    const names = part.steps.flatMap(({ form, behind: [at] }) =>
      form === 'name' ? [`.${at?.value}`] : form === 'index' ? [`[${at?.value}]`] : [],
    );
    return once(names.join('').slice(1));
  }
  const [test, ...tags] = [written(part.test), ...part.branches.map(branch => tagOf(branch, seen))];
  if (test === undefined || tags.includes(undefined)) return undefined;
  return `(${test}) ? ${tags.map((tag, at) => (part.branches[at]?.kind === 'either' ? `(${tag})` : tag)).join(' : ')}`;
}

/** Whether members are read at one place as items of a list and by names, or from both ends of a list. */
export function isMixed(members: readonly (readonly Step[])[]): boolean {
  const kinds = new Map<string, string>();
  return members.some(steps =>
    steps.some(({ form, behind: [at, ofAll] }, index) => {
      const isLast = form === 'index' && Number(at?.value) < 0;
      const kind = isLast ? textOf(steps[index]) : isItem(form) ? `item ${ofAll?.type}` : 'name';
      const before = textOf(steps.slice(0, index));
      const known = kinds.get(before) ?? kind;
      kinds.set(before, known);
      return known !== kind;
    }),
  );
}

/** What differs between two steps at one place: of a name only the name. */
export function nameOf({ form, behind }: Step): unknown {
  return form === 'name' ? String(behind[0]?.value) : [form, behind];
}
