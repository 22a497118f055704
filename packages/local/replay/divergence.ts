import type { HistoryEvent } from '../engine/index';
import { isJsonObject, type Json } from '../json/json';
import type { Difference } from './difference';
import type { RecordedEvent } from './recording';
import type { WaitingThread } from './waiting';

/** What a definition would have done otherwise. */
export type Aspect =
  | 'next'
  | 'arguments'
  | 'input'
  | 'output'
  | 'variables'
  | 'resource'
  | 'limits'
  | 'error'
  | 'retry'
  | 'timeout'
  | 'event';

/**
 * The first event of a recording at which a definition would have gone another way, and how.
 *
 * @example
 * if (report.kind === 'diverged') console.log(report.divergence.state, report.divergence.path);
 */
export interface Divergence {
  readonly eventId: number;
  /** ISO 8601, in UTC. */
  readonly time: string;
  /** The state that was at work; empty where none was. */
  readonly state: string;
  readonly aspect: Aspect;
  /** The place within the arguments, output, variables: `Payload.amount`, `items[2]`. Empty for all of it. */
  readonly path: string;
  /** What the recording has: words for what happened, JSON for a value. */
  readonly recorded: string;
  /** What this definition would have instead. */
  readonly replayed: string;
}

/** A divergence at an event of the recording. */
export function divergenceAt(
  { id, timestamp }: Pick<RecordedEvent, 'id' | 'timestamp'>,
  rest: Omit<Divergence, 'eventId' | 'time' | 'path'> & { readonly path?: string },
): Divergence {
  return { eventId: id, time: new Date(timestamp).toISOString(), path: '', ...rest };
}

const ASPECTS: { readonly [member: string]: Aspect } = {
  parameters: 'arguments',
  input: 'input',
  output: 'output',
  assignedVariables: 'variables',
  resource: 'resource',
  resourceType: 'resource',
  timeoutInSeconds: 'limits',
  heartbeatInSeconds: 'limits',
  taskCredentials: 'limits',
  length: 'input',
  error: 'error',
};

/** A divergence in what an event says. */
export function valueDivergence(event: RecordedEvent, state: string, difference: Difference): Divergence {
  const [member = '', ...path] = difference.path;
  // What a function gets is the input of its event.
  const isCall = event.type === 'LambdaFunctionScheduled' && member === 'input';
  const aspect = isCall ? 'arguments' : (ASPECTS[member] ?? 'event');
  const isValue = ['arguments', 'input', 'output', 'variables'].includes(aspect) && member !== 'length';
  return divergenceAt(event, {
    state,
    aspect,
    path: isValue ? pathText(path) : aspect === 'error' ? '' : String(member),
    recorded: valueText(difference.recorded),
    replayed: valueText(difference.replayed),
  });
}

function pathText(path: Difference['path']): string {
  return path.reduce<string>((text, name) => {
    if (typeof name === 'number') return `${text}[${name}]`;
    const member = /^[A-Za-z_][\w-]*$/.test(name) ? name : `\`${name}\``;
    return text === '' ? member : `${text}.${member}`;
  }, '');
}

/** Characters of a value that a message shows; the rest is in the files. */
const VALUE_CHARACTERS_MAX = 200;

function valueText(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  return shortText(JSON.stringify(value));
}

function shortText(text: string): string {
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
}

/** What an event tells of, as what an execution does: `enters "Charge"`, `succeeds`. */
export function happening(event: RecordedEvent | HistoryEvent): string {
  const { type } = event;
  const details: { readonly [name: string]: unknown } = 'details' in event ? event.details : { ...event };
  const name = JSON.stringify(details['name'] ?? '');
  const error = typeof details['error'] === 'string' ? ` with ${details['error']}` : '';
  const entered = /^(\w+)StateEntered$/.exec(type)?.[1];
  if (entered !== undefined) return `enters ${name}, a ${entered} state`;
  if (/StateExited$/.test(type)) return `leaves ${name}`;
  if (/Scheduled$/.test(type)) return `calls ${resourceText(details)}`;
  if (type === 'EvaluationFailed') return `fails in an expression${reasonText(details)}`;
  if (/^Execution/.test(type)) return EXECUTION[type] === undefined ? type : `${EXECUTION[type]}${error}`;
  const iteration = /^MapIteration(\w+)$/.exec(type)?.[1];
  if (iteration !== undefined)
    return `has iteration ${String(details['index'])} of ${name} ${iteration.toLowerCase()}`;
  const state = /^(Parallel|Map)State(Started|Succeeded|Failed)$/.exec(type);
  if (state) return `has its ${state[1]} state ${String(state[2]).toLowerCase()}`;
  return `has ${type}${error}`;
}

const EXECUTION: { readonly [type: string]: string } = {
  ExecutionSucceeded: 'succeeds',
  ExecutionFailed: 'fails',
  ExecutionTimedOut: 'times out',
  ExecutionAborted: 'is stopped',
  ExecutionRedriven: 'is redriven',
};

function resourceText({ resourceType, resource }: { readonly [name: string]: unknown }): string {
  return resourceType === undefined ? String(resource) : `${String(resourceType)}:${String(resource)}`;
}

/** The reason without the place, which stands beside it. */
function reasonText({ cause }: { readonly [name: string]: unknown }): string {
  if (typeof cause !== 'string') return '';
  const reason = cause.replace(
    /^An error occurred while executing the state .*? \(entered at the event id #\d+\)\. /s,
    '',
  );
  return `: ${shortText(reason)}`;
}

/** What a thread waits for, as what an execution does. */
export function awaiting({ state, waits }: WaitingThread): string {
  switch (waits.kind) {
    case 'pause':
      return `enters ${JSON.stringify(waits.next)}`;
    case 'retry':
      return `tries ${JSON.stringify(state)} again`;
    case 'timer':
      return `waits in ${JSON.stringify(state)}`;
    default:
      return `waits for the answer to ${JSON.stringify(state)}`;
  }
}

/** Whether the two are an error's text by the service, of which the name decides and the wording does not. */
export function isWording(path: Difference['path'], errorOutput: Json | undefined): boolean {
  const error = isJsonObject(errorOutput) ? errorOutput['Error'] : undefined;
  return path.at(-1) === 'Cause' && typeof error === 'string' && error.startsWith('States.');
}
