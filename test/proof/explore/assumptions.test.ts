import type { Assumption } from '../../../proof/explore/model/assumptions';
import type { Subject } from '../../../proof/explore/model/subject';
import { ImpossibleStep, replayTrace } from '../../../proof/explore/trace';
import type { VariantName } from '../../../proof/explore/variants/variants';
import { shippedSubject, variantSubject } from './subject';

const BUDGET = { executions: 3, faults: 2, channels: ['direct'] as const };

function subjectOf(name: VariantName | 'default') {
  return name === 'default' ? shippedSubject() : variantSubject(name);
}

describe('what is assumed of AWS', () => {
  test.each<[Assumption, VariantName | 'default', string, string]>([
    [
      'requests-end',
      'recovery',
      'recovered',
      'start1 delay1 limit1:request tell1 recover1 pass wake1 recover1 recover1 late1',
    ],
    [
      'requests-end',
      'fragment-in-turn',
      'oneStepAtATime',
      'start1 start2 do1 do2 abort1 late1 pass do2 do2 do2 do1',
    ],
    [
      'step-ends',
      'default',
      'oneStepAtATime',
      'start1 start2 do1 do1 do2 pass silence1.1 timer1 do1 do2 do2 do2',
    ],
    [
      'client-token',
      'fragment-in-turn',
      'oneStepAtATime',
      'start1 do1 do1 abort1 ends1.1 pass start2 do2 do2 do2 start3 do3 do3 do3 do3 do1 abort1 do2 do1',
    ],
    [
      'owner-visible',
      'fragment-in-turn',
      'noResultIsLost',
      'start1 start2 do1 do1 do2 works1.1 pass do2 stale2:unknown-to-the-last pass timer2 do2 do1 end1',
    ],
  ])(
    '%s, %s: without it %s breaks, and with it this cannot happen or breaks nothing',
    (without, variant, invariant, words) => {
      const schedule = words.split(' ');
      const subject = subjectOf(variant);

      expect(replayTrace({ ...subject, without }, BUDGET, schedule).violation?.invariant).toBe(invariant);
      expect(brokenBy(subject, schedule)).toBeUndefined();
    },
  );
});

/** What a schedule breaks where all is assumed; undefined where it is not possible at all. */
function brokenBy(subject: Subject, schedule: readonly string[]) {
  try {
    return replayTrace(subject, BUDGET, schedule).violation;
  } catch (error) {
    if (error instanceof ImpossibleStep) return undefined;
    throw error;
  }
}
