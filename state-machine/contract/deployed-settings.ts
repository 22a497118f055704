import type { ExecutionNames } from './execution-name';

/** The version of the form below. A reader rejects any other. */
export const SETTINGS_VERSION = 1;

/** The state machines, and the part of one, that onceflow renders. */
export type DeployedKind =
  | 'workflow'
  | 'fragment'
  | 'dispatcher'
  | 'frontDoor'
  | 'recovery'
  | 'search'
  | 'redelivery';

/**
 * Settings of a workflow, or of a fragment, that no field of its definition says. A member that is absent has its
 * default. Expressions are JSONata without `{% %}`, as the team wrote them.
 */
export interface DeployedWorkflow {
  readonly machine: 'workflow' | 'fragment';
  readonly scope: string;
  /** One expression, the parts of a composite key, or the payload whose hash is the key. */
  readonly key: string | readonly string[] | { readonly payload: string };
  /** Why two events can share the key: `Key.unchecked`; absent: its expressions are checked. */
  readonly uncheckedKey?: string;
  /** The payload that is compared; absent: none is. */
  readonly payload?: string;
  /** How long a finished record counts, in seconds. */
  readonly retentionSeconds: number;
  /** The same for the record of a failure; absent: as long. */
  readonly failedRetentionSeconds?: number;
  /** How long a duplicate waits for the owner, in seconds; absent: it does not wait. */
  readonly waitSeconds?: number;
  /** The errors whose stored failure is returned, if `onFailedBefore` lists them. */
  readonly returnedErrors?: readonly string[];
  /** How often a delivery redrives one owner; absent for a workflow: its deliveries redrive none. */
  readonly maxRedrives?: number;
  readonly formerStateMachines?: readonly string[];
  /** Absent: readable. */
  readonly executionNames?: ExecutionNames;
}

/** Settings of any other state machine that onceflow renders. */
export interface DeployedMachine {
  readonly machine: Exclude<DeployedKind, DeployedWorkflow['machine']>;
  /** How often recovery redrives one owner; absent: it redrives none. */
  readonly maxRedrives?: number;
}

/** What a state machine is, and how it is set: the part that travels in its definition as data. */
export type DeployedSettings = DeployedWorkflow | DeployedMachine;

/**
 * A `Comment` of a definition: a line of words for people, and below it the settings for programs.
 *
 * @example
 * commentWith('Runs a step', { machine: 'recovery', maxRedrives: 3 })
 * // Runs a step
 * // {"onceflow":1,"machine":"recovery","maxRedrives":3}
 */
export function commentWith(words: string, settings: DeployedSettings): string {
  return `${words}\n${JSON.stringify({ onceflow: SETTINGS_VERSION, ...settings })}`;
}

/** The settings in a `Comment`, or why they cannot be read. */
export type ReadSettings =
  | { readonly kind: 'settings'; readonly settings: DeployedSettings }
  | { readonly kind: 'absent' }
  /** Of another version than {@link SETTINGS_VERSION}. */
  | { readonly kind: 'otherVersion'; readonly version: number }
  | { readonly kind: 'unreadable' };

/** Reads what {@link commentWith} has written. A `Comment` of anything else has no settings. */
export function readSettings(comment: unknown): ReadSettings {
  const line = typeof comment === 'string' ? comment.split('\n').at(-1) : undefined;
  if (!line?.startsWith(`{"onceflow":`)) return { kind: 'absent' };
  const value = jsonIn(line);
  const version = value?.['onceflow'];
  if (value === undefined || typeof version !== 'number') return { kind: 'unreadable' };
  if (version !== SETTINGS_VERSION) return { kind: 'otherVersion', version };
  const { onceflow: _version, ...settings } = value;
  return isSettings(settings) ? { kind: 'settings', settings } : { kind: 'unreadable' };
}

function jsonIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isCount: Check = value => Number.isSafeInteger(value) && Number(value) >= 0;
const isList: Check = value => Array.isArray(value) && value.every(isText);
const isKey: Check = value =>
  isText(value) || (isList(value) && (value as readonly string[]).length > 0) || isPayload(value);
const isPayload: Check = value =>
  typeof value === 'object' && value !== null && isText((value as { readonly payload?: unknown }).payload);
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value);

const OF_A_WORKFLOW: Readonly<Record<keyof DeployedWorkflow, Check>> = {
  machine: isText,
  scope: isText,
  key: isKey,
  uncheckedKey: optional(isText),
  payload: optional(isText),
  retentionSeconds: isCount,
  failedRetentionSeconds: optional(isCount),
  waitSeconds: optional(isCount),
  returnedErrors: optional(isList),
  maxRedrives: optional(isCount),
  formerStateMachines: optional(isList),
  executionNames: optional(value => value === 'readable' || value === 'hash'),
};

const OF_ANOTHER: Readonly<Record<keyof DeployedMachine, Check>> = {
  machine: isText,
  maxRedrives: optional(isCount),
};

const MEMBERS: Readonly<Record<DeployedKind, Readonly<Record<string, Check>>>> = {
  workflow: OF_A_WORKFLOW,
  fragment: OF_A_WORKFLOW,
  dispatcher: OF_ANOTHER,
  frontDoor: OF_ANOTHER,
  recovery: OF_ANOTHER,
  search: OF_ANOTHER,
  redelivery: OF_ANOTHER,
};

/** Whether these are settings of this version: each member is known, and has a value of its kind. */
function isSettings(value: object): value is DeployedSettings {
  const { machine } = value as { readonly machine?: unknown };
  if (typeof machine !== 'string' || !Object.hasOwn(MEMBERS, machine)) return false;
  const members = MEMBERS[machine as DeployedKind];
  const given = value as Readonly<Record<string, unknown>>;
  return (
    Object.keys(given).every(name => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, check]) => check(given[name]))
  );
}
