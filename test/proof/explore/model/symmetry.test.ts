import { violationIn } from '../../../../proof/explore/invariants/invariants';
import { movedEntry } from '../../../../proof/explore/model/entries';
import type { ExecutionStates } from '../../../../proof/explore/model/execution-states';
import { withDefinition } from '../../../../proof/explore/model/explored-machine';
import { hexadecimal, type Interned } from '../../../../proof/explore/model/interned';
import type { ModelState } from '../../../../proof/explore/model/model-state';
import { PackedStates } from '../../../../proof/explore/model/packed-states';
import { initialState, StateSpace } from '../../../../proof/explore/model/state-space';
import type { Subject } from '../../../../proof/explore/model/subject';
import type { View } from '../../../../proof/explore/model/symmetry';
import type { Mutation } from '../../../../proof/explore/mutations/mutation';
import { MUTATIONS, mutated, tryMutation } from '../../../../proof/explore/mutations/run';
import type { Budget } from '../../../../proof/explore/search/expansion';
import { explore } from '../../../../proof/explore/search/search';
import { successorsOf } from '../../../../proof/explore/search/successors';
import { replayTrace } from '../../../../proof/explore/trace';
import { VARIANTS } from '../../../../proof/explore/variants/variants';
import { explored } from '../../../support/scale';
import { shippedExploration, shippedSubject, variantSubject } from '../subject';

/** Mutants that break in ways of their own: alone and together, for ever, and where everything has ended. */
const FIRST = ['claim-reentrant-for-all', 'finalize-gives-up', 'step-without-timeout', 'judge-never-calls'];
const isFirst = ({ name }: Mutation) => FIRST.includes(name);
const SOME = [...MUTATIONS.filter(isFirst), ...MUTATIONS.filter(each => !isFirst(each))].slice(
  0,
  Number(process.env['ONCEFLOW_MUTANTS'] ?? explored(FIRST.length, 2 * FIRST.length)),
);
const DIRECT = ['direct'] as const;
const BOTH = ['direct', 'dispatcher'] as const;
/** With one fault all of the variants take some ten minutes. */
const FAULTS = Number(process.env['ONCEFLOW_FAULTS'] ?? 0);

/** A state as a view has it, made a state of its own. */
function seenBy(space: StateSpace, model: ModelState, { renaming, places }: View): ModelState {
  const renamed = <Value extends object>(
    of: Interned<Value> | ExecutionStates | undefined,
    number: number,
  ) => {
    const text = renaming.textOf(JSON.stringify(of?.get(number)));
    if (text === undefined)
      throw new Error(`a hash that nobody knows, in ${JSON.stringify(of?.get(number))}`);
    return (of as Interned<object>).numberOf(JSON.parse(text));
  };
  const placed = <Of extends { readonly execution: number }>(each: Of): Of => {
    return { ...each, execution: movedEntry(places, each.execution) };
  };
  const executions: number[] = [];
  for (const [index, number] of model.executions.entries())
    executions[places[index] ?? -1] = renamed(space.workflow, number);
  const { past } = model;
  return {
    ...model,
    table: renamed(space.tables, model.table),
    tableBefore: renamed(space.tables, model.tableBefore),
    executions,
    dispatchers: model.dispatchers.map(each => ({
      ...each,
      delivery: renaming.numberOf(each.delivery),
      state: renamed(space.dispatcher, each.state),
    })),
    requests: model.requests.map(each => ({
      ...each,
      delivery: renaming.numberOf(each.delivery),
      state: renamed(space.frontDoor, each.state),
      ...(each.start && {
        start: { ...each.start, execution: movedEntry(places, each.start.execution) },
      }),
    })),
    recoveries: model.recoveries.map(each => ({
      ...placed(each),
      ...(each.redelivery && {
        redelivery: { ...each.redelivery, last: movedEntry(places, each.redelivery.last) },
      }),
      ...(each.state !== undefined && { state: renamed(space.recoverers, each.state) }),
    })),
    lambdas: model.lambdas.map(placed),
    orphans: model.orphans.map(orphan => ({ ...placed(orphan), call: renamed(space.calls, orphan.call) })),
    past: {
      ...past,
      successes: past.successes.map(placed),
      finishers: past.finishers.map(entry => movedEntry(places, entry)),
      lastRun: past.lastRun && placed(past.lastRun),
      ...(past.claimant !== undefined && { claimant: movedEntry(places, past.claimant) }),
      ...(past.waiting && { waiting: past.waiting.map(placed) }),
      ...(past.heard && { heard: past.heard.map(placed) }),
      ...(past.redelivered && {
        redelivered: past.redelivered.map(each => ({ ...placed(each), of: movedEntry(places, each.of) })),
      }),
    },
  };
}

/**
 * Goes through the states level by level, and through each of them as every view has it, up to the level with the
 * `most`th state; gives how many there were.
 */
function lookAtAll(subject: Subject, { executions, faults, channels }: Budget, most = Infinity): number {
  const space = new StateSpace(subject, faults);
  const packed = new PackedStates(space);
  const orbitOf = (model: ModelState) => {
    packed.pack(model);
    return hexadecimal(packed.orbitHash());
  };
  const goingOn = (model: ModelState) => {
    const { steps, problem: stuck } = successorsOf(space, model, channels);
    const ends = steps.map(step => `${orbitOf(step.after)} ${violationIn(space, model, step)?.invariant}`);
    return { after: steps.map(({ after }) => after), seen: [...ends.sort(), stuck?.invariant] };
  };
  const first = initialState(space, executions, faults);
  const met = new Set([orbitOf(first)]);
  let views = 0;
  for (let level = [first]; level.length > 0 && met.size < most; ) {
    const next: ModelState[] = [];
    for (const model of level) {
      const { after, seen } = goingOn(model);
      for (const view of packed.symmetry.viewsOf(model.delivered, Uint32Array.from(model.executions)) ?? []) {
        const other = seenBy(space, model, view);
        expect(orbitOf(other)).toBe(orbitOf(model));
        expect(goingOn(other).seen).toEqual(seen);
        views += 1;
      }
      next.push(...after.filter(state => met.size < met.add(orbitOf(state)).size));
    }
    level = next;
  }
  expect(views).toBeGreaterThan(met.size);
  return met.size;
}

/** The shipped definition, of which a claim holds what this expression makes. */
function claimingBy(expression: string): Subject {
  const { workflow, ...rest } = shippedSubject();
  const json = structuredClone(workflow.json) as { States: Record<string, { Arguments: { Item: object } }> };
  Object.assign(json.States['Claim record']?.Arguments.Item ?? {}, { claimId: { S: `{% ${expression} %}` } });
  return { ...rest, workflow: withDefinition(workflow, json as never) };
}

describe('the symmetry of deliveries', () => {
  test.each([
    [2, explored(0, 1), DIRECT, explored(44, 2485)],
    [2, FAULTS, BOTH, FAULTS === 0 ? 144 : 9415],
    [3, 0, explored(0, 1) === 1 ? BOTH : DIRECT, explored(267, 1347)],
  ] as const)(
    'other numbers, %i deliveries with %i faults, %j: everything goes on alike, and is judged alike',
    (executions, faults, channels, states) => {
      expect(lookAtAll(shippedSubject(), { executions, faults, channels })).toBe(states);
    },
    300_000,
  );

  // The keys of objects are hashes of unknown names: the search distinguishes the holders of one, as below. A fragment
  // whose entries run at the same time takes as long as all others together.
  const left = [
    'results',
    'without-key',
    ...(explored(0, 1) === 1 ? [] : ['fragment', 'fragment-in-jsonpath']),
  ];
  const renamed = VARIANTS.filter(({ name }) => !left.includes(name));
  test.each(renamed.map(({ name }) => name))(
    'other numbers, %s: everything goes on alike, and is judged alike',
    name => {
      const budget = { executions: 2, faults: FAULTS, channels: DIRECT };

      // A front door has some ten times as many states as the others.
      const most = explored(1000, Infinity);
      expect(lookAtAll(variantSubject(name), budget, most)).toBeGreaterThan(10);
    },
    300_000,
  );

  test('other numbers, events without a key: their executions are alike, too', () => {
    const budget = { executions: 2, faults: 0, channels: ['dispatcher'] as const };

    expect(lookAtAll(variantSubject('without-key'), budget)).toBe(15);
  });

  test.each([
    [2, 1, DIRECT, 2485, 4035, 4252, 6982],
    [3, 0, BOTH, 1449, 3173, 9894, 20748],
  ] as const)(
    '%i deliveries, %i faults, %j: these counts, and those without it',
    async (executions, faults, channels, states, transitions, statesApart, transitionsApart) => {
      const budget = { executions, faults, channels };
      const alone = await shippedExploration({ ...budget, symmetry: true });

      expect(alone).toMatchObject({ states, transitions, violation: undefined });
      expect(await shippedExploration(budget)).toMatchObject({
        states: statesApart,
        transitions: transitionsApart,
        depth: alone.depth,
        neverEntered: alone.neverEntered,
      });
    },
    120_000,
  );

  test('threads: the same counts', async () => {
    const budget = { executions: 3, faults: 0, channels: BOTH, symmetry: true };
    const threads = { workers: 2, sharedFrom: 50 };

    expect(await explore(shippedSubject(), budget, threads)).toEqual(await shippedExploration(budget));
  }, 120_000);

  test('a hash of an unknown name: its holders are distinguished', async () => {
    const budget = { executions: 2, faults: 0, channels: DIRECT };
    const hashed = claimingBy("$hash($states.context.Execution.Name, 'SHA-256')");
    const named = claimingBy('$states.context.Execution.Name');
    const count = async (subject: Subject, symmetry: boolean) =>
      (await explore(subject, { ...budget, symmetry })).states;

    expect(await count(hashed, true)).toBe(await count(hashed, false));
    expect(await count(named, true)).toBeLessThan(await count(named, false));
  });

  test.each(SOME.map(mutation => [mutation.name, mutation] as const))(
    '%s: breaks the same, in as few steps',
    async (_name, mutation) => {
      const { killed } = await tryMutation(shippedSubject(), mutation);
      if (!killed) throw new Error('this mutant needs a larger budget');
      const { violation } = killed;
      const mutant = mutated(shippedSubject(), mutation);

      const reduced = await explore(mutant, { ...killed.budget, symmetry: true });

      expect(reduced.violation?.invariant).toBe(violation?.invariant);
      expect(reduced.violation?.schedule).toHaveLength(violation?.schedule.length ?? 0);
      const replayed = replayTrace(mutant, killed.budget, reduced.violation?.schedule ?? []);
      expect(replayed.violation?.invariant).toBe(violation?.invariant);
    },
    600_000,
  );
});
