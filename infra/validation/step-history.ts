import { type Definition, definitionsIn, type StateJson, transitionsOf } from '../cdk/definition';

/** Events that the history of a Standard execution holds. */
const EVENTS_MAX = 25_000;
/** Of these, for all that is not the step: requests that are rejected for hours, and the waits of duplicates. */
const EVENTS_OF_THE_REST = 5_000;

/**
 * Why a task or chain cannot be retried so often, in words; empty where its history has room for it. A Map counts with
 * one item, and a loop once, because their number is unknown at synthesis.
 *
 * `state` is the rendered Parallel state around the chain; of any other one nothing is said.
 */
export function historyProblem({ Retry = [], Branches }: StateJson): string[] {
  if (!Branches || Retry.length === 0) return [];
  const tries = Retry.reduce((sum, { MaxAttempts = 3 }) => sum + MaxAttempts, 1);
  // The Parallel state tells of each try that it was begun, and has failed.
  const events = 2 + Branches.reduce((sum, branch) => sum + eventsOf(branch), 0);
  const room = EVENTS_MAX - EVENTS_OF_THE_REST;
  if (tries * events <= room) return [];
  return [
    `\`retry\` can run the states of \`step\` ${tries} times with up to ${events} history events each, but the history ` +
      `has room for ${room} such events, got ${tries * events}. Use fewer \`maxAttempts\`, and a longer ` +
      '`interval`',
  ];
}

/** The events of the longest way through a definition. */
function eventsOf({ StartAt, States }: Definition): number {
  const known = new Map<string, number>();
  const from = (name: string): number => {
    const before = known.get(name);
    const state = States[name];
    if (before !== undefined || !state) return before ?? 0;
    // A state that a way comes back to: it has been counted.
    known.set(name, 0);
    const events =
      eventsWithin(state) + Math.max(0, ...transitionsOf(state).map(({ Next = '' }) => from(Next)));
    known.set(name, events);
    return events;
  };
  return StartAt === undefined ? 0 : from(StartAt);
}

/**
 * Entered and left; and each time that it is tried: scheduled, started, ended, and where its end is waited for,
 * submitted.
 */
function eventsWithin(state: StateJson): number {
  const isAlone = state.ItemProcessor?.ProcessorConfig?.Mode === 'DISTRIBUTED';
  const inner = isAlone ? 0 : definitionsIn(state).reduce((sum, one) => sum + eventsOf(one), 0);
  const isWaitedFor = /\.(sync(:\d+)?|waitForTaskToken)$/.test(state.Resource ?? '');
  const aTry = isWaitedFor ? 4 : 3;
  const own = state.Type === 'Task' ? 2 + aTry : inner > 0 || isAlone ? 6 : 2;
  const tries = (state.Retry ?? []).reduce((sum, { MaxAttempts = 3 }) => sum + MaxAttempts, 0);
  return own + inner + tries * (aTry + inner);
}
