import { parseOptions } from '../../../cli/dev/options';

describe('the options of npm start', () => {
  test('none: the default port, the reference app, memory', () => {
    expect(parseOptions([])).toEqual({
      kind: 'options',
      options: { port: 8083, state: undefined, assembly: undefined, json: false },
    });
  });

  test('all of them', () => {
    expect(parseOptions(['--port', '0', '--state', 'd', '--assembly', 'a', '--json'])).toEqual({
      kind: 'options',
      options: { port: 0, state: 'd', assembly: 'a', json: true },
    });
  });

  test.each([['--help'], ['-h']])('%s: help', option => {
    expect(parseOptions([option])).toEqual({ kind: 'help' });
  });

  test.each([
    [['--port', '65536'], '--port takes a whole number from 0 to 65535; got "65536"'],
    [['--port', '80.5'], '--port takes'],
    [['--port', '-1'], '--port takes a whole number from 0 to 65535; got "-1"'],
    [['--state', '-x'], '--state has no value; one that begins with a dash is written --state=VALUE'],
    [['--port', '1e3'], '--port takes'],
    [['--port='], '--port takes'],
    [['--state='], '--state takes a directory; got ""'],
    [['--assembly='], '--assembly takes a directory; got ""'],
    [['--state'], '--state'],
    [['--state', '--json'], '--state has no value'],
    [['--unknown'], "Unknown option '--unknown'"],
    [['dir'], "Unexpected argument 'dir'"],
  ])('%j: says what is wrong', (args, message) => {
    expect(parseOptions(args)).toEqual({ kind: 'usage', message: expect.stringContaining(message) });
  });
});
