import { GUARDS as NAMES } from '../../../proof/specification/checker';
import { GUARDS } from '../../../proof/specification/guards';
import { translated } from '../../../proof/specification/translate';

test('the guards: each that the specification has is tried, and no other', () => {
  expect(GUARDS.map(({ name }) => name)).toEqual(NAMES);
});

describe('a schedule of the exploration', () => {
  test('a lost answer: the request is given up, and comes at once', () => {
    expect(translated(['start1', 'lose1'])).toEqual([
      ['START', 1],
      ['LOSE', 1],
      ['LATE', 1],
    ]);
  });

  test('an execution that recovery has started: it comes behind the deliveries', () => {
    expect(translated(['start1', 'do2', 'start2', 'do3'])).toEqual([
      ['START', 1],
      ['DO', 4],
      ['START', 2],
      ['DO', 2],
    ]);
  });

  test('a read whose answer comes late: one step', () => {
    expect(translated(['slow-recovery1', 'start1', 'recover1', 'recover1'])).toEqual([
      ['RECOVER', 1],
      ['START', 1],
      ['RECOVER', 1],
    ]);
  });

  test.each([
    ['send1', 'the dispatcher'],
    ['do1b', 'fragments'],
    ['restart1', 'Express workflows'],
    ['another', 'records of another workflow'],
    ['put1', '"put1"'],
  ])('%s, which the specification does not have: said by name', (step, leftOut) => {
    expect(translated([step])).toEqual({ leftOut });
  });
});
