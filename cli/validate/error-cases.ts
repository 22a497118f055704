import { statesIn } from '../definition/states';

/** One error of one state, and what the definition says becomes of it. */
export interface ErrorCase {
  readonly state: string;
  readonly error: string;
  /** How often the error has been retried already. */
  readonly retries: number;
  readonly expected: Expected;
}

/** What becomes of an error: another try, the state that a catcher leads to, or the end. */
export type Expected =
  | { readonly status: 'RETRIABLE' }
  | { readonly status: 'CAUGHT_ERROR'; readonly nextState: string }
  | { readonly status: 'FAILED' };

/** What a state says about errors. */
interface ErrorHandling {
  readonly Retry?: readonly { readonly ErrorEquals: readonly string[]; readonly MaxAttempts?: number }[];
  readonly Catch?: readonly { readonly ErrorEquals: readonly string[]; readonly Next: string }[];
}

/** What the States Language says where a retrier does not. */
const ATTEMPTS_DEFAULT = 3;

/**
 * A case for each error that a state's retriers and catchers name, before its retries and when they are used up, in the
 * order of the states. Left out is what AWS's own documents disagree about: whether `States.ALL` covers
 * `States.DataLimitExceeded`.
 */
export function errorCasesOf(definitionText: string): readonly ErrorCase[] {
  return statesIn(JSON.parse(definitionText)).flatMap(({ name, state }) =>
    namedErrors(state).flatMap(error => casesOf(name, state, error)),
  );
}

function namedErrors({ Retry = [], Catch = [] }: ErrorHandling): readonly string[] {
  const all = [...Retry, ...Catch].flatMap(({ ErrorEquals }) => ErrorEquals);
  return [...new Set(all)].filter(error => !WILDCARDS.has(error));
}

const WILDCARDS: ReadonlySet<string> = new Set(['States.ALL', 'States.TaskFailed']);

function casesOf(state: string, { Retry = [], Catch = [] }: ErrorHandling, error: string): ErrorCase[] {
  const fits = ({ ErrorEquals }: { readonly ErrorEquals: readonly string[] }) =>
    ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL');
  const retrier = Retry.find(fits);
  const catcher = Catch.find(fits);
  const isByName = (one: typeof retrier | typeof catcher) =>
    one === undefined || one.ErrorEquals.includes(error);
  if (error === 'States.DataLimitExceeded' && !(isByName(retrier) && isByName(catcher))) return [];
  const retries = retrier ? (retrier.MaxAttempts ?? ATTEMPTS_DEFAULT) : 0;
  const end: Expected = catcher ? { status: 'CAUGHT_ERROR', nextState: catcher.Next } : { status: 'FAILED' };
  return [
    ...(retries > 0 ? [{ state, error, retries: 0, expected: { status: 'RETRIABLE' as const } }] : []),
    { state, error, retries, expected: end },
  ];
}
