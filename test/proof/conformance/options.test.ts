import { parseOptions } from '../../../proof/conformance/options';

describe('the command line', () => {
  test.each<[string, readonly string[], object]>([
    [
      'a place: everything in it',
      ['dir'],
      { kind: 'options', options: { place: 'dir', filter: '', json: false } },
    ],
    [
      'all options',
      ['dir', '--filter', 'map', '--json'],
      { options: { place: 'dir', filter: 'map', json: true } },
    ],
    ['help', ['--help'], { kind: 'help' }],
    ['no place: usage', [], { kind: 'usage', message: 'name a folder of cases, or one case' }],
    ['two places: usage', ['a', 'b'], { kind: 'usage', message: 'one place at a time; got also b' }],
    [
      'an unknown option: usage',
      ['dir', '--fast'],
      { kind: 'usage', message: expect.stringContaining('--fast') },
    ],
  ])('%s', (_title, args, parsed) => {
    expect(parseOptions(args)).toMatchObject(parsed);
  });
});
