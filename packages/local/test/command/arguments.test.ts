import { readArguments } from '../../command/arguments';

describe('wrong arguments', () => {
  test.each<[readonly string[], string]>([
    [['sevre', 'a'], 'there is no command sevre; did you mean `serve`?'],
    [['a.json'], 'there is no command a.json; did you mean `serve a.json`, `run a.json`, `explore a.json`?'],
    [['--json', 'explore', 'a'], '`explore` comes before its options'],
    [['explroe', 'a'], 'there is no command explroe; did you mean `explore`?'],
    [['--prot', '1'], 'unknown option --prot; did you mean --port?'],
    [['-x'], 'unknown option -x'],
    [['--port'], '--port needs a value; if the value begins with a dash, write --port=VALUE'],
    [['--port', '-1'], '--port needs a value; if the value begins with a dash, write --port=VALUE'],
    [['--port=-1'], '--port must be a whole number from 0, which is any that is free, to 65535; got -1'],
    [['--port', 'NaN'], '--port must be a whole number from 0, which is any that is free, to 65535; got NaN'],
    [
      ['--port', '65536'],
      '--port must be a whole number from 0, which is any that is free, to 65535; got 65536',
    ],
    [['--port', '1', '--port', '2'], '--port can be given only once'],
    [['--json=yes'], '--json does not take a value'],
    [['run', ''], 'a source must not be an empty text; write . for this directory'],
    [
      ['serve', 'a', '--parameter', 'a=1', '--parameter', 'a=2'],
      '--parameter has a twice; pass it only once',
    ],
    [['serve', 'a', '--parameter', '=1'], '--parameter must be NAME=VALUE; got "=1"'],
    [
      ['run', 'a', '--function', 'Charge= '],
      '--function Charge needs a target: a URL, a module or a command',
    ],
    [['run', 'a', '--case', 'Busy'], '--case needs --mocks FILE, which has the test cases'],
    ...['input', 'machine', 'mocks', 'case', 'parameter', 'function', 'port', 'state'].map(
      (name): [readonly string[], string] => [[`--${name}`, ''], `--${name} must not be an empty text`],
    ),
  ])('%j are rejected in our own words', (given, message) => {
    expect(() => readArguments(given)).toThrow(message);
  });

  test('no message is one of Node', () => {
    const wrong = [['--port', '--json'], ['--input', '-x'], ['--=1'], ['-'], ['--json=']];

    for (const given of wrong) expect(() => readArguments(given)).not.toThrow(/ambiguous|specify|positional/);
  });
});
