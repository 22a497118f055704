import type { Assumption } from '../../../proof/explore/model/assumptions';
import { ImpossibleStep, replayTrace } from '../../../proof/explore/trace';
import { shippedSubject } from './subject';

const BUDGET = { executions: 3, faults: 2, channels: ['direct'] as const };

function without(assumption: Assumption) {
  return { ...shippedSubject(), without: assumption };
}

describe('what is assumed of AWS', () => {
  test.each<[Assumption, string, string]>([
    ['requests-end', 'oneStepAtATime', 'start1 start2 do1 do2 abort1 late1 pass do2 do2 do2 do1'],
    ['step-ends', 'oneStepAtATime', 'start1 start2 do1 do1 do2 abort1 pass do2 do2 do2 do1'],
    [
      'client-token',
      'oneStepAtATime',
      'start1 do1 do1 abort1 ends1.1 pass start2 do2 do2 do2 start3 do3 do3 do3 do3 do1 abort1 do2 do1',
    ],
    [
      'owner-visible',
      'stepIsToldWhatIs',
      'start1 start2 lose1 do2 pass do2 stale2:unknown-to-the-last pass do1 timer2 do2 do1',
    ],
  ])(
    '%s: without it %s breaks, and with it this cannot happen or breaks nothing',
    (name, invariant, words) => {
      const schedule = words.split(' ');

      expect(replayTrace(without(name), BUDGET, schedule).violation?.invariant).toBe(invariant);
      expect(brokenBy(schedule)).toBeUndefined();
    },
  );
});

/** What a schedule breaks where all is assumed; undefined where it is not possible at all. */
function brokenBy(schedule: readonly string[]) {
  try {
    return replayTrace(shippedSubject(), BUDGET, schedule).violation;
  } catch (error) {
    if (error instanceof ImpossibleStep) return undefined;
    throw error;
  }
}
