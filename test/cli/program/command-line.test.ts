import { readCommandLine } from '../../../cli/program/command-line';
import {
  decimal,
  flag,
  oneOf,
  optionHelp,
  repeatable,
  text,
  wholeNumber,
} from '../../../cli/program/options';

const TABLE = {
  file: text({ valueName: 'FILE', help: 'what is read', takes: 'a file', byDefault: 'a.txt' }),
  size: wholeNumber({ valueName: 'N', help: 'how much of it', from: 1, to: 10, byDefault: undefined }),
  rate: decimal({
    valueName: 'R',
    help: 'how often',
    takes: 'a number above 0',
    byDefault: 1,
    isRight: value => value > 0,
  }),
  color: oneOf({ valueName: 'C', help: 'how it looks', words: ['red', 'blue'], byDefault: 'red' }),
  tag: repeatable(text({ valueName: 'T', help: 'words', takes: 'a word', byDefault: undefined }), []),
  json: flag('one JSON object'),
};

const read = (line: string, positional?: string) =>
  readCommandLine(line === '' ? [] : line.split(' '), TABLE, positional === undefined ? {} : { positional });

describe('a command line', () => {
  test('nothing: the defaults, none of them given', () => {
    expect(read('')).toEqual({
      kind: 'options',
      options: {
        values: { file: 'a.txt', size: undefined, rate: 1, color: 'red', tag: [], json: false },
        given: new Set(),
        positionals: [],
      },
    });
  });

  test('all options, in both ways to write them: typed values', () => {
    const parsed = read(
      'x --file=-b --size 10 --rate=0.5 --color blue --tag a --tag b --json -- --y',
      'place',
    );

    expect(parsed).toEqual({
      kind: 'options',
      options: {
        values: { file: '-b', size: 10, rate: 0.5, color: 'blue', tag: ['a', 'b'], json: true },
        given: new Set(['file', 'size', 'rate', 'color', 'tag', 'json']),
        positionals: ['x', '--y'],
      },
    });
  });

  test('a dash alone, as for stdin: a value', () => {
    expect(read('--file -')).toMatchObject({ options: { values: { file: '-' } } });
  });

  test.each(['--help', '-h', '--size x --help', '--what --help'])('%s: help', line => {
    expect(read(line)).toEqual({ kind: 'help' });
  });

  test.each([
    ['--jsn', 'unknown option --jsn; did you mean --json?'],
    ['-color red', 'unknown option -color; did you mean --color?'],
    ['-x', 'unknown option -x'],
    ['--col red', 'unknown option --col; did you mean --color?'],
    ['--hlep', 'unknown option --hlep; did you mean --help?'],
    ['--moon', 'unknown option --moon'],
    ['--toString', 'unknown option --toString'],
    ['-x', 'unknown option -x'],
    ['--file', '--file needs a value: a file'],
    ['--file=', '--file must be a file; got ""'],
    ['--file --json', '--file needs a value. If the value begins with a dash, write --file=VALUE'],
    ['--size -1', '--size must be a whole number from 1 to 10; got "-1"'],
    ['--size 1.5', '--size must be a whole number from 1 to 10; got "1.5"'],
    ['--size 0x5', '--size must be a whole number from 1 to 10; got "0x5"'],
    ['--rate 0', '--rate must be a number above 0; got "0"'],
    ['--rate=', '--rate must be a number above 0; got ""'],
    ['--color green', '--color must be one of red, blue; got "green"'],
    ['--json=yes', '--json does not take a value; got "yes"'],
    ['--size 1 --size 2', '--size can be given only once; got "1" and "2"'],
    ['--tag a --tag=', '--tag must be a word; got "a" and ""'],
    ['a', 'unexpected argument "a"'],
  ])('%s: says what is wrong', (line, message) => {
    expect(read(line)).toEqual({ kind: 'usage', message });
  });

  test('a positional that begins with a dash: says how it is written', () => {
    const message = 'unknown option --zzzz; if a key begins with a dash, put it last, after --';

    expect(read('--zzzz', 'key')).toEqual({ kind: 'usage', message });
    expect(read('a --zzzz', 'key')).toEqual({ kind: 'usage', message: 'unknown option --zzzz' });
  });

  test('a flag twice: the same as once', () => {
    expect(read('--json --json')).toMatchObject({ options: { values: { json: true } } });
  });
});

describe('the help of options', () => {
  test('aligned, with --help last', () => {
    expect(optionHelp({ file: TABLE.file, json: TABLE.json })).toBe(
      '  --file FILE  what is read\n  --json       one JSON object\n  --help       this text\n',
    );
  });

  test('a long text: filled, below its first line', () => {
    const help = 'word '.repeat(40).trim();

    const [first = '', second = '', third] = optionHelp({ json: flag(help) }).split('\n');
    expect(first.length).toBeLessThanOrEqual(118);
    expect(second).toMatch(/^ {10}word/);
    expect(third).toBe('  --help  this text');
    expect(`${first}${second}`.match(/word/g)).toHaveLength(40);
  });
});
