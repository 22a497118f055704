import { BY_NAME } from '../../../proof/league/contenders/by-name';
import type { Contender } from '../../../proof/league/contenders/contender';
import { FIFO } from '../../../proof/league/contenders/plain';
import { scheduleOf } from '../../../proof/league/schedule';
import { replay } from '../../../proof/league/shorten';

async function failures(contender: Contender, text: string) {
  const schedule = scheduleOf(text);
  if (typeof schedule === 'string') throw new Error(schedule);
  const { outcome } = await replay(contender, schedule);
  const { deliveries, ...counts } = outcome;
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

describe('the execution name, in the league', () => {
  test('a duplicate while the execution runs: answered as started, which says nothing of done', async () => {
    expect(await failures(BY_NAME, 'at=0,0.5')).toEqual({});
  });

  test('a duplicate of one that has failed: the name is taken, and taken for done', async () => {
    expect(await failures(BY_NAME, 'at=0,7200/failures=1')).toEqual({ wrongAnswers: 1, reported: 1 });
  });

  test('another payload: rejected by the name, and taken for the event', async () => {
    expect(await failures(BY_NAME, 'at=0,0.5x')).toEqual({ letThrough: 1 });
  });
});

describe('the deduplication of a FIFO queue, in the league', () => {
  test('another payload: swallowed within five minutes, worked off behind them; let through both times', async () => {
    expect(await failures(FIFO, 'at=0,10x')).toEqual({ letThrough: 1 });
    expect(await failures(FIFO, 'at=0,7200x')).toEqual({ letThrough: 1 });
  });
});
