import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { visitsIn } from '../../../cli/key/history';
import { timelineOf } from '../../../cli/timeline/timeline';
import { FORMER_NAMES } from '../../../state-machine/contract/state-names';

const ME = 'arn:aws:states:us-east-1:111111111111:execution:M:order-7';

/** A history of stays in these states, each with what it remembered when it was left. */
function history(...stays: readonly [name: string, variables?: object][]): HistoryEvent[] {
  return stays.flatMap(([name, variables = {}], index) => {
    const at = { id: 2 * index + 1, timestamp: new Date(Date.UTC(2026, 10, 20, 9, 0, index)) };
    const assignedVariables = Object.fromEntries(
      Object.entries(variables).map(([variable, value]) => [variable, JSON.stringify(value)]),
    );
    return [
      { ...at, type: 'TaskStateEntered', stateEnteredEventDetails: { name } },
      { ...at, type: 'TaskStateExited', stateExitedEventDetails: { name, output: '{}', assignedVariables } },
    ];
  });
}

describe('a history from before states were renamed', () => {
  const record = { status: { S: 'IN_PROGRESS' }, owner: { S: `${ME}-2` }, attempt: { N: '1' } };
  const texts = (judged: string, parked: string) =>
    timelineOf(history(['Read record', { record }], [judged], [parked]), ME, '').map(({ text }) => text);

  test('its timeline: the one of today', () => {
    const today = texts('What does the record say?', 'Finalize: owner in doubt');

    expect(today.at(-1)).toContain('wrote that the record is held for review');
    expect(texts('Judge record', 'Park the record')).toEqual(today);
  });

  test.each(Object.entries(FORMER_NAMES))(
    '%s, which is "%s" now: a state of the workflow',
    (former, name) => {
      expect(visitsIn(history([`Pay: ${former}`]), 'Pay: ')).toMatchObject([{ name, isOurs: true }]);
    },
  );
});
