import { VOLATILE } from '../../../infra/sources/volatile-members';
import { canonicalEvent } from '../../../state-machine/dispatcher/dispatcher-states';
import { evaluate206 } from '../../support/evaluate';
import { goldenDefinitions } from '../../support/golden';

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

test('no catcher evaluates the key, which may meet a limit of the service there: nothing would keep the event', () => {
  const dispatchers = goldenDefinitions().filter(([file]) => file.startsWith('dispatcher'));
  const caught = dispatchers.map(([, definition]) => JSON.stringify(catchersIn(definition)));

  expect(caught).toHaveLength(6);
  expect(caught.filter(text => /\$id :=|\$part :=|\$lines :=/.test(text))).toEqual([]);
});

function catchersIn(definition: unknown): readonly unknown[] {
  const { States } = definition as {
    readonly States: Readonly<Record<string, { readonly Catch?: unknown }>>;
  };
  return Object.values(States).flatMap(({ Catch = [] }) => Catch);
}
