import { nearestName } from '../../../state-machine/words/nearest-name';

describe('the nearest name', () => {
  test.each([
    ['jsn', 'json'],
    ['jsonn', 'json'],
    ['josn', 'json'],
    ['exec', 'executions'],
    ['execution', 'executions'],
    ['seed', 'seed'],
    ['stat', 'state'],
    ['state', 'state'],
    ['x', undefined],
    ['ab', undefined],
    ['', undefined],
    ['moon', undefined],
    ['seedNumber', 'seed'],
    ['state-machine-arn', 'state-machine'],
    ['seedling-in-spring', undefined],
    // It begins with `state`, and one letter is missing of the longer name.
    ['state-machin-arn', 'state'],
    ['state-machne', 'state-machine'],
  ])('%s: %s', (text, name) => {
    expect(
      nearestName(text, ['events', 'executions', 'json', 'seed', 'state', 'state-machine', 'status']),
    ).toBe(name);
  });
});
