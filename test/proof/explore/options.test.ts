import { parseOptions } from '../../../proof/explore/options';

describe('parseOptions', () => {
  test('nothing: two deliveries, two faults, started directly', () => {
    expect(parseOptions([])).toMatchObject({
      kind: 'options',
      options: { executions: 2, faults: 2, channels: ['direct'], mutations: false, json: false },
    });
  });

  test('states that differ only by which delivery is which: one state, unless the option distinguishes them', () => {
    expect(parseOptions([])).toMatchObject({ options: { symmetry: true } });
    expect(parseOptions(['--tell-apart'])).toMatchObject({ options: { symmetry: false } });
  });

  test('schedule: its steps', () => {
    expect(parseOptions(['--replay', ' start1  do1 '])).toMatchObject({
      options: { replay: ['start1', 'do1'] },
    });
  });

  test('random: seed and minutes', () => {
    expect(parseOptions(['--random', '--seed', '7', '--minutes', '0.5'])).toMatchObject({
      options: { random: { seed: 7, minutes: 0.5 } },
    });
  });

  test.each([
    [['--executions', '0'], '--executions must be a whole number from 1 to 6; got "0"'],
    [['--faults', 'x'], '--faults must be a whole number from 0 to 6; got "x"'],
    [['--faults', ''], '--faults must be a whole number from 0 to 6; got ""'],
    [['--minutes', '0'], '--minutes must be a number above 0; got "0"'],
    [['--start', 'queue'], '--start must be one of direct, dispatcher, both; got "queue"'],
    [['--replay', ' '], '--replay must be steps, separated by spaces; got " "'],
    [['--html', 'x.html'], '--html needs --replay'],
    [['--only', 'x'], '--only needs --mutations or --replay'],
    [['--seed', '3'], '--seed needs --random'],
    [['--minutes', '3'], '--minutes needs --random'],
    [
      ['--mutations', '--faults', '3'],
      '--mutations has deliveries and faults of its own; leave --faults out',
    ],
    [['--mutations', '--replay', 'start1'], '--replay shows one interleaving; name its mutation with --only'],
    [
      ['--random', '--mutations'],
      '--random walks through the definition as it is; leave --mutations, --only and --replay out',
    ],
    [
      ['--random', '--executions', '3'],
      '--random has deliveries and faults of its own; leave --executions out',
    ],
    [['--tell-apart', '--random'], '--random already distinguishes deliveries; leave --tell-apart out'],
    [['--resume', 'x', '--mutations'], '--resume is for one exploration; leave --mutations out'],
    [['--recovery', 'x.json'], '--recovery needs --definition'],
    [['--definition', 'x.json', '--start', 'both'], '--definition has no dispatcher; leave --start out'],
  ])('%j: usage', (args, message) => {
    expect(parseOptions(args)).toEqual({ kind: 'usage', message });
  });
});
