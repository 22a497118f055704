import { parseOptions } from '../../../proof/conformance/options';

describe('the command line', () => {
  test.each<[string, readonly string[], object]>([
    [
      'a path: everything in it',
      ['dir'],
      { kind: 'options', options: { path: 'dir', filter: '', json: false } },
    ],
    [
      'all options',
      ['dir', '--filter', 'map', '--json'],
      { options: { path: 'dir', filter: 'map', json: true } },
    ],
    ['help', ['--help'], { kind: 'help' }],
    [
      'no path: usage, with the path of what is at hand',
      [],
      {
        kind: 'usage',
        message: 'which cases? Pass a folder of cases, or one case, such as test/proof/conformance/cases',
      },
    ],
    ['two paths: usage', ['a', 'b'], { kind: 'usage', message: 'pass only one path; got also b' }],
    [
      'an unknown option: usage',
      ['dir', '--fast'],
      {
        kind: 'usage',
        message: 'unknown option --fast',
      },
    ],
  ])('%s', (_title, args, parsed) => {
    expect(parseOptions(args)).toMatchObject(parsed);
  });
});
