import { nearestName } from '../../../state-machine/words/nearest-name';

describe('the nearest name', () => {
  test.each([
    ['jsn', 'json'],
    ['jsonn', 'json'],
    ['josn', 'json'],
    ['exec', 'executions'],
    ['execution', 'executions'],
    ['seed', 'seed'],
    ['stat', 'status'],
    ['state', 'state-machine'],
    ['x', undefined],
    ['ab', undefined],
    ['', undefined],
    ['moon', undefined],
    ['seedNumber', 'seed'],
    ['state-machine-arn', 'state-machine'],
    ['seedling-in-spring', undefined],
  ])('%s: %s', (text, name) => {
    expect(nearestName(text, ['events', 'executions', 'json', 'seed', 'state-machine', 'status'])).toBe(name);
  });
});
