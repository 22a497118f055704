import { isKeyConstant, KEY_FORMS, type KeyForms } from './key-forms';
import { type Place, readsOf } from './reads';
import { type AstNode, calledName, plain, written, writtenText } from './syntax';

/** What a key, or a part of one, is made of. */
export type KeyPart =
  | { readonly kind: 'value'; readonly of: 'input' | 'context'; readonly steps: readonly Step[] }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'either'; readonly test: AstNode; readonly branches: readonly KeyPart[] };

type Value = KeyPart & { readonly kind: 'value' };

/** What leads from the input to a value: a form of the table, and what it takes behind the value. */
interface Step {
  readonly form: string;
  readonly behind: readonly AstNode[];
}

/** Two events that get one key, as JSON; `undefined` if only the words are known. */
export interface Meeting {
  readonly because: string;
  readonly events: readonly [unknown, unknown] | undefined;
  /** JSONata of a part that says which of two members the value was taken of. */
  readonly tag?: string | undefined;
}

/** What a node is as a part of a key; undefined if it is not in the table. */
export function keyPartOf(node: AstNode, forms: KeyForms = KEY_FORMS): KeyPart | undefined {
  const whole = plain(node);
  const isFiltered = whole.predicate !== undefined || whole.group !== undefined;
  if (!isFiltered && isKeyConstant(whole)) return { kind: 'constant', value: whole.value };
  if (!isFiltered && whole.type === 'condition') {
    const branches = [whole.then, whole.else].flatMap(branch => (branch ? [keyPartOf(branch, forms)] : []));
    if (branches.includes(undefined)) return undefined;
    return { kind: 'either', test: whole.condition ?? {}, branches: branches as KeyPart[] };
  }
  const value = memberValue(node, forms);
  return value && isInItsPlace(value, forms) ? value : undefined;
}

function isInItsPlace({ steps }: Value, forms: KeyForms): boolean {
  return steps.every(({ form, behind }, at) => {
    const { within, takes } = forms[form] ?? {};
    const isWithin = within === undefined || steps[at + 1]?.form === within;
    return isWithin && (takes?.(behind) ?? (form === 'name' || form === 'index' || behind.length === 0));
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
  return [...predicate, ...stages].reduce((inner, filter) => filterOf(inner, filter, forms), value);
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
  const next: Value = { ...value, steps: [...value.steps, { form, behind: [step] }] };
  return (step.stages ?? []).reduce<Value | undefined>((one, filter) => filterOf(one, filter, forms), next);
}

function filterOf(value: Value | undefined, { expr }: AstNode, forms: KeyForms): Value | undefined {
  const last = value?.steps.at(-1);
  if (!value || !last || !expr) return undefined;
  const isIndex = expr.type === 'number' && Number.isSafeInteger(expr.value);
  if (last.form === '$split' && isIndex) {
    return { ...value, steps: [...value.steps.slice(0, -1), { ...last, behind: [...last.behind, expr] }] };
  }
  const form = isIndex ? 'index' : 'filter';
  const isOfList = /^(?:name|index|filter)$/.test(last.form) && Object.hasOwn(forms, form);
  return isOfList ? { ...value, steps: [...value.steps, { form, behind: [expr] }] } : undefined;
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

/** The values that a part can be, each with the tests that lead to it. */
function leavesOf(part: KeyPart, conditions: Leaf['conditions'] = []): readonly Leaf[] {
  if (part.kind !== 'either') return [{ part, conditions }];
  return part.branches.flatMap((branch, at) => leavesOf(branch, [...conditions, [part.test, at]]));
}

interface Leaf {
  readonly part: KeyPart;
  /** Each test, and the branch that it leads to. */
  readonly conditions: readonly (readonly [test: AstNode, branch: number])[];
}

const testsOf = (leaves: readonly Leaf[]) =>
  JSON.stringify(
    leaves.map(({ conditions }) =>
      conditions.map(([test, at]) => [at, written(test) ?? JSON.stringify(test, withoutPlace)]),
    ),
  );

/** How two events can get one key by a part, or one event two, although the part is in the table. */
export function meetingsOf(
  part: KeyPart,
  others: readonly KeyPart[],
  forms: KeyForms = KEY_FORMS,
): readonly Meeting[] {
  const leaves = leavesOf(part);
  const values = leaves.flatMap(({ part: value, ...leaf }) =>
    value.kind === 'value' ? [{ ...leaf, part: value }] : [],
  );
  const different = new Map(values.map(value => [textOf(value.part), value]));
  const [first, second] = different.values();
  const meetings = [...different.values()].flatMap(({ part: value }) => meetingOf(value, forms));
  const { fallback, tested } = forms;
  const isTold = isTestedBy(leaves, others) || others.some(other => tells(leaves, leavesOf(other)));
  if (first && second && fallback?.meets && !isTold) {
    const [one, other] = [first, second].map(leaf => eventOf(leaf, forms));
    const events = one && other ? ([one, other] as const) : undefined;
    meetings.unshift({ because: fallback.because, events, tag: tagOf(part) });
  }
  const mixed = tested?.meets && mixedIn(part, forms);
  return mixed ? [...meetings, { because: tested.because, events: mixed.events }] : meetings;
}

function tagOf(part: KeyPart): string | undefined {
  if (part.kind === 'constant') return writtenText(String(part.value));
  if (part.kind === 'value') return writtenText(namesOf(part).join('.'));
  const [test, ...tags] = [written(part.test), ...part.branches.map(tagOf)];
  if (test === undefined || tags.includes(undefined)) return undefined;
  return `(${test}) ? ${tags.map((tag, at) => (part.branches[at]?.kind === 'either' ? `(${tag})` : tag)).join(' : ')}`;
}

function namesOf({ steps }: Value): readonly string[] {
  return steps.flatMap(({ form, behind: [step] }) => (form === 'name' ? [String(step?.value)] : []));
}

/** Whether other parts are all that the conditions read: with the same parts two events take the same branch. */
function isTestedBy(leaves: readonly Leaf[], others: readonly KeyPart[]): boolean {
  const known = others.flatMap(other => {
    const isMember = other.kind === 'value' && other.steps.every(({ form }) => form === 'name');
    return isMember ? [JSON.stringify([other.of, ...namesOf(other)])] : [];
  });
  const reads = leaves.flatMap(({ conditions }) => conditions.map(([test]) => readsOf(test)));
  const places = reads.flatMap(({ given, tested }) => [...given, ...tested]);
  return places.length > 0 && places.every(place => known.includes(JSON.stringify(place)));
}

/** Whether another part says which member the value was taken of. */
function tells(leaves: readonly Leaf[], tags: readonly Leaf[]): boolean {
  if (testsOf(leaves) !== testsOf(tags)) return false;
  const members = new Map<string, string>();
  return leaves.every(({ part }, at) => {
    const tag = tags[at]?.part;
    if (tag?.kind !== 'constant') return false;
    const [value, known] = [textOf(part), members.get(JSON.stringify(tag.value))];
    members.set(JSON.stringify(tag.value), value);
    return known === undefined || known === value;
  });
}

const withoutPlace = (name: string, value: unknown) => (name === 'position' ? undefined : value);

function textOf(part: KeyPart): string {
  return JSON.stringify(part, withoutPlace);
}

function meetingOf(value: Value, forms: KeyForms): readonly Meeting[] {
  const at = value.steps.findIndex(({ form }) => forms[form]?.meets);
  const step = value.steps[at];
  const form = step && forms[step.form];
  if (!step || !form?.meets) return [];
  const wanted = value.steps
    .slice(at + 1)
    .reduceRight<unknown>((one, next) => fromOf(one, next, forms), 'a7');
  const before = { ...value, steps: value.steps.slice(0, at) };
  const pair = form.meets(wanted, step.behind).map(one => eventWith(before, one, forms));
  return [{ because: form.because, events: pair as [unknown, unknown] }];
}

/** An event in which conditions lead to a value; undefined if they test more than one member each. */
function eventOf({ part, conditions }: Leaf & { readonly part: Value }, forms: KeyForms): object | undefined {
  const tested = conditions.map(([test, at]) => ({ at, event: eventOfTest(plain(test), forms) }));
  if (tested.some(({ event }) => event === undefined)) return undefined;
  const events = tested.flatMap(({ at, event = {} }) => (at === 0 ? [event] : []));
  return events.reduce(merged, eventWith(part, '7', forms) as object);
}

/** An event for which such a test is true: an event without its member is not one. */
function eventOfTest(test: AstNode, forms: KeyForms): object | undefined {
  const { type, value: operator, lhs, rhs, arguments: [first] = [] } = test;
  const isEqual = type === 'binary' && operator === '=' && rhs !== undefined && isKeyConstant(rhs);
  const member = isEqual
    ? (lhs as AstNode)
    : calledName(test) === 'exists'
      ? first
      : type === 'path'
        ? test
        : undefined;
  const part = member && keyPartOf(member, forms);
  return part?.kind === 'value' ? (eventWith(part, isEqual ? rhs.value : '7', forms) as object) : undefined;
}

function merged(one: object, other: object): object {
  const both = Object.entries(other).map(([name, value]) => {
    const known: unknown = (one as Readonly<Record<string, unknown>>)[name];
    const isDeeper = [known, value].every(each => typeof each === 'object' && each !== null);
    return [name, isDeeper ? merged(known as object, value) : (known ?? value)] as const;
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** An event in which a value is what is wanted. */
function eventWith({ steps }: Value, wanted: unknown, forms: KeyForms): unknown {
  return steps.reduceRight<unknown>((value, step) => fromOf(value, step, forms), wanted);
}

function fromOf(value: unknown, { form, behind }: Step, forms: KeyForms): unknown {
  const { from, meets } = forms[form] ?? {};
  return from ? from(value, behind) : meets?.(value, behind)[0];
}

/** A condition that tests the value it gives by more than `$exists`, and events that it takes for one. */
function mixedIn(part: KeyPart, forms: KeyForms): Pick<Meeting, 'events'> | undefined {
  if (part.kind !== 'either') return undefined;
  const leaves = part.branches.flatMap(branch => leavesOf(branch)).map(leaf => leaf.part);
  const value = leaves.find((leaf): leaf is Value => leaf.kind === 'value' && isTested(part.test, leaf));
  if (value === undefined || leaves.every(leaf => leaf.kind === 'value'))
    return part.branches.map(branch => mixedIn(branch, forms)).find(found => found !== undefined);
  const test = plain(part.test);
  const isEqual = test.type === 'binary' && test.value === '=' && test.rhs?.type === 'string';
  const [one, other] = isEqual ? [`${test.rhs?.value}1`, `${test.rhs?.value}2`] : [0, undefined];
  if (!isEqual && test.type !== 'path') return { events: undefined };
  return { events: [eventWith(value, one, forms), eventWith(value, other, forms)] };
}

function isTested(given: AstNode, value: Value): boolean {
  const { type, value: operator, lhs, rhs = {}, ...test } = plain(given);
  if (type === 'binary' && /^(?:and|or)$/.test(String(operator)))
    return isTested(lhs as AstNode, value) || isTested(rhs, value);
  const name = calledName({ type, ...test });
  if (name === 'exists') return false;
  if (name === 'not') return (test.arguments ?? []).some(argument => isTested(argument, value));
  const own: Place = [value.of, ...namesOf(value)];
  const read = readsOf(given);
  return [...read.given, ...read.tested].some(place => place.every((member, at) => member === own[at]));
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
