import type { JsonObject } from '../../../packages/local/json/json';
import { violationIn } from '../../../proof/explore/invariants/invariants';
import { statesOf } from '../../../proof/explore/model/definition-states';
import type { Call, ExecutionState } from '../../../proof/explore/model/execution-state';
import type { ExecutionStates } from '../../../proof/explore/model/execution-states';
import { hashOfText } from '../../../proof/explore/model/hash';
import { hexadecimal, type Interned } from '../../../proof/explore/model/interned';
import type { ModelState } from '../../../proof/explore/model/model-state';
import { PackedStates } from '../../../proof/explore/model/packed-states';
import { initialState, StateSpace } from '../../../proof/explore/model/state-space';
import type { Subject } from '../../../proof/explore/model/subject';
import type { Mutation } from '../../../proof/explore/mutations/mutation';
import { MUTATIONS, mutated, SPARE_GUARDS, tryMutation } from '../../../proof/explore/mutations/run';
import { successorsOf } from '../../../proof/explore/search/successors';
import { violationOf } from './schedules';
import { shippedSubject } from './subject';

const DIRECT = ['direct'] as const;

/** The members of requests that a mutation has changed, by the names of their states. */
type Changed = ReadonlyMap<string, readonly string[]>;

function changedBy(mutant: Subject): Changed {
  const [before, after] = [shippedSubject(), mutant].map(({ workflow }) => statesOf(workflow.json));
  const changed = Object.keys(before ?? {}).map((name): [string, string[]] => {
    const [one, other] = [before, after].map(states => (states?.[name]?.['Arguments'] ?? {}) as JsonObject);
    const members = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
    return [name, members.filter(at => JSON.stringify(one?.[at]) !== JSON.stringify(other?.[at]))];
  });
  return new Map(changed.filter(([, members]) => members.length > 0));
}

/** A request without the members that the mutation has changed: what it does to the record shows in the record. */
function withoutChanged(call: Call, changed: Changed): Call {
  const left = Object.entries(call.arguments).filter(([at]) => !changed.get(call.stateName)?.includes(at));
  return { ...call, arguments: Object.fromEntries(left) };
}

/** A text for each state, the same in any state space. */
function textsIn(space: StateSpace, changed: Changed): (model: ModelState) => string {
  const hash = new Uint32Array(4);
  const known = new Map<object, Map<number, string>>();
  const textOf = <Value>(
    of: Interned<Value & object> | ExecutionStates | undefined,
    number: number,
    seen: (value: Value) => unknown,
  ) => {
    const texts = known.get(of ?? space) ?? new Map<number, string>();
    known.set(of ?? space, texts);
    const before = texts.get(number);
    if (before !== undefined) return before;
    hashOfText(JSON.stringify(seen(of?.get(number) as Value)), hash);
    texts.set(number, hexadecimal(hash));
    return hexadecimal(hash);
  };
  const asks = ({ call, ...state }: ExecutionState) => ({
    ...state,
    call: call && withoutChanged(call, changed),
  });
  return model =>
    JSON.stringify({
      ...model,
      table: textOf(space.tables, model.table, items => items),
      tableBefore: textOf(space.tables, model.tableBefore, items => items),
      executions: model.executions.map(number => textOf(space.workflow, number, asks)),
      lambdas: model.lambdas.map(run => JSON.stringify(run)).sort(),
      orphans: model.orphans
        .map(orphan => {
          const call = textOf<Call>(space.calls, orphan.call, late => withoutChanged(late, changed));
          return JSON.stringify({ ...orphan, call });
        })
        .sort(),
    });
}

/** All that is reached: the states, and how many there are with what is left out of these. */
interface Reached {
  readonly space: StateSpace;
  readonly models: readonly ModelState[];
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
}

function reached(subject: Subject, faults: number): Reached {
  const space = new StateSpace(subject, faults);
  const packed = new PackedStates(space);
  const seen = new Set<string>();
  const models: ModelState[] = [];
  const isNew = (model: ModelState) => {
    packed.pack(model);
    return seen.size < seen.add(hexadecimal(packed.hash())).size;
  };
  const first = initialState(space, 2, faults);
  let [transitions, depth] = [0, 0];
  isNew(first);
  for (let level = [first]; level.length > 0; depth += 1) {
    const next: ModelState[] = [];
    for (const model of level) {
      models.push(model);
      const { steps, problem: stuck } = successorsOf(space, model, DIRECT);
      const violation = stuck ?? steps.map(step => violationIn(space, model, step)).find(Boolean);
      // An assertion for each of so many states takes a tenth of the time.
      if (violation) expect(violation).toBeUndefined();
      transitions += steps.length;
      next.push(...steps.map(({ after }) => after).filter(isNew));
    }
    level = next;
  }
  return { space, models, states: seen.size, transitions, depth };
}

/** The same as texts, which another definition has too that comes to the same. */
function toldOf({ space, models, states, transitions, depth }: Reached, changed: Changed) {
  return { states, transitions, depth, texts: new Set(models.map(textsIn(space, changed))) };
}

const byFaults = new Map<number, Reached>();

/** What the shipped definition reaches. */
function reachedByShipped(faults: number): Reached {
  const known = byFaults.get(faults) ?? reached(shippedSubject(), faults);
  byFaults.set(faults, known);
  return known;
}

/** The mutant, in which the same variables count as in the shipped definition, though it may read fewer of them. */
function comparable(mutation: Mutation): Subject {
  const { workflow, ...others } = mutated(shippedSubject(), mutation);
  const { liveVariables } = shippedSubject().workflow;
  return { ...others, workflow: { ...workflow, liveVariables } };
}

const NAMED = SPARE_GUARDS.map(guard => [guard.name, guard] as const);

function mutationCalled(name: string | undefined): Mutation {
  const found = MUTATIONS.find(mutation => mutation.name === name);
  if (!found) throw new Error(`no mutation ${name}`);
  return found;
}

describe('spare guards: what each is said to be', () => {
  test.each(NAMED)('%s: something shows it', (_name, { isEquivalent, together, needed }) => {
    expect(isEquivalent ?? together ?? needed).toBeDefined();
  });

  // All states of the others are compared below. The command tries two faults and three deliveries as well.
  test.each(NAMED.filter(([, { isEquivalent }]) => !isEquivalent))(
    '%s: two deliveries and one fault do not miss it',
    async (_name, guard) => {
      const { killed } = await tryMutation(shippedSubject(), guard, [
        [1, 1],
        [2, 1],
      ]);

      expect(killed).toBeUndefined();
    },
    60_000,
  );

  test.each(NAMED.filter(([, { isEquivalent }]) => isEquivalent))(
    '%s: without it the same states are reached',
    (_name, guard) => {
      const mutant = comparable(guard);
      const changed = changedBy(mutant);
      // With two faults all of them take some minutes.
      const faults = Number(process.env['ONCEFLOW_FAULTS'] ?? 1);

      const shipped = toldOf(reachedByShipped(faults), changed);

      expect(changed.size).toBe(1);
      expect(toldOf(reached(mutant, faults), changed)).toEqual(shipped);
    },
    300_000,
  );

  test('a guard that is missed: without it other states are reached', () => {
    const guard = mutationCalled('takeover-keeps-the-time');
    const changed = changedBy(comparable(guard));

    const { texts } = toldOf(reachedByShipped(1), changed);

    expect(toldOf(reached(comparable(guard), 1), changed).texts).not.toEqual(texts);
  }, 60_000);

  test.each(NAMED.filter(([, { together }]) => together))(
    '%s: what takes it away together with another guard leaves nothing of it',
    (_name, guard) => {
      const both = mutated(shippedSubject(), mutationCalled(guard.together));

      expect(() => mutated(both, guard)).toThrow();
    },
  );

  test.each([...new Set(SPARE_GUARDS.flatMap(({ together = [] }) => together))])(
    '%s: missed',
    async name => {
      expect(await violationOf(shippedSubject(), mutationCalled(name))).toBeDefined();
    },
    60_000,
  );
});
