import { type Given, isTrue, type KeyForms, NOTHING, RESULTS } from './key-forms';
import {
  documentOf,
  fromOf,
  isExact,
  isItem,
  isMixed,
  type KeyPart,
  keyPartOf,
  leavesIn,
  nameOf,
  neighbours,
  type Step,
  tagOf,
  testsIn,
  textOf,
  type Value,
} from './key-parts';
import { readsOf } from './reads';
import { type AstNode, calledName, isChanged, isConstant, plain } from './syntax';
import { memberPathsIn } from './user-expression';

// Two events that get one key although the table has its forms, found by trying. Each member that the parts read has a
// few values, which conditions and forms can tell apart, and every event of these values is given its key.

/** Two events that get one key by a part. */
export interface Meeting {
  readonly because: string;
  /** The place of the part. */
  readonly part: number;
  /** As JSON; undefined if none were found. */
  readonly events: readonly [unknown, unknown] | undefined;
  /** JSONata of a part that says which of two members the value was taken of. */
  readonly tag?: string | undefined;
}

/** What a condition asks. */
type Test =
  | { readonly of: Value }
  | { readonly constant: unknown }
  | { readonly args: readonly Test[]; result(one: Given, other: Given): unknown };

/** A member that a part reads or a test asks for. */
interface Member {
  readonly of: Value['of'];
  readonly steps: readonly Step[];
  readonly values: Set<unknown>;
}

/** A member's value, and what leads to it. */
interface Placed extends Pick<Member, 'of' | 'steps'> {
  readonly value: unknown;
}

/** The values of members, by their ids. */
type Values = ReadonlyMap<string, unknown>;

/** An event, and what it gives each part. */
interface Tried {
  readonly values: Values;
  readonly parts: readonly Leaf[];
}

interface Leaf {
  readonly part: KeyPart;
  /** What the part has of it in the key. */
  readonly key: string;
  /** What it has read: two of one key that differ in it meet. */
  readonly read: string;
}

const EVENTS_MAX = 20_000;
/** Events of one key that are compared with each other, and pairs in all. */
const GROUP_MAX = 40;
const PAIRS_MAX = 100_000;
/** The events that parts of a key are tried with. */
export class Search {
  private readonly members = new Map<string, Member>();
  /** What the forms behind a member make of its values. */
  private readonly made = new Map<string, unknown>();
  private readonly tests = new Map<AstNode, Test>();
  private readonly places = new Map<Value, ReturnType<Search['placeOf']>>();
  /** The members within a member. */
  private readonly within = new Map<string, readonly string[]>();
  private readonly isTested = new Set<string>();
  /** What conditions read whose result is not known of an event, so that none can be tried. */
  private readonly unknown: string[] = [];
  private besides: readonly Placed[] = [];

  constructor(
    private readonly parts: readonly KeyPart[],
    private readonly forms: KeyForms,
    private readonly asked: readonly unknown[] = [],
  ) {
    const leaves = parts.map(leavesIn);
    for (const test of parts.flatMap(testsIn)) {
      const known = this.testOf(test);
      if (known) this.tests.set(test, known);
      else this.unknown.push(...memberPathsIn(readsOf(test)).map(textOf));
    }
    for (const value of leaves.flat()) {
      const known = [...(this.members.get(this.placeOf(value).id)?.values ?? [])];
      // What conditions compare a member with can be what a form makes of it.
      this.add(value, 'a7', 'a8', ...known.filter(one => typeof one === 'string' && one !== ''));
    }
    for (const branches of leaves) this.exchange(branches);
    for (const id of this.members.keys()) {
      const below = [...this.members.keys()].filter(other => other.startsWith(`${id.slice(0, -1)},`));
      if (below.length > 0) this.within.set(id, below);
    }
    // What every event has with a key, is always there; and if nothing depends on it, it need not change.
    for (const [index, part] of parts.entries()) {
      if (part.kind !== 'value') continue;
      const { id } = this.placeOf(part);
      const others = leaves.toSpliced(index, 1).flat();
      const isAlone = ![...others.map(value => this.placeOf(value).id), ...this.isTested].includes(id);
      this.members.get(id)?.values.delete(undefined);
      if (isExact(part, forms) && isAlone) this.members.get(id)?.values.delete('a8');
    }
  }

  /** The places that the parts read, a list in place of its items. */
  get touched(): readonly string[] {
    const places = [...this.members.values()].map(({ of, steps }) => {
      const at = steps.findIndex(({ form }) => form !== 'name');
      return textOf([of, ...(at < 0 ? steps : steps.slice(0, at)).map(nameOf)]);
    });
    return [...places, ...this.unknown];
  }

  /** How many events there are to try. */
  get count(): number {
    if (this.unknown.length > 0 || !this.isWritable) return Number.POSITIVE_INFINITY;
    return [...this.members.values()].reduce((product, { values }) => product * values.size, 1);
  }

  /** Whether there is one event with all members. */
  private get isWritable(): boolean {
    const members = [...this.members.values()].map(({ steps }) => steps);
    // A number and what it is divided by, or a text and the JSON in it, are not tried together.
    const isMadeOfOne = [...this.within].some(([id, below]) => {
      const length = this.members.get(id)?.steps.length ?? 0;
      return below.some(other => !/^(?:name|index|filter)$/.test(this.formAt(other, length)));
    });
    return !isMixed(members) && !isMadeOfOne;
  }

  private formAt(id: string, place: number): string {
    return this.members.get(id)?.steps[place]?.form ?? '';
  }

  /** The member that a value is made of, and the forms that make it. */
  private placeOf(value: Value): {
    readonly id: string;
    readonly steps: readonly Step[];
    readonly forms: readonly Step[];
  } {
    const known = this.places.get(value);
    if (known) return known;
    const lossy = value.steps.findIndex(({ form }) => this.forms[form]?.meets && !isItem(form));
    const at = lossy < 0 ? value.steps.length : lossy;
    const steps = value.steps.slice(0, at);
    const place = { id: textOf([value.of, ...steps.map(nameOf)]), steps, forms: value.steps.slice(at) };
    this.places.set(value, place);
    return place;
  }

  /** A member that has these values, or values of which the forms make these. */
  private add(value: Value, ...wanted: readonly unknown[]): void {
    const { id, steps, forms } = this.placeOf(value);
    const member = this.members.get(id) ?? { of: value.of, steps, values: new Set<unknown>([undefined]) };
    this.members.set(id, member);
    const [step, ...behind] = forms;
    for (const one of wanted) {
      const inner = behind.reduceRight((made, next) => fromOf(made, next, this.forms), one);
      for (const raw of step ? (this.forms[step.form]?.meets?.(inner, step.behind) ?? []) : [one]) {
        member.values.add(raw);
        const made = textOf([forms, raw]);
        if (!this.made.has(made)) this.made.set(made, one);
      }
    }
  }

  /** Gives members that stand for each other in one part the values of each other. */
  private exchange(branches: readonly Value[]): void {
    const places = branches.map(value => this.placeOf(value)).filter(({ forms }) => forms.length === 0);
    const members = places.flatMap(({ id }) => this.members.get(id) ?? []);
    const all = members.flatMap(({ values }) => [...values]);
    for (const { values } of members) for (const value of all) values.add(value);
  }

  /** Undefined if its result is not known of an event. */
  private testOf(asked: AstNode): Test | undefined {
    const node = plain(asked);
    const { type, value, lhs, rhs, expressions = [] } = node;
    const part = keyPartOf(node, this.forms);
    if (part?.kind === 'value') {
      this.add(part, ...this.asked);
      this.isTested.add(this.placeOf(part).id);
      return { of: part };
    }
    if (isChanged(node)) return undefined;
    if (isConstant(node)) return { constant: value };
    const isList = type === 'unary' && value === '[' && expressions.every(isConstant);
    if (isList) return { constant: expressions.map(one => one.value) };
    const name = type === 'binary' ? String(value) : `$${calledName(node)}`;
    const result = Object.hasOwn(RESULTS, name) ? RESULTS[name] : undefined;
    const given = type === 'binary' ? [lhs as AstNode, rhs ?? {}] : (node.arguments ?? []);
    const args = given.flatMap(one => this.testOf(one) ?? []);
    if (result === undefined || args.length < given.length) return undefined;
    for (const [index, one] of args.entries()) {
      const other = args[1 - index];
      if (!('of' in one) || !other || !('constant' in other)) continue;
      const constants = [other.constant].flat();
      this.add(one.of, ...(/[<>]/.test(name) ? constants.flatMap(neighbours) : constants));
    }
    return { args, result };
  }

  private resultOf(test: Test, values: Values): unknown {
    if ('of' in test) return this.valueOf(test.of, values);
    if ('constant' in test) return test.constant;
    const [one, other] = test.args.map(arg => () => this.resultOf(arg, values));
    return test.result(one ?? NOTHING, other ?? NOTHING);
  }

  private valueOf(value: Value, values: Values): unknown {
    const { id, forms } = this.placeOf(value);
    // An object is there if one of its members is.
    const isObject = this.within.get(id)?.some(other => values.get(other) !== undefined);
    if (isObject) return { a: 1 };
    return forms.length > 0 ? this.made.get(textOf([forms, values.get(id)])) : values.get(id);
  }

  /** What an event gives a part; undefined if it is not a key. */
  private leafOf(part: KeyPart, values: Values, tested: readonly Value[] = []): Leaf | undefined {
    if (part.kind === 'either') {
      const test = this.tests.get(part.test);
      const branch = part.branches[test && isTrue(this.resultOf(test, values)) ? 0 : 1];
      const asked = leavesIn(part).filter(value => this.isTested.has(this.placeOf(value).id));
      return branch && this.leafOf(branch, values, [...tested, ...asked]);
    }
    if (part.kind === 'constant') {
      const read = tested.map(value => values.get(this.placeOf(value).id));
      return { part, key: textOf(part.value), read: textOf(read) };
    }
    const value = this.valueOf(part, values);
    if (!(typeof value === 'string' ? value !== '' : Number.isSafeInteger(value))) return undefined;
    const { id, forms } = this.placeOf(part);
    return {
      part,
      key: textOf(forms.length > 0 ? [forms, value] : value),
      read: textOf([id, values.get(id)]),
    };
  }

  /** The members of an event that has a key; if none is found, a value for each. Undefined if none can be written. */
  first(): readonly Placed[] | undefined {
    if (!this.isWritable) return undefined;
    for (const values of this.events()) if (this.leavesOf(values)) return this.placed(values);
    const read = this.parts.flatMap(leavesIn).map(value => this.placeOf(value).id);
    return [...this.members].flatMap(([id, { of, steps, values }]) => {
      const value = values.has('a7') ? 'a7' : [...values].find(one => one !== undefined);
      const isLeft = this.within.has(id) || value === undefined || !read.includes(id);
      return isLeft ? [] : [{ of, steps, value }];
    });
  }

  /** `besides`: members of each event that these parts do not read. */
  meetings(besides: readonly Placed[]): readonly Meeting[] {
    this.besides = besides;
    const groups = new Map<string, Map<string, Tried>>();
    for (const values of this.events()) {
      const parts = this.leavesOf(values);
      if (parts === undefined) continue;
      const key = textOf(parts.map(leaf => leaf.key));
      const group = groups.get(key) ?? new Map<string, Tried>();
      groups.set(key, group);
      const read = textOf(parts.map(leaf => leaf.read));
      if (group.size < GROUP_MAX && !group.has(read)) group.set(read, { values, parts });
    }
    const found = new Map<string, Meeting>();
    let pairs = 0;
    for (const group of groups.values()) {
      const all = [...group.values()];
      for (const one of all) this.leaveItems(one, found);
      for (const [at, one] of all.entries())
        for (const other of all.slice(at)) if (pairs++ < PAIRS_MAX) this.compare(one, other, found);
    }
    return [...found.values()];
  }

  /** What an event gives all parts; undefined if it has no key. */
  private leavesOf(values: Values): readonly Leaf[] | undefined {
    try {
      const leaves = this.parts.map(part => this.leafOf(part, values));
      return leaves.includes(undefined) ? undefined : (leaves as readonly Leaf[]);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private *events(): Iterable<Values> {
    const members = [...this.members].map(([id, { values }]) => [id, [...values]] as const);
    const { count } = this;
    for (let number = 0; number < count && count <= EVENTS_MAX; number += 1) {
      let rest = number;
      const values = new Map(
        members.map(([id, all]) => {
          const value = all[rest % all.length];
          rest = Math.floor(rest / all.length);
          return [id, value];
        }),
      );
      // A member that is not an object has no members.
      const isThere = (id: string) => values.get(id) !== undefined;
      if (![...this.within].some(([id, below]) => isThere(id) && below.some(isThere))) yield values;
    }
  }

  /** Adds how two events of one key differ. */
  private compare(one: Tried, other: Tried, found: Map<string, Meeting>): void {
    for (const [part, leaf] of one.parts.entries()) {
      const form = this.meetingForm(leaf, other.parts[part] ?? leaf, one === other);
      const because = form === undefined ? undefined : this.forms[form]?.because;
      if (because === undefined) continue;
      const tag = form === 'fallback' ? tagOf(this.parts[part] as KeyPart) : undefined;
      const events = [this.event(one), this.event(other)] as const;
      // A value of the context is not in the event.
      if (one === other || textOf(events[0]) !== textOf(events[1]))
        keepShortest(found, { because, part, events, tag });
    }
  }

  /** Adds the items of lists that a part does not read. */
  private leaveItems(tried: Tried, found: Map<string, Meeting>): void {
    for (const [part, leaf] of tried.parts.entries()) {
      const steps = leaf.part.kind === 'value' ? leaf.part.steps : [];
      for (const [index, { form }] of steps.entries()) {
        const { because = '', meets } = this.forms[form] ?? {};
        if (!isItem(form) || !meets) continue;
        const longer = textOf(steps.slice(0, index + 1));
        if (this.readsNext(steps.slice(0, index), steps[index] as Step)) continue;
        const [event, more] = [this.event(tried), this.event(tried, longer)];
        if (textOf(event) !== textOf(more))
          keepShortest(found, { because, part, events: [event, more] }, longer);
      }
    }
  }

  /** Whether an item of a list is read that one more item could be. */
  private readsNext(before: readonly Step[], { form, behind }: Step): boolean {
    const item = textOf({ form, behind });
    return [...this.members.values()].some(({ steps }) => {
      const own = steps[before.length];
      const isOfList = textOf(steps.slice(0, before.length)) === textOf(before);
      if (!isOfList || !own || !isItem(own.form) || textOf(own) === item) return false;
      const isLater = Number(own.behind[0]?.value) > Number(behind[0]?.value);
      return form !== 'index' || own.form !== 'index' || isLater;
    });
  }

  /** The form by which two leaves are one although events differ; undefined if they do not differ. */
  private meetingForm(one: Leaf, other: Leaf, isSame: boolean): string | undefined {
    if (one.part.kind !== 'value' || other.part.kind !== 'value')
      return one.part.kind === other.part.kind && one.read !== other.read ? 'tested' : undefined;
    if (textOf(one.part) !== textOf(other.part)) return 'fallback';
    const { form = '', behind = [] } = this.placeOf(one.part).forms[0] ?? {};
    const [first, second] = this.forms[form]?.meets?.('a7', behind) ?? [0, 1];
    return one.read !== other.read || (isSame && first === second) ? form : undefined;
  }

  /** An event as JSON; `longer`: the steps to an item, beside which there is one more. */
  private event({ values }: Tried, longer = ''): unknown {
    const members = [...this.placed(values), ...this.besides].filter(({ of }) => of === 'input');
    return documentOf(members, [], longer, this.forms);
  }

  private placed(values: Values): readonly Placed[] {
    return [...this.members].flatMap(([id, { of, steps }]) => {
      const value = values.get(id);
      return value === undefined ? [] : [{ of, steps, value }];
    });
  }
}

/** `about`: what other parts are warned of, too. */
function keepShortest(found: Map<string, Meeting>, meeting: Meeting, about: unknown = meeting.part): void {
  const id = textOf([about, meeting.because]);
  const known = found.get(id);
  // A text is a better example than 0.
  const length = ({ events }: Meeting) => textOf(events).replaceAll(':0', ':"a7"').length;
  if (known === undefined || length(meeting) < length(known)) found.set(id, meeting);
}
