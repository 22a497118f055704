import type { WorkflowItem } from '../views';

/** A view's address. */
export type Route =
  /** Of one workflow, or of all. */
  | { readonly view: 'keys'; readonly workflow?: string | undefined; readonly filter: KeysFilter }
  /** Without a workflow it is searched in all. */
  | { readonly view: 'key'; readonly workflow?: string | undefined; readonly key: string }
  | {
      readonly view: 'execution';
      readonly executionArn: string;
      /** Epoch milliseconds: the state that it was in then is shown first. */
      readonly at?: number;
    }
  | { readonly view: 'deliveries' }
  | { readonly view: 'queue'; readonly queue: string }
  | { readonly view: 'history' }
  | { readonly view: 'unknown'; readonly path: string };

/** What of a workflow's keys is shown. */
export interface KeysFilter {
  /** Text within a key, an owner or an error. */
  readonly search: string;
  readonly health: string;
  /** Only what failed with this error. */
  readonly error: string;
  /** A time range: `1h`, or a time such as `2026-11-20T09:00Z`; empty: any time. */
  readonly since: string;
  readonly until: string;
}

export const NO_FILTER: KeysFilter = { search: '', health: '', error: '', since: '', until: '' };

/** The route of a location. */
export function routeOf({ pathname, search }: Readonly<Record<'pathname' | 'search', string>>): Route {
  const parts = pathname
    .split('/')
    .filter(part => part !== '')
    .map(decoded);
  const query = new URLSearchParams(search);
  const [first, second, third, fourth] = parts;
  if (first === undefined) return { view: 'keys', filter: filterIn(query) };
  if (first === 'keys') {
    const key = second ?? query.get('key');
    if (key !== null) return { view: 'key', key };
  }
  if (first === 'history' && second === undefined) return { view: 'history' };
  if (first === 'deliveries' && second === undefined) return { view: 'deliveries' };
  if (first === 'queues' && second !== undefined && third === undefined) {
    return { view: 'queue', queue: second };
  }
  if (first === 'executions' && second !== undefined && third === undefined) {
    const at = query.get('at') ?? '';
    return { view: 'execution', executionArn: second, ...(/^\d{1,15}$/.test(at) && { at: Number(at) }) };
  }
  if (first === 'workflows' && second !== undefined && (third === 'keys' || third === undefined)) {
    const key = fourth ?? query.get('key');
    if (key !== null) return { view: 'key', workflow: second, key };
    return { view: 'keys', workflow: second, filter: filterIn(query) };
  }
  return { view: 'unknown', path: pathname };
}

export function addressOf(route: Route): string {
  switch (route.view) {
    case 'deliveries':
      return '/deliveries';
    case 'queue':
      return `/queues/${encoded(route.queue)}`;
    case 'history':
      return '/history';
    case 'execution':
      return `/executions/${encoded(route.executionArn)}${route.at === undefined ? '' : `?at=${route.at}`}`;
    case 'key': {
      const keys = `${route.workflow === undefined ? '' : `/workflows/${encoded(route.workflow)}`}/keys`;
      // A browser takes these two out of a path, however they are encoded.
      const isStep = route.key === '.' || route.key === '..';
      return isStep ? `${keys}?key=${route.key}` : `${keys}/${encoded(route.key)}`;
    }
    case 'keys': {
      const given = Object.entries(route.filter).filter(([, text]) => text !== '');
      const query = new URLSearchParams(given).toString();
      const path = route.workflow === undefined ? '/' : `/workflows/${encoded(route.workflow)}/keys`;
      return `${path}${query && `?${query}`}`;
    }
    case 'unknown':
      return route.path;
  }
}

/** The name of a workflow on the page: its scope, if no other has the same; otherwise its state machine. */
export function labelOf(name: string, workflows: readonly WorkflowItem[]): string {
  const own = workflows.find(each => each.name === name);
  const isAlone = workflows.filter(({ scope }) => scope === own?.scope).length === 1;
  return isAlone && own !== undefined ? own.scope : name;
}

export function allKeysOf(workflow?: string): Route {
  return { view: 'keys', workflow, filter: NO_FILTER };
}

function filterIn(query: URLSearchParams): KeysFilter {
  const names = Object.keys(NO_FILTER) as (keyof KeysFilter)[];
  return Object.fromEntries(names.map(name => [name, query.get(name) ?? ''])) as Record<
    keyof KeysFilter,
    string
  >;
}

/** Part of an address. Half of a surrogate pair cannot be a part of it, and becomes the replacement character. */
export function encoded(part: string): string {
  return encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd'));
}

// A `%` that encodes nothing is one.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
