import { KEY_FORMS, type KeyForms } from './key-forms';
import {
  isExact,
  isItem,
  isMadeOf,
  type KeyPart,
  keyPartOf,
  leavesIn,
  textOf,
  type Value,
} from './key-parts';
import { type MemberPath, readsOf } from './reads';
import { type AstNode, calledName, isChanged, isConstant, plain, written } from './syntax';

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

/** A constant of a part, as JSON, and the conditions on the way to it. */
interface End {
  readonly text: string;
  readonly asked: readonly Asked[];
}

const OF_CONTEXT = ['context', 'Execution', 'Input'];

/** What parts of a key lose beside each other, by forms that the table has. */
export function lossesOf(parts: readonly KeyPart[], forms: KeyForms = KEY_FORMS): readonly Loss[] {
  return parts.flatMap((part, index) =>
    new Rule(parts, index, forms).losses(part).flatMap(lost => {
      const [because, ...others] = lost.flatMap(form => forms[form]?.because ?? []);
      return because === undefined ? [] : [{ part: index, because: [because, ...others] as const }];
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
    index: number,
    private readonly forms: KeyForms,
  ) {
    const others = parts.toSpliced(index, 1);
    this.told = others.filter(part => part.kind === 'value');
    this.whole = this.told.filter(part => others.indexOf(part) < index || isExact(part, forms));
    this.tags = new Set(others.flatMap(tagsOf));
    this.values = leavesIn(parts[index] as KeyPart);
  }

  /** The losses of the part: of its conditions and values, and of its constants. */
  losses(part: KeyPart): readonly (readonly string[])[] {
    const ends: End[] = [];
    const lost = this.lostBy(part, [], ends);
    return this.values.some(value => this.isLeft(value, ends)) ? [...lost, ['tested']] : lost;
  }

  /** Adds the constants of the part to `ends`. */
  private lostBy(part: KeyPart, asked: readonly Asked[], ends: End[]): readonly (readonly string[])[] {
    if (part.kind === 'constant') {
      ends.push({ text: textOf(part.value), asked });
      return [];
    }
    if (part.kind === 'value') {
      const lossy = part.steps.flatMap(({ form }) => (this.forms[form]?.meets ? [form] : []));
      return lossy.length === 0 || isToldBy(this.whole, part) ? [] : [lossy];
    }
    const { test, branches } = part;
    const [first = [], second = []] = branches.map(branch => leavesIn(branch).map(textOf));
    const isFallback = first.some(one => second.some(other => one !== other)) && !this.isKnown(test, asked);
    const below = branches.flatMap((one, branch) => this.lostBy(one, [...asked, { test, branch }], ends));
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

  /** Whether a constant stands for several states of a value that conditions on the way to it ask for. */
  private isLeft(value: Value, ends: readonly End[]): boolean {
    if (isToldBy(this.told, value)) return false;
    const states = new Map<string, string>();
    return ends.some(({ text, asked }) => {
      if (!asked.some(({ test }) => this.asksFor(value, test))) return false;
      const [state] = asked.flatMap(one => this.stateOf(value, one) ?? []);
      const known = states.get(text) ?? state;
      if (state !== undefined) states.set(text, state);
      return state === undefined || known !== state;
    });
  }

  private asksFor(value: Value, test: AstNode): boolean {
    const own = placeOf(value);
    const values = valuesIn(test, this.forms);
    const { given, tested } = readsOf(test);
    const places = values ? values.map(placeOf) : [...given, ...tested].map(insideInput);
    return places.some(path => {
      const length = Math.min(path.length, own.length);
      return isSame(path.slice(0, length), own.slice(0, length));
    });
  }

  /** The one state of a value in the branch that a condition leads to: missing, or a constant. */
  private stateOf(value: Value, { test, branch }: Asked): string | undefined {
    const node = plain(test);
    if (isChanged(node)) return undefined;
    const { type, value: operator, lhs, rhs = {} } = node;
    const [only = {}] = node.arguments ?? [];
    if (calledName(node) === 'not') return this.stateOf(value, { test: only, branch: 1 - branch });
    const operands = [lhs as AstNode, rhs];
    if (type === 'binary' && operator === ['and', 'or'][branch]) {
      const [state] = operands.flatMap(inner => this.stateOf(value, { test: inner, branch }) ?? []);
      return state;
    }
    const isPartOf = (one: AstNode) => {
      const asked = keyPartOf(one, this.forms);
      return asked?.kind === 'value' && isMadeOf(value, asked) ? asked : undefined;
    };
    if (calledName(node) === 'exists') return branch === 1 && isPartOf(only) ? 'missing' : undefined;
    if (type !== 'binary' || operator !== '=' || branch === 1) return undefined;
    const constant = operands.find(isConstant);
    const [asked] = operands.flatMap(one => isPartOf(one) ?? []);
    const isWhole = asked && isMadeOf(asked, value) && isExact(asked, this.forms);
    return constant && isWhole && !isChanged(constant) ? textOf(constant.value) : undefined;
  }
}

/** The place of a value, by names: an item is at the place of its list, and a parsed text is at its own. */
function placeOf({ of, steps }: Value): readonly string[] {
  const end = steps.findIndex(({ form }) => !/^(?:name|index|filter|\$parse|\$base64decode)$/.test(form));
  const names = steps
    .slice(0, end < 0 ? undefined : end)
    .flatMap(({ form, behind }) => (form === 'name' ? String(behind[0]?.value) : isItem(form) ? [] : form));
  return insideInput([of, ...names]);
}

/** The input of an execution is a member of its context, too. */
function insideInput(path: MemberPath): readonly string[] {
  return isSame(path.slice(0, 3), OF_CONTEXT) ? ['input', ...path.slice(3)] : path;
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
  const inner = isChanged(node) ? undefined : operandsOf(node);
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
