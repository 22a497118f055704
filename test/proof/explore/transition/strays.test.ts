import { replayTrace } from '../../../../proof/explore/trace';
import { shippedSubject } from '../subject';

const BUDGET = { executions: 2, faults: 2, channels: ['direct'] as const };

function last(schedule: string) {
  return replayTrace(shippedSubject(), BUDGET, schedule.split(' ')).trace.at(-1);
}

describe('a request without a caller that waits', () => {
  test('comes: the record is claimed', () => {
    expect(last('start1 abort1 late1')?.record).toBe('IN_PROGRESS of direct-1, attempt 1');
  });

  test('never comes: nothing is claimed', () => {
    expect(last('start1 abort1 never1')?.record).toBe('absent');
  });

  test('its execution has ended: does not come when the grace is over', () => {
    expect(() => last('start1 abort1 pass late1')).toThrow('cannot happen: late1.');
  });

  test('its execution goes on: may come just when something else is due', () => {
    const ended = 'start1 do1 do1 silence1.1 ends1.1 start2 delay2 do2 do2';

    expect(last(`${ended} pass late2`)).toMatchObject({
      record: 'IN_PROGRESS of direct-1, attempt 1',
      executions: 'E1 in Business step; E2 FAILED, Idempotency.InProgress',
    });
    expect(() => last(`${ended} pass timer1 never2 do1 late2`)).toThrow('cannot happen: late2.');
  });
});
