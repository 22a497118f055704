import { KNOWN_FUNCTIONS } from '../../packages/local/language/jsonata/known-functions';
import {
  EMPTY,
  either,
  type Flow,
  itemOf,
  type MemberPath,
  made,
  NOTHING,
  type Problem,
  pathsOfFlow,
} from './flow';
import { type AstNode, isListWritten, isOneValue, type Pair } from './syntax';

export type { MemberPath } from './flow';

/** What an expression depends on, as far as its text says. */
export interface Reads {
  /** What its value is made of. */
  readonly given: readonly MemberPath[];
  /** What decides about it, in conditions, filters and comparisons. */
  readonly tested: readonly MemberPath[];
  readonly problems: readonly Problem[];
}

type Scope = Map<string, Flow> & { readonly above?: Scope };

/** Calls of functions that an expression defines, within each other: more is taken for an endless recursion. */
const STEPS_MAX = 20_000;

/** Reads an expression without an event: what it depends on, and on what it must not. */
export function readsOf(root: AstNode): Reads {
  const reader = new Reader();
  const given = reader.settled(reader.flowOf(root, NOTHING, new Map()));
  const reads = { given: pathsOfFlow(given), tested: reader.tested, problems: reader.problems };
  const isWhole = [...reads.given, ...reads.tested].some(place => place.length === 0);
  return isWhole ? { ...reads, problems: [{ kind: 'states', found: '$states' }, ...reader.problems] } : reads;
}

class Reader {
  readonly problems: Problem[] = [];
  readonly tested: MemberPath[] = [];
  private steps = 0;

  /** The flow with its list, if it says too little, taken for a problem. */
  settled(flow: Flow): Flow {
    if (flow.loose) this.problems.push(flow.loose);
    return flow;
  }

  private test(...flows: readonly (Flow | undefined)[]): Flow {
    for (const flow of flows) this.tested.push(...pathsOfFlow(flow ?? EMPTY));
    return EMPTY;
  }

  flowOf(node: AstNode | undefined, context: Flow, scope: Scope): Flow {
    if (node === undefined) return EMPTY;
    this.steps += 1;
    if (this.steps > STEPS_MAX) throw new RangeError('too many steps');
    const filters = [...(node.predicate ?? []), ...(node.stages ?? [])];
    const whole = this.withoutFilters(node, context, scope);
    this.bindStep(node, whole, scope);
    const flow = this.filtered(whole, filters, scope);
    return node.group ? this.object(node.group.lhs, itemOf(this.settled(flow)), scope) : flow;
  }

  private withoutFilters(node: AstNode, context: Flow, scope: Scope): Flow {
    const of = (part: AstNode | undefined) => this.flowOf(part, context, scope);
    const { type, value, lhs, rhs } = node;
    switch (type) {
      case 'path':
        return this.pathOf(node, context, scope);
      case 'name':
        return this.member(context, String(value));
      case 'wildcard':
      case 'descendant':
        return this.ofMembers(context, type === 'wildcard' ? '*' : '**');
      case 'parent':
        this.problems.push({ kind: 'states', found: '%' });
        return EMPTY;
      case 'string':
        return { ...EMPTY, text: String(value) };
      case 'variable':
        return this.variable(String(value), context, scope);
      case 'block': {
        const inner: Scope = Object.assign(new Map(), { above: scope });
        return (node.expressions ?? []).reduce<Flow>((_, one) => this.flowOf(one, context, inner), EMPTY);
      }
      case 'bind': {
        const bound = of(rhs);
        scope.set(String((lhs as AstNode).value), bound);
        return bound;
      }
      case 'condition': {
        this.test(this.settled(of(node.condition)));
        return either(of(node.then), of(node.else));
      }
      case 'binary':
        return this.operator(node, of);
      case 'unary':
        if (value === '{') return this.object(lhs as readonly Pair[], context, scope);
        return value === '['
          ? this.list(node.expressions ?? [], of)
          : made(this.settled(of(node.expression)));
      case 'function':
      case 'partial':
        return this.callOf(node, context, scope);
      case 'apply': {
        const first = of(lhs as AstNode);
        if (rhs?.type === 'function') return this.callOf(rhs, context, scope, [first]);
        const then = of(rhs);
        if (first.call)
          return { ...EMPTY, call: given => then.call?.([first.call?.(given) ?? EMPTY]) ?? EMPTY };
        return then.call?.([first]) ?? made(first, then);
      }
      case 'lambda':
        return node.thunk ? of(node.body) : this.lambda(node, context, scope);
      case 'transform':
        return { ...EMPTY, call: ([input = EMPTY]) => this.transformed(node, input, scope) };
      default:
        return EMPTY;
    }
  }

  private member(of: Flow, name: string): Flow {
    if (of.isNothing) this.problems.push({ kind: 'nothing', found: name });
    const places = of.places.map(place =>
      place.isExact ? { ...place, path: [...place.path, name] } : place,
    );
    return { places, loose: of.loose };
  }

  private ofMembers(of: Flow, found: string, more: Partial<Flow> = {}): Flow {
    if (of.isNothing) this.problems.push({ kind: 'nothing', found });
    const isOrdered = found.startsWith('*') || KNOWN_FUNCTIONS.get(found.slice(1))?.followsMembers;
    return { ...made(this.settled(of)), loose: isOrdered ? { kind: 'order', found } : undefined, ...more };
  }

  private variable(name: string, context: Flow, scope: Scope): Flow {
    if (name === '') {
      if (context.isNothing) this.problems.push({ kind: 'nothing', found: '$' });
      return context;
    }
    for (let at: Scope | undefined = scope; at; at = at.above) {
      const bound = at.get(name);
      if (bound) return bound;
    }
    if (name === '$') this.problems.push({ kind: 'nothing', found: '$$' });
    if (name === 'states') return { places: [{ path: [], isExact: true }] };
    if (!KNOWN_FUNCTIONS.has(name)) return EMPTY;
    return { ...EMPTY, call: given => this.native(name, given) };
  }

  private pathOf({ steps = [] }: AstNode, context: Flow, scope: Scope): Flow {
    let flow = context;
    for (const [index, step] of steps.entries()) {
      flow = index === 0 ? this.flowOf(step, flow, scope) : this.step(step, flow, scope);
      if (typeof step.focus === 'string') flow = either(context, flow);
    }
    return flow;
  }

  /** Binds the variables of `@` and `#`, which the filters of the step read, too. */
  private bindStep({ index, focus }: AstNode, { ...flow }: Flow, scope: Scope): void {
    for (const name of [index, focus]) {
      if (typeof name !== 'string') continue;
      const loose = flow.loose ?? scope.get(name)?.loose;
      scope.set(name, name === index ? { ...made(flow), loose } : { ...flow, loose });
    }
  }

  private step(step: AstNode, list: Flow, scope: Scope): Flow {
    if (step.type === 'sort') {
      const terms = (step.terms ?? []).map(({ expression }) => this.flowOf(expression, itemOf(list), scope));
      this.test(...terms);
      // Values with equal terms stay in the order of the list.
      const isWhole = (step.terms ?? []).some(({ expression }) => expression.value === '');
      return isWhole ? this.sorted(list) : this.settled(list);
    }
    this.bindStep(step, list, scope);
    const each = this.flowOf(step, { ...itemOf(list), isNothing: list.isNothing ?? false }, scope);
    return { ...each, loose: each.loose ?? list.loose };
  }

  /** A sorted list of the names of members, or of objects with one each; values have lost their names. */
  private sorted(list: Flow): Flow {
    if (list.loose?.kind !== 'order') return list;
    return { ...list, loose: list.isName || list.isNamed ? undefined : { ...list.loose, kind: 'members' } };
  }

  /** A written list as `$merge` takes it: what is of the first object may be put in place of its members. */
  private merging({ items, ...list }: Flow): Flow {
    if (!items) return list;
    const [first = EMPTY] = items;
    const isWithin = (place: MemberPath) =>
      first.places.some(({ path }) => path.every((name, at) => name === place[at]));
    const isOfOne =
      items.flatMap(pathsOfFlow).every(isWithin) ||
      items.filter(({ places }) => places.length > 0).length < 2;
    const loose = list.loose?.kind === 'members' ? undefined : list.loose;
    return { ...list, loose: isOfOne ? loose : { kind: 'members', found: '$merge' } };
  }

  private filtered(list: Flow, filters: readonly AstNode[], scope: Scope): Flow {
    let flow = list;
    for (const { type, value, expr = {} } of filters) {
      if (type === 'index') this.bindStep({ index: value }, flow, scope);
      const isIndex = !(expr.type === 'binary' && /^(?:[!<>]?=|[<>]|and|or|in)$/.test(String(expr.value)));
      const isTest = expr.type === 'function' && KNOWN_FUNCTIONS.get(String(expr.procedure?.value))?.isTest;
      if (isIndex && !isTest) flow = { ...this.settled(flow), loose: undefined };
      this.test(this.settled(this.flowOf(expr, itemOf(flow), scope)));
    }
    return flow;
  }

  private operator({ value, lhs, rhs }: AstNode, of: (node: AstNode | undefined) => Flow): Flow {
    const [left, right] = [of(lhs as AstNode), of(rhs)];
    if (value === '&') this.problems.push({ kind: 'text', found: '&' });
    if (value === 'in') return this.test(this.settled(left), right);
    this.settled(left);
    this.settled(right);
    return /^(?:[!<>]?=|[<>]|and|or)$/.test(String(value)) ? this.test(left, right) : made(left, right);
  }

  private object(pairs: readonly Pair[], context: Flow, scope: Scope): Flow {
    const members = pairs.map(pair => {
      const [name, value] = pair.map(one => this.flowOf(one, context, scope)) as [Flow, Flow];
      // The name under which a value was found is its name here.
      const isFound = name.isName && value.loose?.found === '$lookup';
      return [this.settled(name), isFound ? value : this.settled(value)];
    });
    const computed = members.filter(([name]) => name?.places.length);
    if (computed.length > 1) this.problems.push({ kind: 'members', found: '{…}' });
    const isNamed = members.length === 0 || (members.length === 1 && members[0]?.[0]?.isName === true);
    return { ...made(...members.flat()), isNamed };
  }

  private list(items: readonly AstNode[], of: (node: AstNode) => Flow): Flow {
    // A list within a list is an item, which nothing that sorts the list looks into.
    const flows = items.map(item => (isListWritten(item) ? this.settled(of(item)) : of(item)));
    const loose = flows.find(flow => flow.loose)?.loose;
    const isGap = items.filter(item => !isOneValue(item)).length > 1;
    return {
      ...made(...flows),
      isNamed: flows.every(flow => flow.isNamed),
      items: flows,
      loose: loose ?? (isGap ? { kind: 'members', found: '[…]' } : undefined),
    };
  }

  private callOf(node: AstNode, context: Flow, scope: Scope, first: readonly Flow[] = []): Flow {
    const { procedure = {}, arguments: all = [], type } = node;
    const callee = this.flowOf(procedure, context, scope);
    const holes = all.filter(one => one.type === 'operator' && one.value === '?').length;
    const given = all.map(one => this.flowOf(one, context, scope));
    if (type === 'partial' && holes > 0) {
      return {
        ...EMPTY,
        call: rest => {
          const left = [...rest];
          const filled = all.map((one, at) => (one.value === '?' ? left.shift() : given[at]) ?? EMPTY);
          return callee.call?.([...first, ...filled]) ?? made(...filled);
        },
      };
    }
    const args = [...first, ...given];
    const [about] = args;
    // A function of a step takes its context for what it was not given.
    const isOfContext =
      !context.isNothing && (about === undefined || about.places.length === 0) && !about?.call;
    const name = String(procedure.value);
    const isOwn =
      procedure.type === 'variable' && KNOWN_FUNCTIONS.has(name) && !/^(?:error|assert)$/.test(name);
    if (isOwn && isOfContext) return either(made(context), callee.call?.([context, ...args]) ?? EMPTY);
    return callee.call?.(args) ?? made(callee, ...args.map(one => this.settled(one)));
  }

  private lambda(node: AstNode, context: Flow, scope: Scope): Flow {
    let isCalled = false;
    return {
      ...EMPTY,
      call: given => {
        // Of itself it is taken for what its arguments are.
        if (isCalled) return made(...given.map(one => this.settled(one)));
        const inner: Scope = Object.assign(new Map(), { above: scope });
        const names = (node.arguments ?? []).map(({ value }) => String(value));
        for (const [at, name] of names.entries()) inner.set(name, given[at] ?? EMPTY);
        isCalled = true;
        const result = this.flowOf(node.body, context, inner);
        isCalled = false;
        return result;
      },
    };
  }

  private transformed({ pattern, update, delete: removed }: AstNode, input: Flow, scope: Scope): Flow {
    const at = this.flowOf(pattern, input, scope);
    const changed = this.flowOf(update, itemOf(at), scope);
    if (changed.places.length > 0) this.settled(at);
    this.test(this.flowOf(removed, itemOf(at), scope));
    return made(this.settled(input), changed);
  }

  private native(name: string, given: readonly Flow[]): Flow {
    const facts = KNOWN_FUNCTIONS.get(name) ?? {};
    const [list = EMPTY, by] = given;
    const item = itemOf(list);
    const each = (...args: readonly Flow[]) => by?.call?.(args) ?? made(by);
    switch (name) {
      case 'keys':
        return this.ofMembers(list, '$keys', { isName: true });
      case 'spread':
        return this.ofMembers(list, '$spread', { isNamed: true });
      case 'each': {
        const { isNamed, loose, places } = each(made(list), { ...made(list), isName: true });
        return this.ofMembers(list, '$each', { ...made({ places }, list), isNamed, ...(loose && { loose }) });
      }
      case 'sift':
        this.test(this.settled(each(made(list), made(list), list)));
        return made(this.settled(list));
      case 'map': {
        const one = each(item, { ...EMPTY, loose: list.loose }, list);
        return { ...made(one), isNamed: one.isNamed, loose: one.loose ?? list.loose };
      }
      case 'filter':
      case 'single': {
        this.test(this.settled(each(item, { ...EMPTY, loose: list.loose }, list)));
        return name === 'single' ? itemOf(this.settled(this.sorted(list))) : list;
      }
      case 'reduce':
        return made(each(this.settled(item), item), given[2], this.settled(list));
      case 'sort': {
        if (!by) return this.sorted(list);
        this.test(each(item, item));
        return this.settled(list);
      }
      case 'merge':
        return made(list.isNamed && list.loose?.kind === 'order' ? list : this.settled(this.merging(list)));
      case 'sum':
      case 'average':
        return made(list.loose?.kind === 'order' ? this.settled(list) : list);
      case 'lookup':
        if (by?.text !== undefined) return this.member(this.settled(list), by.text);
        if (by?.isName) return { ...made(this.settled(list)), loose: { kind: 'members', found: '$lookup' } };
        break;
      case 'distinct':
      case 'reverse':
        return list;
      case 'error':
      case 'assert':
        return this.test(...given);
    }
    if (facts.writesNumbers || facts.mixesTexts) this.problems.push({ kind: 'text', found: `$${name}` });
    if (!facts.ignoresOrder) for (const one of given) if (!facts.joinsArguments) this.settled(one);
    if (facts.isTest) return this.test(...given);
    if (!facts.joinsArguments) return made(...given);
    // A list within a list is an item, which nothing that sorts the list looks into.
    const loose = given.map(one => (name === 'zip' ? this.settled(one) : one)).find(one => one.loose)?.loose;
    const isGap = given.filter(one => one.places.length > 0).length > 1;
    return {
      ...made(...given),
      loose: loose ?? (isGap ? { kind: 'members', found: `$${name}` } : undefined),
    };
  }
}
