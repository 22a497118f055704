import type { HistoryEvent } from '@aws-sdk/client-sfn';
import type { Json } from '@onceflow/local';
import type { Environment, Outputs } from './environment';
import type { Transcript } from './scenario-run';

/** Something that is not as in the local runtime. */
export interface Difference {
  /** The answer, or the execution with the number of its event from 1, such as `first, event 5`. */
  readonly at: string;
  /** In the remote environment; null where it has nothing. */
  readonly remote: Json;
  /** In the local runtime. */
  readonly local: Json;
  /** How often the same was found: in events of the same type, and in the same member. */
  readonly times: number;
}

/** What differs between environments, and from run to run. */
export interface Peculiar {
  readonly runId: string;
  readonly outputs: Outputs;
}

/** What differs between the remote transcript and the one of the local runtime: each kind once. */
export function differences(
  [remote, remoteIs]: readonly [Transcript, Peculiar],
  [local, localIs]: readonly [Transcript, Peculiar],
): readonly Difference[] {
  const found = new Map<string, Difference>();
  const tell = (kind: string, at: string, [one, two]: Pair) => {
    for (const { member, remote: seen, local: own } of differing('', one, two)) {
      const name = JSON.stringify([kind, member, seen === null, own === null, two === null && seen]);
      const times = (found.get(name)?.times ?? 0) + 1;
      found.set(name, { ...(found.get(name) ?? { at: `${at}${member}`, remote: seen, local: own }), times });
    }
  };
  for (const name of new Set([...Object.keys(local.notes), ...Object.keys(remote.notes)]))
    tell(name, name, [
      plain(remote.notes[name] ?? null, remoteIs),
      plain(local.notes[name] ?? null, localIs),
    ]);
  for (const label of Object.keys(local.executions)) {
    const one = eventsOf(remote.executions[label]?.events ?? [], remoteIs);
    const two = eventsOf(local.executions[label]?.events ?? [], localIs);
    for (let index = 0; index < Math.max(one.length, two.length); index += 1) {
      const pair = [one[index] ?? null, two[index] ?? null] as const;
      const [type, ownType] = pair.map(typeOf);
      tell(ownType ?? '', `${label}, event ${index + 1}`, pair);
      // What follows is of other events.
      if (type !== ownType) break;
    }
  }
  return [...found.values()];
}

type Pair = readonly [remote: Json, local: Json];

function typeOf(event: Json): string {
  return isRecord(event) ? String(event['type']) : '';
}

/** The members in which two values differ; the whole where they are of two kinds. */
function differing(
  member: string,
  remote: Json,
  local: Json,
): (Omit<Difference, 'at' | 'times'> & { member: string })[] {
  if (isRecord(remote) && isRecord(local) && remote['type'] === local['type']) {
    const names = [...new Set([...Object.keys(remote), ...Object.keys(local)])];
    return names.flatMap(name => differing(`${member}, ${name}`, remote[name] ?? null, local[name] ?? null));
  }
  return JSON.stringify(remote) === JSON.stringify(local) ? [] : [{ member, remote, local }];
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Events as they are the same everywhere: without ids and times, a task that fails again and again once. */
function eventsOf(events: readonly HistoryEvent[], peculiar: Peculiar): readonly Json[] {
  const all = events.map(({ type = '', id: _, previousEventId: __, timestamp: ___, ...details }) => {
    const told = Object.entries(details).filter(([, value]) => value !== undefined);
    return { type, ...(plain(Object.fromEntries(told) as Json, peculiar) as object) } as Json;
  });
  let kept: Json[] = [];
  for (const event of all) {
    kept.push(event);
    kept = withoutRepeat(kept);
  }
  return kept;
}

/** How often a task is tried again is a matter of time: of equal tries one is kept. */
function withoutRepeat(events: Json[]): Json[] {
  const last = events.at(-1);
  if (!/Failed$/.test(typeOf(last ?? null))) return events;
  for (const length of [3, 2, 4]) {
    const [one, two] = [events.slice(-2 * length, -length), events.slice(-length)];
    if (one.length === length && JSON.stringify(one) === JSON.stringify(two)) return events.slice(0, -length);
  }
  return events;
}

/** Members that no two calls, and no two machines, have in common. */
const OF_ONE_CALL = new Set([
  ...['SdkHttpMetadata', 'SdkResponseMetadata', 'clientToken', 'stackTrace', 'trace'],
  ...['account', 'region'],
]);

/** A value without what is peculiar to an environment, a run or a call. Texts that are JSON are taken for what they say. */
function plain(value: Json, peculiar: Peculiar): Json {
  if (typeof value === 'string') {
    const inner = /^[[{]/.test(value) ? jsonIn(value) : undefined;
    return inner === undefined ? plainText(value, peculiar) : { json: plain(inner, peculiar) };
  }
  if (typeof value === 'number') return value > 1e9 ? '<time>' : value;
  if (value instanceof Date) return '<time>';
  if (Array.isArray(value)) return value.map(item => plain(item, peculiar));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([name]) => !OF_ONE_CALL.has(name));
  const sorted = members.sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, member]) => [name, plain(member, peculiar)]));
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function plainText(text: string, { runId, outputs }: Peculiar): string {
  const names = Object.entries(outputs).map(([name, arn]) => [name, arn.split(/[:/]/).at(-1) ?? ''] as const);
  const named = names
    .filter(([, name]) => name.length > 3)
    .sort(([, one], [, two]) => two.length - one.length)
    .reduce(
      (changed, [name, given]) => changed.replaceAll(given, `<${name}>`),
      text.replaceAll(runId, '<run>'),
    );
  return named
    .replace(/arn:aws[\w-]*:(\w+):[\w-]*:\d*:/g, 'arn:$1:')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/(?<=Request ID: )[\w-]+/g, '<request>')
    .replace(/(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/g, '<hash>')
    .replace(/(?<!\d)\d{10}(?:\d{3})?(?:\.\d+)?(?!\d)/g, '<time>')
    .replace(/(?<=:(?:function|role|log-group)[:/])[\w/-]+/g, '<name>');
}

export function peculiarTo({ outputs }: Environment, runId: string): Peculiar {
  return { runId, outputs };
}
