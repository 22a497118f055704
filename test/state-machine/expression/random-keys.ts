import { randomFrom } from '../../support/random';

// Random keys and events, from one seed. Members have few names and values, so that two events often meet.

/** An expression, and what it reads of an event: told apart by member and value, not by JSONata. */
export interface RandomPart {
  readonly jsonata: string;
  reads(event: unknown): Read;
}

/** A value, and the member it is from; undefined for a constant of the expression. */
export interface Read {
  readonly member: string | undefined;
  readonly value: unknown;
}

const NAMES = ['a', 'b', 'kind', 'order-id', 'at'];
const TEXTS = [
  '7',
  '8',
  'A',
  'a',
  ' a',
  '',
  '1,2',
  '#7',
  '09:30',
  'a/7',
  'b/7',
  '2026-11-28T09:30:00Z',
  'x',
  'y',
];
const NUMBERS = [0, 7, 8, -7, 1.5, 12.3, 12.4, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2];

/** Draws one after the other. */
export class Draws {
  private readonly next: () => number;

  /** `often`: one of the calls, which is drawn half of the time. */
  constructor(
    seed: number,
    private readonly often?: string,
  ) {
    const next = randomFrom(seed);
    // The first numbers of neighbouring seeds are alike.
    for (let skipped = 0; skipped < 5; skipped += 1) next();
    this.next = next;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  isOne(of: number): boolean {
    return this.below(of) === 0;
  }

  from<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  parts(): readonly RandomPart[] {
    return Array.from({ length: 1 + this.below(3) }, () => this.part(2));
  }

  event(): Readonly<Record<string, unknown>> {
    return {
      ...this.object(1),
      body: JSON.stringify(this.object(0)),
      items: this.list(),
      inner: this.object(0),
    };
  }

  /** Another event that is the same except for a member or two. */
  neighbour(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const other = this.event();
    const changed = Array.from({ length: 1 + this.below(2) }, () =>
      this.from(Object.keys({ ...event, ...other })),
    );
    const members = changed.map(
      name => [name, this.isOne(2) ? other[name] : this.near(event[name])] as const,
    );
    const isGone = new Set(members.flatMap(([name, value]) => (value === undefined ? [name] : [])));
    const all = Object.entries({ ...event, ...Object.fromEntries(members) });
    return Object.fromEntries(all.filter(([name]) => !isGone.has(name)));
  }

  /** A value that is easily taken for another. */
  private near(value: unknown): unknown {
    if (typeof value === 'string')
      return this.from([value.toUpperCase(), ` ${value}`, `${value}1`, Number(value)]);
    if (typeof value === 'number') return this.from([value + 0.1, value + 1, 0 - value, String(value)]);
    if (!isObject(value)) return Array.isArray(value) ? [...value].reverse() : value;
    const [name = 'a'] = Object.keys(value);
    return { ...value, [name]: this.near(value[name]) };
  }

  private object(depth: number): Readonly<Record<string, unknown>> {
    const names = NAMES.filter(() => !this.isOne(4));
    return Object.fromEntries(names.map(name => [name, this.value(depth)]));
  }

  private list(): unknown {
    return this.isOne(3) ? this.object(0) : Array.from({ length: this.below(3) }, () => this.object(0));
  }

  private value(depth: number): unknown {
    const kind = this.below(12);
    if (kind < 6) return this.from(TEXTS);
    if (kind < 9) return this.from(NUMBERS);
    if (kind === 9) return this.from([null, true, false]);
    return depth > 0 && kind === 10
      ? this.object(depth - 1)
      : [this.from(TEXTS), this.from(NUMBERS)].slice(this.below(2));
  }

  private part(depth: number): RandomPart {
    const kind = this.below(depth > 0 ? 12 : 5);
    if (kind === 0) return constant(this.from(["'refund'", "'charge'", "'7'", '7', "''", '1.5', "'#7'"]));
    if (kind < 5) return this.member();
    if (kind < 8) return this.condition(depth - 1);
    return this.call(depth - 1);
  }

  private member(): RandomPart {
    const name = this.from(NAMES);
    const step = /\W/.test(name) ? this.from([`"${name}"`, `\`${name}\``]) : name;
    const kind = this.below(18);
    if (kind === 16) return NAMES_OF_MEMBERS;
    if (kind === 15) return path('$states.input.inner', ['inner']);
    if (kind === 0) return path(`$parse($states.input.body).${step}`, ['body', name], parsedBody);
    if (kind === 1) return path(`$states.input.items[0].${step}`, ['items[0]', name]);
    if (kind === 2) return path(`$states.input.items[kind = 'x'].${step}`, ['items[x]', name]);
    if (kind === 3) return path(`$states.input.inner.${step}`, ['inner', name]);
    if (kind === 4) return path(`$states.input.items.${step}`, ['items', name]);
    if (kind === 5) return path('$states.input.inner.*', ['inner', '*']);
    if (kind === 6) return path(`($states.input).(${step})`, [name]);
    if (kind === 7) return path(`( /* $now() */ $states.input ).${step}`, [name]);
    return path(`$states.input.${step}`, [name]);
  }

  private condition(depth: number): RandomPart {
    const [then, otherwise, tested] = [this.part(depth), this.part(depth), this.member()];
    const [test, isTrue] = this.from<readonly [string, (value: unknown) => boolean]>([
      [`$exists(${tested.jsonata})`, value => value !== undefined],
      [`$not($exists(${tested.jsonata}))`, value => value === undefined],
      [`${tested.jsonata} = 'x'`, value => value === 'x'],
      [`${tested.jsonata} in ['x', 'y']`, value => value === 'x' || value === 'y'],
      [`${tested.jsonata} != 'x'`, value => value !== undefined && value !== 'x'],
      [`$type(${tested.jsonata}) = 'object'`, isObject],
      [`$type(${tested.jsonata}) = 'number'`, value => typeof value === 'number'],
      [`$contains(${tested.jsonata}, '7')`, value => typeof value === 'string' && value.includes('7')],
      [`$not(${tested.jsonata})`, value => value !== undefined && !isTruthy(value)],
      [tested.jsonata, isTruthy],
    ]);
    // Often the member that was tested, as people write it.
    const first = this.isOne(2) ? tested : then;
    return {
      jsonata: `(${test}) ? (${first.jsonata}) : (${otherwise.jsonata})`,
      reads: event => (isTrue(tested.reads(event).value) ? first : otherwise).reads(event),
    };
  }

  private call(depth: number): RandomPart {
    const of = this.part(depth);
    const call = this.often !== undefined && this.isOne(2) ? this.often : this.from(CALLS);
    const jsonata = call.replaceAll('_', of.jsonata);
    return { jsonata, reads: event => of.reads(event) };
  }
}

const NAMES_OF_MEMBERS: RandomPart = {
  jsonata: '$keys($states.input.inner)',
  reads: event => ({
    member: 'names',
    value: Object.keys((event as { readonly inner?: object }).inner ?? {}),
  }),
};

/** Calls of every kind, of `_`. */
const CALLS = [
  ...['$lowercase(_)', '$uppercase(_)', '$trim(_)', '_ ~> $trim', '_ ~> $lowercase ~> $trim()', '$string(_)'],
  ...['$substring(_, 0, 10)', '$substring(_, 0, 3)', "$substringBefore(_, '/')", "$substringAfter(_, '/')"],
  ...[
    "$split(_, '/')[0]",
    "$split(_, '/')[-1]",
    "$hash(_, 'SHA-256')",
    '$number(_)',
    '$floor(_)',
    '$round(_)',
  ],
  ...['$abs(_)', '_ + 1', '_ - 1', '_ * 2', '$floor(_ / 10)', '$formatBase(_)', "$formatNumber(_, '0')"],
  ...[
    "$toMillis(_, '[H01]:[m01]')",
    '$toMillis(_)',
    '$fromMillis($toMillis(_))',
    '$fromMillis(_)',
    '$keys(_)',
  ],
  ...[
    '$type(_)',
    '$length(_)',
    "_ & 'x'",
    "'x' & _",
    '[_]',
    '[_, 1]',
    '$join([_])',
    '$now()',
    '_ ~> $now',
    '$uuid()',
  ],
  ...[
    '$millis()',
    '$random()',
    '$eval(_)',
    '$sort(_)',
    '$reverse(_)',
    '$distinct(_)',
    '$count(_)',
    '$sum(_)',
  ],
  ...[
    '_[0]',
    '(_)[0]',
    '_[]',
    '$spread(_)',
    '$exists(_)',
    '$boolean(_)',
    '_ = 1',
    "$replace(_, 'a', 'b')",
    '$pad(_, 5)',
  ],
  ...[
    '$base64encode(_)',
    '$base64decode(_)',
    '$parse(_)',
    '( $x := _; $x )',
    '$map(_, function($v) { $v })',
    '_^($)',
  ],
  ...[
    '$append(_, 1)',
    '$max(_)',
    "$lookup($states.input, 'a')",
    '$states.context.Execution.Id',
    '$states.*',
    '_.*',
    '-(_)',
  ],
  ...[
    '$states.context.Execution.StartTime',
    '$each($states.input.inner, function($v) { $v })',
    '$encodeUrlComponent(_)',
  ],
];

function constant(jsonata: string): RandomPart {
  const value = jsonata.startsWith("'") ? jsonata.slice(1, -1) : Number(jsonata);
  return { jsonata, reads: () => ({ member: undefined, value }) };
}

function path(
  jsonata: string,
  steps: readonly string[],
  of = (event: unknown): unknown => event,
): RandomPart {
  const member = steps.join('.');
  return { jsonata, reads: event => ({ member, value: valueAt(of(event), steps) }) };
}

function parsedBody(event: unknown): unknown {
  const { body } = event as { readonly body?: unknown };
  try {
    return { body: typeof body === 'string' ? JSON.parse(body) : undefined };
  } catch {
    return undefined;
  }
}

/** What stands at a path, through lists as JSONata goes: a list of one is that one, and an empty one is nothing. */
function valueAt(of: unknown, steps: readonly string[]): unknown {
  let values: readonly unknown[] = [of];
  for (const step of steps) {
    const [, name = '', filter] = /^(.*?)(?:\[(.*)\])?$/.exec(step) ?? [];
    values = values.flatMap(value => {
      const found = flat(value).flatMap(one => flat(name === '*' ? membersOf(one) : memberOf(one, name)));
      if (filter === '0') return found.slice(0, 1);
      return filter === undefined ? found : found.filter(one => memberOf(one, 'kind') === filter);
    });
  }
  return values.length > 1 ? values : values[0];
}

const flat = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.flatMap(flat) : value === undefined ? [] : [value];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const memberOf = (value: unknown, name: string) =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
const membersOf = (value: unknown) => (isObject(value) ? Object.values(value) : undefined);

function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTruthy);
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** The same value with the members of its objects the other way round. */
export function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, turned(member)])
      .reverse(),
  );
}
