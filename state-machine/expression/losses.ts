import { KEY_FORMS, type KeyForms } from './key-forms';
import { isExact, isMadeOf, type KeyPart, keyPartOf, leavesIn, textOf, type Value } from './key-parts';
import { readsOf } from './reads';
import { type AstNode, calledName, isConstant, plain, written } from './syntax';

// What of an event can be lost on the way to its key, by a rule that never says too little. A condition loses nothing
// if the rest of the key tells how it ends; a form loses nothing of a value that the rest of the key has.

/** Two events that differ in what a part reads can give it the same. */
export interface Loss {
  /** The place of the part. */
  readonly part: number;
  /** Why, of each form that loses something: one is enough. */
  readonly because: readonly [string, ...string[]];
}

/** A condition on the way to a branch, and which branch it is. */
interface Asked {
  readonly test: AstNode;
  readonly branch: number;
}

/** What parts of a key lose beside each other, by forms that the table has. */
export function lossesOf(parts: readonly KeyPart[], forms: KeyForms = KEY_FORMS): readonly Loss[] {
  return parts.flatMap((part, place) =>
    new Rule(parts, place, forms).lostBy(part, []).flatMap(lost => {
      const [because, ...others] = lost.flatMap(form => forms[form]?.because ?? []);
      return because === undefined ? [] : [{ part: place, because: [because, ...others] as const }];
    }),
  );
}

class Rule {
  /** The values that other parts have. */
  private readonly told: readonly Value[];
  /** Those that tell what a form loses: of two parts with one form, the first one says so. */
  private readonly whole: readonly Value[];
  /** The conditions that other parts tell by a constant for each end. */
  private readonly tags: ReadonlySet<string>;
  private readonly values: readonly Value[];

  constructor(
    parts: readonly KeyPart[],
    place: number,
    private readonly forms: KeyForms,
  ) {
    const others = parts.toSpliced(place, 1);
    this.told = others.filter(part => part.kind === 'value');
    this.whole = this.told.filter(part => others.indexOf(part) < place || isExact(part, forms));
    this.tags = new Set(others.flatMap(tagsOf));
    this.values = leavesIn(parts[place] as KeyPart);
  }

  lostBy(part: KeyPart, asked: readonly Asked[]): readonly (readonly string[])[] {
    if (part.kind === 'constant')
      return this.values.some(value => this.isLeft(value, asked)) ? [['tested']] : [];
    if (part.kind === 'value') {
      const lossy = part.steps.flatMap(({ form }) => (this.forms[form]?.meets ? [form] : []));
      return lossy.length === 0 || isToldBy(this.whole, part) ? [] : [lossy];
    }
    const { test, branches } = part;
    const [first = [], second = []] = branches.map(branch => leavesIn(branch).map(textOf));
    const isFallback = first.some(one => second.some(other => one !== other)) && !this.isKnown(test, asked);
    const below = branches.flatMap((one, branch) => this.lostBy(one, [...asked, { test, branch }]));
    return isFallback ? [['fallback'], ...below] : below;
  }

  /** Whether the other parts tell how a condition ends. */
  private isKnown(test: AstNode, asked: readonly Asked[]): boolean {
    const values = valuesIn(test, this.forms);
    return (
      values?.every(value => isToldBy(this.told, value)) ||
      [[], asked].some(before => this.tags.has(tagged(before, test)))
    );
  }

  /** Whether a value can be one of several where conditions that ask for it end in a constant. */
  private isLeft(value: Value, asked: readonly Asked[]): boolean {
    const isOfIt = asked.some(({ test }) => this.asksFor(value, test));
    return isOfIt && !isToldBy(this.told, value) && !asked.some(one => this.isOne(value, one));
  }

  private asksFor(value: Value, test: AstNode): boolean {
    const values = valuesIn(test, this.forms);
    if (values) return values.some(one => isMadeOf(one, value) || isMadeOf(value, one));
    const end = value.steps.findIndex(({ form }) => form !== 'name');
    const names = value.steps
      .slice(0, end < 0 ? undefined : end)
      .map(({ behind }) => String(behind[0]?.value));
    const { given, tested } = readsOf(test);
    return [...given, ...tested].some(([of, ...place]) => {
      const length = Math.min(place.length, names.length);
      return of === undefined || (of === value.of && isSame(place.slice(0, length), names.slice(0, length)));
    });
  }

  /** Whether a value is missing, or one constant, in the branch that a condition leads to. */
  private isOne(value: Value, { test, branch }: Asked): boolean {
    const node = plain(test);
    const [only = {}] = node.arguments ?? [];
    if (calledName(node) === 'not') return this.isOne(value, { test: only, branch: 1 - branch });
    const isAll = node.type === 'binary' && node.value === ['and', 'or'][branch];
    if (isAll)
      return [node.lhs as AstNode, node.rhs ?? {}].some(inner => this.isOne(value, { test: inner, branch }));
    const isMissing = calledName(node) === 'exists' && branch === 1;
    const isEqual = node.type === 'binary' && node.value === '=' && branch === 0;
    const [one, other] = isMissing ? [only] : isEqual ? [node.lhs as AstNode, node.rhs ?? {}] : [];
    const asked = one && keyPartOf(one, this.forms);
    if (asked?.kind !== 'value') return false;
    if (isMissing) return isMadeOf(value, asked);
    return textOf(asked) === textOf(value) && isExact(asked, this.forms) && isConstant(other ?? {});
  }
}

/** The conditions that a part tells, with those that were asked before: each end is a constant of its own. */
function tagsOf(part: KeyPart): readonly string[] {
  const ends: string[] = [];
  const tags: string[] = [];
  const walk = (one: KeyPart, asked: readonly Asked[]): boolean => {
    if (one.kind === 'value') return false;
    if (one.kind === 'constant') return ends.push(textOf(one.value)) > 0;
    const { test, branches } = one;
    tags.push(tagged(asked, test));
    return (
      branches.length === 2 && branches.every((inner, branch) => walk(inner, [...asked, { test, branch }]))
    );
  };
  return walk(part, []) && new Set(ends).size === ends.length ? tags : [];
}

const textOfTest = (test: AstNode) => written(test) ?? textOf(plain(test));
const tagged = (asked: readonly Asked[], test: AstNode) =>
  textOf([asked.map(one => [textOfTest(one.test), one.branch]), textOfTest(test)]);
const isSame = (one: readonly string[], other: readonly string[]) => textOf(one) === textOf(other);

/** Whether others tell what a value is. */
function isToldBy(others: readonly Value[], value: Value): boolean {
  return others.some(other => isMadeOf(value, other));
}

/** The values of the event that a condition is made of; undefined if it is made of something else, too. */
function valuesIn(given: AstNode, forms: KeyForms): readonly Value[] | undefined {
  const node = plain(given);
  const part = keyPartOf(node, forms);
  if (part?.kind === 'value') return [part];
  const inner = node.predicate || node.group ? undefined : operandsOf(node);
  const values = inner?.map(one => valuesIn(one, forms));
  return values?.includes(undefined) ? undefined : values?.flatMap(some => some ?? []);
}

function operandsOf(node: AstNode): readonly AstNode[] | undefined {
  const { type = '', value, lhs, rhs, expressions, expression } = node;
  if (/^(?:string|number|value|regex)$/.test(type)) return [];
  if (type === 'binary') return [lhs as AstNode, rhs ?? {}];
  if (type === 'unary')
    return value === '[' ? expressions : value === '-' && expression ? [expression] : undefined;
  if (type === 'condition') return [node.condition, node.then, node.else].filter(one => one !== undefined);
  return calledName(node) === undefined ? undefined : node.arguments;
}
