import { VOLATILE } from '../../../infra/sources/source';
import { canonicalEvent } from '../../../state-machine/dispatcher/dispatcher-states';
import { evaluate206 } from '../../support/evaluate';

const EVENT = {
  version: '0',
  id: 'x',
  time: 't',
  'detail-type': 'T',
  detail: { id: 1, list: [1], none: [] },
};

async function canonical(input: unknown, volatile: readonly string[]): Promise<unknown> {
  const evaluation = await evaluate206(canonicalEvent(volatile), { states: { input } });
  return 'value' in evaluation ? evaluation.value : evaluation;
}

describe('canonicalEvent', () => {
  test.each([
    [
      'an event: without what is volatile, its detail untouched',
      EVENT,
      { version: '0', 'detail-type': 'T', detail: EVENT.detail },
    ],
    [
      'an event out of an archive: as it was the first time',
      { ...EVENT, id: 'y', time: 't2', 'replay-name': 'again' },
      { version: '0', 'detail-type': 'T', detail: EVENT.detail },
    ],
    [
      'a message that is no event: as it came',
      { id: 'x', time: 't', amount: 1 },
      { id: 'x', time: 't', amount: 1 },
    ],
    ['an empty message', {}, {}],
  ])('%s', async (_, input, expected) => {
    expect(await canonical(input, VOLATILE)).toEqual(expected);
  });

  test('nothing volatile: as it came', async () => {
    expect(await canonical(EVENT, [])).toEqual(EVENT);
  });
});
