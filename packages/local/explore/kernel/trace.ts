import { ExploreError } from './explore-error';
import type { Next, Step, TransitionSystem } from './search';

/** An interleaving has a step that cannot happen where it comes: it is of another definition, or of other bounds. */
export class ImpossibleStep extends ExploreError {}

/** The steps that were taken one after the other, and where they lead. */
export interface Trace<State, Taken, Problem> {
  readonly steps: readonly Taken[];
  readonly last: State;
  /** The fault of the last step or state; undefined if there is none. */
  readonly problem: Problem | undefined;
}

/** Chooses the step that is taken next in a state; undefined ends the trace. */
export type Choice<State, Taken, Problem> = (next: Next<Taken, Problem>, state: State) => Taken | undefined;

/** Takes one step after the other, until none is chosen or something is wrong with a step. */
export function traced<State, Taken extends Step<State>, Problem>(
  system: TransitionSystem<State, Taken, Problem>,
  first: State,
  choose: Choice<State, Taken, Problem>,
): Trace<State, Taken, Problem> {
  const steps: Taken[] = [];
  for (let last = first; ; ) {
    const next = system.next(last);
    const step = choose(next, last);
    if (!step) return { steps, last, problem: next.problem };
    const problem = system.problemWith?.(last, step);
    steps.push(step);
    last = step.after;
    if (problem !== undefined) return { steps, last, problem };
  }
}

/** Chooses the steps of an interleaving, by their names. The choice throws {@link ImpossibleStep}. */
export function inOrder<Taken extends { readonly name: string }>(
  interleaving: readonly string[],
): Choice<unknown, Taken, unknown> {
  let taken = 0;
  return ({ steps }) => {
    const name = interleaving[taken];
    if (name === undefined) return undefined;
    taken += 1;
    const step = steps.find(each => each.name === name);
    if (step) return step;
    const possible = steps.map(each => each.name).join('; ') || 'nothing';
    throw new ImpossibleStep(`step ${taken} cannot happen: ${name}. Can happen: ${possible}`);
  };
}

/** Lines to read: each step with its number, and below it what belongs to it. */
export function numbered(steps: readonly (readonly string[])[]): readonly string[] {
  return steps.flatMap(([name = '', ...details], index) => [
    `${String(index + 1).padStart(3)}. ${name}`,
    ...details.map(detail => `     ${detail}`),
  ]);
}
