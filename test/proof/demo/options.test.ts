import { parseOptions } from '../../../proof/demo/options';

describe('the options of the demo', () => {
  test('none: the defaults', () => {
    expect(parseOptions([])).toEqual({
      kind: 'options',
      options: {
        events: 'examples/payments/events.jsonl',
        via: 'events',
        seed: 1,
        concurrency: 32,
        failRate: 0,
        chaos: false,
        deliverOnce: false,
        recoveryBy: 'events',
        provider: 'forgetful',
        assembly: undefined,
        html: undefined,
        console: false,
        json: false,
      },
    });
  });

  test('all of them', () => {
    const args = ['--events', 'x', '--seed', '7', '--concurrency', '1', '--fail-rate', '0.3', '--json'];

    expect(parseOptions([...args, '--via', 'direct', '--chaos', '--assembly', 'cdk.out'])).toEqual({
      kind: 'options',
      options: {
        events: 'x',
        via: 'direct',
        seed: 7,
        concurrency: 1,
        failRate: 0.3,
        chaos: true,
        deliverOnce: false,
        recoveryBy: 'events',
        provider: 'keyed',
        assembly: 'cdk.out',
        html: undefined,
        console: false,
        json: true,
      },
    });
  });

  test('each event once, and steps that fail: rejected, as a failed step is an end', () => {
    expect(parseOptions(['--deliver-once', '--fail-rate', '0.5'])).toEqual({
      kind: 'usage',
      message:
        '--deliver-once and --fail-rate exclude each other, because a failed step would not be redelivered; leave one out',
    });
  });

  test('what starts recovery: only if each event is delivered once', () => {
    expect(parseOptions(['--deliver-once', '--recovery-by', 'search'])).toMatchObject({
      options: { deliverOnce: true, recoveryBy: 'search' },
    });
    expect(parseOptions(['--recovery-by', 'search'])).toEqual({
      kind: 'usage',
      message:
        '--recovery-by has no effect without --deliver-once, because every unfinished order is redelivered; add --deliver-once',
    });
  });

  test('a page to watch: with chaos, whose provider honours the key', () => {
    expect(parseOptions(['--console'])).toMatchObject({
      options: { console: true, chaos: true, provider: 'keyed' },
    });
  });

  test.each([
    [
      '--deliver-once',
      '--console runs in real time, and with --deliver-once recovery takes hours; leave one out',
    ],
    ['--json', '--console serves a page, and --json prints only a document; leave --json out'],
  ])('a page to watch, and %s: rejected with the reason', (option, message) => {
    expect(parseOptions(['--console', option])).toEqual({ kind: 'usage', message });
  });

  test('the provider: as it is given', () => {
    expect(parseOptions(['--chaos', '--provider', 'forgetful'])).toMatchObject({
      options: { provider: 'forgetful' },
    });
    expect(parseOptions(['--provider', 'keyed'])).toMatchObject({ options: { provider: 'keyed' } });
  });

  test.each([['--help'], ['-h']])('%s: help', option => {
    expect(parseOptions([option])).toEqual({ kind: 'help' });
  });

  test.each([
    [['--concurrency', '0'], '--concurrency must be a whole number from 1 to 1000; got "0"'],
    [['--concurrency', '1.5'], '--concurrency must be'],
    [['--concurrency='], '--concurrency must be'],
    [['--seed', 'x'], '--seed must be a whole number from 0; got "x"'],
    [['--seed=-1'], '--seed must be'],
    [['--fail-rate', '1'], '--fail-rate must be a number from 0 to below 1'],
    [['--fail-rate', 'NaN'], '--fail-rate must be'],
    [['--via', 'mail'], '--via must be one of events, queue, direct, code; got "mail"'],
    [['--via', 'toString'], '--via must be one of'],
    [['--chao'], 'unknown option --chao; did you mean --chaos?'],
    [['file'], 'unexpected argument "file"'],
    [['--events'], '--events needs a value: a file'],
  ])('%j: says what is wrong', (args, message) => {
    expect(parseOptions(args)).toEqual({ kind: 'usage', message: expect.stringContaining(message) });
  });
});
