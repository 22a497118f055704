import { chartOf, stepsOf } from '../../../proof/league/told';

describe('a step of a schedule, in its chart', () => {
  test.each([
    ['delivery 2 comes, with another payload', 'deliveries', 'comes'],
    ['delivery 1 is answered: duplicate charge-1', 'deliveries', 'answered'],
    ['the event beside is answered: refused', 'deliveries', 'refused'],
    ['call 3: UpdateItem', 'calls', 'step'],
    ['call 3: UpdateItem: carried out, and its answer is lost', 'calls', 'fault'],
    ['call 2: the business effect: the process stands still before it for 1800 s', 'calls', 'fault'],
    ['order-1-beside-1: the provider charges 100: charge-1', 'provider', 'charged'],
    ['the process that stood still goes on', 'calls', 'step'],
    ['DynamoDB has deleted the expired item', 'elsewhere', 'step'],
  ])('%s: in the lane of %s, as %s', (text, lane, mark) => {
    expect(stepsOf([{ at: 0, text }])).toEqual([{ at: 0, text, lane, mark }]);
  });

  test('only lanes that have a step are drawn', () => {
    const { text } = chartOf([{ at: 0, text: 'delivery 1 comes' }], 'Time axis');

    expect(
      [...text.matchAll(/title="(deliveries|calls|provider|elsewhere)"/g)].map(([, lane]) => lane),
    ).toEqual(['deliveries']);
  });
});
