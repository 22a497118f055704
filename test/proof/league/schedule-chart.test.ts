import { VirtualClock, WorkTracker } from '@onceflow/local';
import { CALM } from '../../../proof/league/schedule';
import { chartOf } from '../../../proof/league/schedule-chart';
import { AMOUNT, type CallSite, Play } from '../../../proof/league/world/play';

const KEY = 'order-1';

/** A call that comes to undefined, whatever happens to it. */
const site = (name: string, isEffect = false): CallSite<undefined> => ({
  name,
  isEffect,
  isTable: !isEffect,
  make: async () => undefined,
  rejected: () => undefined,
  answerLost: () => undefined,
  killed: async () => undefined,
  frozen: undefined,
});

/** The lane and mark of each step of a play in which this happened. */
async function stepsOf(happen: (play: Play) => unknown, faults = CALM.faults) {
  const clock = new VirtualClock(0);
  const play = new Play({ ...CALM, faults }, KEY, clock, new WorkTracker());
  const happened = happen(play);
  clock.advanceTo(60_000);
  await happened;
  return play.steps.map(({ lane, mark }) => [lane, mark]);
}

describe('a step of a played schedule', () => {
  test('an answer with a result stands among the deliveries as an answer', async () => {
    expect(await stepsOf(play => play.answered({ key: KEY, delivery: 0 }, 'duplicate'))).toEqual([
      ['deliveries', 'answered'],
    ]);
  });

  test('an answer without a result stands among the deliveries as rejected', async () => {
    expect(await stepsOf(play => play.answered({ key: KEY, delivery: undefined }, 'mismatch'))).toEqual([
      ['deliveries', 'rejected'],
    ]);
  });

  test('a call stands among the calls', async () => {
    expect(await stepsOf(play => play.call(KEY, site('UpdateItem')))).toEqual([['calls', 'step']]);
  });

  test('a call with a fault stands among the calls as a fault', async () => {
    const fault = { call: 1, kind: 'answerLost', seconds: 0 } as const;

    expect(await stepsOf(play => play.call(KEY, site('UpdateItem')), [fault])).toEqual([['calls', 'fault']]);
  });

  test('a charge stands at the provider', async () => {
    expect(await stepsOf(play => play.effect({ key: KEY, amount: AMOUNT }))).toEqual([
      ['provider', 'charged'],
    ]);
  });
});

test('the chart draws only lanes that have a step', () => {
  const { text } = chartOf(
    [{ at: 0, lane: 'deliveries', mark: 'comes', text: 'delivery 1 comes' }],
    'Time axis',
  );

  expect(
    [...text.matchAll(/title="(deliveries|calls|provider|elsewhere)"/g)].map(([, lane]) => lane),
  ).toEqual(['deliveries']);
});
