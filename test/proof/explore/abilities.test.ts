import { entryOf } from '../../../proof/explore/model/entries';
import { ORIGIN } from '../../../proof/explore/model/execution-state';
import { hexadecimal } from '../../../proof/explore/model/interned';
import type {
  HttpRequest,
  ModelState,
  Recovery,
  RecoveryKnowledge,
} from '../../../proof/explore/model/model-state';
import { PackedStates } from '../../../proof/explore/model/packed-states';
import { initialState, StateSpace } from '../../../proof/explore/model/state-space';
import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import { successorsOf } from '../../../proof/explore/search/successors';
import { replayTrace } from '../../../proof/explore/trace';
import type { Channel } from '../../../proof/explore/transition/steps';
import { type ExploredVariant, VARIANTS, type VariantName } from '../../../proof/explore/variants/variants';
import { ABILITIES, type Ability, kindOf, RUNS } from './abilities';
import { shippedSubject, variantSubject } from './subject';

/** How deliveries come to a variant. */
function channelsOf(name: VariantName): readonly Channel[] {
  const { channels }: ExploredVariant = VARIANTS.find(variant => variant.name === name) ?? VARIANTS[0];
  return channels ?? ['direct'];
}

const DIRECTLY = { executions: 3, faults: 4, channels: ['direct'] } as const;
const BUDGET = { executions: 3, faults: 4, channels: ['direct', 'dispatcher'] as const };

function replayed(schedule: string) {
  return replayTrace(shippedSubject(), BUDGET, schedule.split(' '));
}

function stepsThrough(of: Ability[0], schedule: string, faults = 12) {
  const steps = schedule.split(' ');
  if (of === 'shipped') return replayed(schedule).trace;
  if (of !== 'shipped, recovery')
    return replayTrace(variantSubject(of), { executions: 8, faults, channels: channelsOf(of) }, steps).trace;
  return replayTrace({ ...shippedSubject(), running: ['recovery'] as const }, BUDGET, steps).trace;
}

/** The kinds of steps out of so many states of a variant, breadth first. */
function kindsWithin(name: VariantName, states: number): readonly string[] {
  const space = new StateSpace(variantSubject(name));
  const packed = new PackedStates(space);
  const reached = [initialState(space, 2, 2)];
  const [kinds, seen] = [new Set<string>(), new Set<string>()];
  for (const model of reached) {
    for (const { name: step, after } of successorsOf(space, model, channelsOf(name)).steps) {
      kinds.add(kindOf(step));
      packed.pack(after);
      const words = packed.words.join();
      if (reached.length < states && !seen.has(words)) reached.push(after);
      seen.add(words);
    }
  }
  return [...kinds];
}

const KNOWLEDGE: readonly RecoveryKnowledge[] = [
  { isUndone: true },
  { isToTell: true },
  { isRejected: true },
  { hasFailed: true },
  { end: ORIGIN },
  { isUnknown: true },
  { isMisled: true },
  { isFound: true },
  { tries: 1 },
];

const RUN = { execution: 0, attempt: 1, redrives: 0 };

describe('what can happen', () => {
  test.each(ABILITIES.map(ability => [ability[0], ability[1], ability] as const))(
    '%s, %s: goes through',
    (_of, _what, [of, , schedule, faults]) => {
      expect(stepsThrough(of, schedule, faults)).toHaveLength(schedule.split(' ').length);
    },
  );

  test.each(VARIANTS.map(({ name }) => name))(
    '%s: what happens in its first states has a trace that needs it',
    name => {
      const known = new Set(ABILITIES.flatMap(([, , trace]) => trace.split(' ').map(kindOf)));

      expect(kindsWithin(name, 300).filter(kind => !known.has(kind))).toEqual([]);
    },
  );

  test('a read that is not strongly consistent, and no other: may see the record before the last write', () => {
    const mutation = MUTATIONS.find(({ name }) => name === 'read-not-consistent');
    if (!mutation) throw new Error('no such mutation');
    const schedule = 'start1 start2 do1 do2 old2'.split(' ');
    const { violation } = replayTrace(mutated(shippedSubject(), mutation), BUDGET, schedule);

    expect(violation?.invariant).toBe('judgesTheRecord');
    expect(() => replayed(schedule.join(' '))).toThrow('cannot happen: old2.');
  });

  test('a run, and a result: the invariants remember them', () => {
    const space = new StateSpace(shippedSubject());
    let model = initialState(space, 1, 0);
    const go = (schedule: string) => {
      for (const name of schedule.split(' ')) {
        const step = successorsOf(space, model, ['direct']).steps.find(each => each.name === name);
        if (!step) throw new Error(`${name} is not possible`);
        model = step.after;
      }
      return model.past;
    };

    expect(go('start1 do1')).toMatchObject({ payload: 0, lastRun: undefined, successes: [] });
    expect(go('do1')).toMatchObject({ lastRun: { execution: 0, attempt: 1 }, successes: [] });
    expect(go('works1.1 do1')).toMatchObject({ successes: [{ execution: 0 }], finishers: [0] });
    expect(model.past.results).toHaveLength(1);
  });

  test('the last moment of a grace: not where nothing is under way that has to end by then', () => {
    expect(() => replayed(`${RUNS} start2 abort1 ends1.1 near`)).toThrow('cannot happen: near.');
  });

  test('an owner that is unknown to the last: not where it was redriven, or its step is running', () => {
    const last = 'stale2:unknown-to-the-last';
    const asked = (schedule: string) =>
      replayTrace(variantSubject('fragment-in-turn'), DIRECTLY, `${schedule} ${last}`.split(' '));

    expect(() => asked('start1 start2 do1 do1 do2 abort1 ends1.1 pass do2')).toThrow(
      `cannot happen: ${last}.`,
    );
    expect(() => asked('start1 do1 do1 works1.1 abort1 never1 pass redrive1 start2 do2 do2')).toThrow(
      `cannot happen: ${last}.`,
    );
  });

  test('a late request: is made once', () => {
    expect(() => replayed('start1 abort1 late1 late1')).toThrow('cannot happen: late1.');
    expect(() => replayed('start1 abort1 late1 never1')).toThrow('cannot happen: never1.');
  });

  test('a fault: takes one from the budget', () => {
    const space = new StateSpace(shippedSubject(), 1);
    const { steps } = successorsOf(space, initialState(space, 2, 1), ['direct']);
    const after = steps.find(({ name }) => name === 'start1')?.after;
    if (!after) throw new Error('no delivery');
    const stopped = successorsOf(space, after, ['direct']).steps.find(({ name }) => name === 'abort1')?.after;

    expect(after.faults).toBe(1);
    expect(stopped?.faults).toBe(0);
  });
});

describe('one world or two', () => {
  const space = new StateSpace(shippedSubject());
  const packed = new PackedStates(space);
  const started = space.workflow.started({ name: 'a', input: {}, now: ORIGIN });
  const other = space.workflow.started({ name: 'b', input: {}, now: ORIGIN });
  const claimed = space.numberOfTable(new Map([['k', { k: { S: 'k' } }]]));
  const call = (name: string) => space.calls.numberOf({ resource: name, arguments: {}, stateName: 'Test' });
  const lambda = { execution: 0, attempt: 1, until: ORIGIN + 1, isAwaited: true };
  const orphan = { execution: 0, call: call('one'), until: ORIGIN + 1 };
  const dispatcher = { delivery: 1, state: 0, isStarted: false, isDeadLettered: false };
  const request: HttpRequest = { delivery: 1, payload: 0, since: ORIGIN, state: 0 };
  const start = { execution: 0, at: ORIGIN };
  const joined: HttpRequest = { ...request, start: { ...start, isJoined: true } };
  const recovery: Recovery = { execution: 0, redrives: 0, phase: 'unheard', state: undefined, knows: {} };
  const first = initialState(space, 2, 2);
  const past = (changed: Partial<ModelState['past']>) => ({ past: { ...first.past, ...changed } });

  function hashOf(changed: Partial<ModelState>): string {
    packed.pack({ ...first, ...changed });
    return hexadecimal(packed.hash());
  }

  test.each<[string, Partial<ModelState>, Partial<ModelState>]>([
    ['the time', { now: ORIGIN }, { now: ORIGIN + 1 }],
    ['the time, by 2^32 ms', { now: ORIGIN }, { now: ORIGIN + 2 ** 32 }],
    ['the table', {}, { table: claimed }],
    ['the table before', {}, { tableBefore: claimed }],
    ['an execution', { executions: [started] }, { executions: [other] }],
    ['how many executions', { executions: [started] }, { executions: [started, started] }],
    ['whose execution', { executions: [started, other] }, { executions: [other, started] }],
    ['deliveries begun', {}, { delivered: 1 }],
    ['deliveries to come', {}, { deliveries: 3 }],
    ['faults left', {}, { faults: 1 }],
    ['a run', {}, { lambdas: [lambda] }],
    ['two runs', { lambdas: [lambda] }, { lambdas: [lambda, lambda] }],
    ['whose run', { lambdas: [lambda] }, { lambdas: [{ ...lambda, execution: 1 }] }],
    ['the attempt of a run', { lambdas: [lambda] }, { lambdas: [{ ...lambda, attempt: 2 }] }],
    ['the end of a run', { lambdas: [lambda] }, { lambdas: [{ ...lambda, until: ORIGIN + 2 }] }],
    ['who waits for a run', { lambdas: [lambda] }, { lambdas: [{ ...lambda, isAwaited: false }] }],
    ['a late request', {}, { orphans: [orphan] }],
    ['whose late request', { orphans: [orphan] }, { orphans: [{ ...orphan, execution: 1 }] }],
    ['which late request', { orphans: [orphan] }, { orphans: [{ ...orphan, call: call('two') }] }],
    ['until when it may come', { orphans: [orphan] }, { orphans: [{ ...orphan, until: ORIGIN + 2 }] }],
    ['a dispatcher', {}, { dispatchers: [dispatcher] }],
    ['whose dispatcher', { dispatchers: [dispatcher] }, { dispatchers: [{ ...dispatcher, delivery: 2 }] }],
    ['its start', { dispatchers: [dispatcher] }, { dispatchers: [{ ...dispatcher, isStarted: true }] }],
    [
      'its dead letter',
      { dispatchers: [dispatcher] },
      { dispatchers: [{ ...dispatcher, isDeadLettered: true }] },
    ],
    ['a request', {}, { requests: [request] }],
    ['whose request', { requests: [request] }, { requests: [{ ...request, delivery: 2 }] }],
    ['its payload', { requests: [request] }, { requests: [{ ...request, payload: 1 }] }],
    ['since when it waits', { requests: [request] }, { requests: [{ ...request, since: ORIGIN + 1 }] }],
    ['what it asks for', { requests: [request] }, { requests: [{ ...request, asks: ORIGIN }] }],
    ['what it saw', { requests: [request] }, { requests: [{ ...request, saw: 'absent' }] }],
    ['what it has started', { requests: [request] }, { requests: [{ ...request, start }] }],
    ['that it has joined it', { requests: [{ ...request, start }] }, { requests: [joined] }],
    ['a recovery', {}, { recoveries: [recovery] }],
    ['whose recovery', { recoveries: [recovery] }, { recoveries: [{ ...recovery, execution: 1 }] }],
    ['of which end', { recoveries: [recovery] }, { recoveries: [{ ...recovery, redrives: 1 }] }],
    ['what becomes of it', { recoveries: [recovery] }, { recoveries: [{ ...recovery, phase: 'givenUp' }] }],
    ...KNOWLEDGE.map(
      knows =>
        [
          `what it knows: ${Object.keys(knows)}`,
          { recoveries: [recovery] },
          { recoveries: [{ ...recovery, knows }] },
        ] satisfies [string, Partial<ModelState>, Partial<ModelState>],
    ),
    ['memory: successes', {}, past({ successes: [RUN] })],
    ['memory: whose success', past({ successes: [RUN] }), past({ successes: [{ ...RUN, execution: 1 }] })],
    ['memory: successes to be expected', {}, past({ allowed: 2 })],
    ['memory: results', {}, past({ results: ['1'] })],
    ['memory: the order of results', past({ results: ['1', '2'] }), past({ results: ['2', '1'] })],
    ['memory: who has finished', {}, past({ finishers: [0] })],
    ['memory: the payload', {}, past({ payload: 0 })],
    ['memory: the last run', {}, past({ lastRun: RUN })],
    ['memory: its attempt', past({ lastRun: RUN }), past({ lastRun: { ...RUN, attempt: 2 } })],
    ['memory: who has run the step', past({ lastRun: RUN }), past({ lastRun: { ...RUN, execution: 1 } })],
    ['memory: which entry has claimed', past({ claimant: 0 }), past({ claimant: entryOf(0, 1) })],
    [
      'which entry has run the step',
      past({ lastRun: RUN }),
      past({ lastRun: { ...RUN, execution: entryOf(0, 1) } }),
    ],
    [
      'which entry a run is of',
      { lambdas: [lambda] },
      { lambdas: [{ ...lambda, execution: entryOf(0, 1) }] },
    ],
    ['memory: its redrives', past({ lastRun: RUN }), past({ lastRun: { ...RUN, redrives: 1 } })],
  ])('%s: two', (_what, one, another) => {
    expect(hashOf(one)).not.toBe(hashOf(another));
  });

  test('every part of a state comes out of its words as it went in', () => {
    const model: ModelState = {
      ...first,
      now: ORIGIN + 2 ** 33 + 5,
      table: claimed,
      tableBefore: claimed,
      executions: [started, other],
      lambdas: [lambda],
      orphans: [orphan],
      dispatchers: [dispatcher],
      requests: [request],
      recoveries: [recovery],
      delivered: 2,
      deliveries: 3,
      faults: 1,
      ...past({ successes: [RUN, RUN], finishers: [1], payload: 1 }),
    };
    packed.pack(model);

    expect(packed.unpacked(packed.words, 0)).toEqual(model);
  });

  test('runs and late requests in another order: one', () => {
    const lambdas = [lambda, { ...lambda, attempt: 2 }];
    const orphans = [orphan, { ...orphan, call: call('two') }];

    expect(hashOf({ lambdas, orphans })).toBe(
      hashOf({ lambdas: [...lambdas].reverse(), orphans: [...orphans].reverse() }),
    );
  });
});
