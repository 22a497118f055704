import { dev } from '../../../cli/commands/dev';

describe('the options of onceflow dev', () => {
  const NONE = {
    port: 8083,
    state: undefined,
    app: undefined,
    assembly: undefined,
    watch: false,
    stop: [],
    parameter: [],
    function: [],
    json: false,
  };

  test('none: the default port, the app of cdk.json, memory', () => {
    expect(dev.read([], {})?.wanted).toEqual(NONE);
  });

  test.each([
    [
      ['--port', '0', '--state', 'd', '--assembly', 'a', '--json'],
      { port: 0, state: 'd', assembly: 'a', json: true },
    ],
    [
      ['--state', 'd', '--keep', '7', '--stop', 'a', '--stop', 'b'],
      { state: 'd', keep: 7, stop: ['a', 'b'] },
    ],
    [
      ['--template', 't.json', '--step', 's.js', '--parameter', 'A=1', '--parameter', 'B=2'],
      { template: 't.json', step: 's.js', parameter: ['A=1', 'B=2'] },
    ],
    [
      ['--app', 'a', '--parameter', '/shop/url=u', '--function', 'Shop/Charge=./charge.js'],
      { app: 'a', parameter: ['/shop/url=u'], function: ['Shop/Charge=./charge.js'] },
    ],
    [['--app', 'npx tsx app.ts', '--watch'], { app: 'npx tsx app.ts', watch: true }],
  ])('%j: taken', (args, expected) => {
    expect(dev.read(args, {})?.wanted).toEqual({ ...NONE, ...expected });
  });

  test.each([['--help'], ['-h']])('%s: help', option => {
    expect(dev.read([option], {})).toBeUndefined();
  });

  test.each([
    [['--port', '65536'], '--port must be a whole number from 0 to 65535; got "65536"'],
    [['--port', '80.5'], '--port must be'],
    [['--port', '-1'], '--port must be a whole number from 0 to 65535; got "-1"'],
    [['--state', '-x'], '--state needs a value. If the value begins with a dash, write --state=VALUE'],
    [['--port', '1e3'], '--port must be'],
    [['--port='], '--port must be'],
    [['--state='], '--state must be a directory; got ""'],
    [['--assembly='], '--assembly must be a directory; got ""'],
    [['--keep', '0'], '--keep must be a whole number from 1; got "0"'],
    [['--stop', 'a'], '--stop needs --state DIR'],
    [['--state'], '--state'],
    [['--state', '--json'], '--state needs a value'],
    [['--unknown'], 'unknown option --unknown'],
    [['--wath'], 'unknown option --wath; did you mean --watch?'],
    [['dir'], 'unexpected argument "dir"'],
    [['--app='], '--app must be a command; got ""'],
    [['--app', 'a', '--assembly', 'b'], '--app and --assembly both select'],
    [['--assembly', 'b', '--watch'], '--watch needs an app'],
    [['--template', 't', '--watch'], '--watch needs an app, and --template replaces it'],
    [['--template', 't', '--assembly', 'b'], '--assembly and --template both select'],
    [['--step', 's.js'], '--step needs --template'],
  ])('%j: says what is wrong', (args, message) => {
    expect(() => dev.read(args, {})).toThrow(
      expect.objectContaining({ name: 'Rejection', code: 2, message: expect.stringContaining(message) }),
    );
  });
});
