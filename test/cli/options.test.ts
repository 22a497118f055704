import { readArguments, withHelpAsOption } from '../../cli/commands/registry';
import { sha256 } from '../../state-machine/contract/sha256';

const DAY_MS = 24 * 3_600_000;
const parse = (line: string, env: NodeJS.ProcessEnv = {}) => wantedBy(line.split(' '), env);

function wantedBy(args: readonly string[], env: NodeJS.ProcessEnv = {}): unknown {
  const asked = readArguments(args, env);
  return asked.kind === 'task' ? asked.task.wanted : asked;
}

function usageOf(args: readonly string[]): string {
  try {
    wantedBy(args);
  } catch (error) {
    expect(error).toMatchObject({ name: 'Rejection', code: 2 });
    return (error as Error).message;
  }
  throw new Error('no usage error');
}

/** A key of 401 characters in its record. */
const SHORTENED = `${'x'.repeat(400)}${sha256('x'.repeat(401))}`;

describe('the command line', () => {
  test('show: the defaults', () => {
    expect(parse('show order-7')).toEqual({
      command: {
        isMarkdown: false,
        key: { value: 'order-7', text: 'order-7', form: 'text', typed: ['order-7'] },
        range: { since: { ago: 7 * DAY_MS }, until: undefined },
        limit: 0,
      },
      common: {
        target: { endpoint: undefined, region: undefined },
        selector: { stateMachine: undefined, stack: undefined, scope: undefined },
        overrides: { table: undefined, scope: undefined, stepTimeoutMs: undefined },
      },
    });
  });

  test.each([
    ['a text', 'show 4711', '4711'],
    ['a number', 'show 4711 --number', '#4711'],
    ['a number below zero', 'show --number -5', '#-5'],
    ['parts, one of them below zero', 'show -5 shop-1 --number', '#-5,shop-1'],
    ['as the record has it', 'show long:abc --recorded', 'long:abc'],
    ['a long key as the record has it', `show ${SHORTENED} --recorded`, SHORTENED],
    ['the parts of a composite', 'show shop-1 4711', 'shop-1,4711'],
    ['the same, with a number', 'show shop-1 4711 --number', 'shop-1,#4711'],
    ['a composite as JSON', 'show --json-key ["shop-1",4711]', 'shop-1,#4711'],
    ['a text that looks like an option', 'show -- --order', '--order'],
  ])('a key: %s', (_, line, text) => {
    expect(parse(line)).toMatchObject({ command: { key: { text } } });
  });

  test('in bulk: the criteria, how many, how fast, and whether the command asks', () => {
    expect(
      parse('redrive --failed --since 2h --error CardDeclined --per-second 20 --limit 7 --yes'),
    ).toMatchObject({
      command: {
        failed: {
          range: { since: { ago: 7_200_000 }, until: undefined },
          error: 'CardDeclined',
          limit: 7,
          perSecond: 20,
          isConfirmed: true,
        },
      },
    });
    expect(parse('redrive --failed')).toMatchObject({
      command: {
        failed: {
          range: { since: { ago: DAY_MS } },
          error: undefined,
          limit: 10_000,
          perSecond: 5,
          isConfirmed: false,
        },
      },
    });
    expect(parse('resend orders-dead')).toMatchObject({
      command: { queue: 'orders-dead', limit: 10_000, perSecond: 5, isConfirmed: false },
    });
    expect(parse('list --unfinished --error E')).toMatchObject({
      command: { error: 'E', isUnfinished: true, isRejected: false, range: {} },
    });
    expect(parse('list --by hour --since 2026-11-20 --until 1h')).toMatchObject({
      command: {
        by: 'hour',
        isRejected: true,
        range: { since: { at: Date.UTC(2026, 10, 20) }, until: { ago: 3_600_000 } },
      },
    });
  });

  test('result: printed, to a file, or as a URL that can be used for a while', () => {
    const command = { output: undefined, presignSeconds: undefined };

    expect(parse('result order-7')).toMatchObject({ command });
    expect(parse('result order-7 --output r.json')).toMatchObject({
      command: { ...command, output: 'r.json' },
    });
    expect(parse('result order-7 --presign')).toMatchObject({ command: { ...command, presignSeconds: 900 } });
    expect(parse('result order-7 --presign --expires-in 7d')).toMatchObject({
      command: { presignSeconds: 604_800 },
    });
  });

  test.each(['--version', '-V'])('%s: asks for the version', option => {
    expect(parse(option)).toEqual({ kind: 'version' });
  });

  test('the environment says where, the command line says it louder', () => {
    const env = { ONCEFLOW_STATE_MACHINE: 'arn:env', ONCEFLOW_TABLE: 'T', ONCEFLOW_SCOPE: 'S' };

    expect(parse('list', env)).toMatchObject({
      common: { selector: { stateMachine: 'arn:env' }, overrides: { table: 'T', scope: 'S' } },
    });
    expect(parse('list --state-machine M --table U', env)).toMatchObject({
      common: { selector: { stateMachine: 'M' }, overrides: { table: 'U', scope: 'S' } },
    });
    expect(parse('list --stack Payments', env)).toMatchObject({
      common: { selector: { stateMachine: undefined, stack: 'Payments' } },
    });
  });

  test('list, release, start, redrive, stop: their own options', () => {
    expect(parse('list --status FAILED --older-than 1h --limit 5')).toMatchObject({
      command: { statuses: ['FAILED'], range: { until: { ago: 3_600_000 } }, limit: 5 },
    });
    expect(parse('release k --yes --force --delete --step-timeout 90s')).toMatchObject({
      command: { isConfirmed: true, isForced: true, isDeleted: true },
      common: { overrides: { stepTimeoutMs: 90_000 } },
    });
    expect(parse('start k --input - --wait 30s')).toMatchObject({ command: { input: '-', waitMs: 30_000 } });
    expect(parse('redrive k --force')).toMatchObject({ command: { isForced: true } });
    expect(parse('stop k')).toMatchObject({ command: { subject: { key: { text: 'k' } }, isForGood: false } });
    expect(parse('stop k --for-good')).toMatchObject({ command: { isForGood: true } });
    const executionArn = 'arn:aws:states:us-east-1:111111111111:execution:m:e';
    expect(parse(`stop ${executionArn}`)).toMatchObject({ command: { subject: { executionArn } } });
  });

  test.each([
    ['--status FAILED', ['FAILED']],
    ['--status IN_PROGRESS --status FAILED', ['IN_PROGRESS', 'FAILED']],
    ['--status FAILED,COMPLETED --status FAILED', ['FAILED', 'COMPLETED']],
    ['--status failed,in-progress', ['FAILED', 'IN_PROGRESS']],
    ['', ['IN_PROGRESS', 'HELD', 'FAILED', 'RELEASED', 'RELEASING']],
  ])('list %s: all of them', (line, statuses) => {
    expect(wantedBy(['list', ...line.split(' ').filter(arg => arg !== '')])).toMatchObject({
      command: { statuses },
    });
  });

  test.each(['release k', 'redrive k', 'start k --input -'])('%s --yes: taken by what writes', line => {
    expect(parse(`${line} --yes`)).toMatchObject({ command: { key: { text: 'k' } } });
  });

  test.each([['--help'], ['-h'], ['help'], ['show --help'], ['release -h']])('%s: help', line => {
    expect(parse(line)).toMatchObject({ kind: 'help', text: expect.stringContaining('Examples:') });
  });

  test.each([
    ['help show', 'show --help'],
    ['help dev', 'dev --help'],
    ['help help', 'help help'],
    ['help --json', 'help --json'],
    ['help', 'help'],
    ['show help', 'show help'],
  ])('%s: as %s', (line, same) => {
    expect(withHelpAsOption(line.split(' '))).toEqual(same.split(' '));
  });

  test.each([
    [
      [],
      'which command? Pass one of show, result, list, health, cost, release, complete, send, start, redrive, redeliver, resend, stop',
    ],
    [['free', 'k'], 'there is no command free. The commands are show'],
    [['shw', 'k'], 'there is no command shw; did you mean show? The commands are show, result, list'],
    [['--json', 'show'], 'the command must come first, before --json'],
    [['show'], 'which key? Pass KEY, or --json-key'],
    [['list', 'a'], 'list does not take a key'],
    [['show', ''], 'a key must be a non-empty text'],
    [['show', 'x', '--number'], '--number needs a whole number as KEY; got "x"'],
    [['show', '9007199254740993', '--number'], 'a whole number within'],
    [['show', '--json-key', '{'], '--json-key must be JSON'],
    [['show', '--json-key', '{"a":1}'], 'a key must be a non-empty text'],
    [['show', '', '--recorded'], 'the key of a record has 1 to 400 characters'],
    [['show', 'x'.repeat(401), '--recorded'], 'pass a longer key without --recorded'],
    [['show', '5', '--number', '--recorded'], 'already shows that it is a number'],
    [['start', 'k', '--input', '-', '--recorded'], 'unknown option --recorded'],
    [['show', 'k', '--jsn'], 'unknown option --jsn; did you mean --json?'],
    [['show', '--order'], 'unknown option --order; if a key begins with a dash, put it last, after --'],
    [['show', 'a', '--since', '99999d'], 'a length of time such as 90s, 5m, 1h or 7d, or a time such as'],
    [['show', 'a', '--json-key', '"a"'], 'pass only one of them'],
    [['show', 'a', '--since', 'yesterday'], '--since must be a length of time such as 90s'],
    [['show', 'a', '--limit', '-1'], '--limit must be a whole number from 0 to 10000000; got "-1"'],
    [['show', '5', '--number', '--limit', '-1'], '--limit must be a whole number from 0'],
    [['show', 'a', '--limit', '1', '--limit', '2'], '--limit can be given only once; got "1" and "2"'],
    [['show', 'a', '--limit', '1.5'], '--limit must be a whole number from 0'],
    [['show', 'a', '--yes'], 'unknown option --yes'],
    [
      ['list', '--status', 'FAILED', '--status', 'DONE'],
      '--status must be one or more of IN_PROGRESS, HELD, FAILED, RELEASED, COMPLETED, RELEASING; got "FAILED" and "DONE"',
    ],
    [['list', '--until', '2h', '--older-than', '1h'], 'pass only one of them'],
    [['list', '--by', 'day'], '--by must be one of error, hour'],
    [['redrive', '--failed', 'k'], 'redrive takes either a key or --failed'],
    [['redrive', 'k', '--since', '2h'], '--since needs --failed'],
    [['redrive', '--failed', '--force'], '--force works on one key only'],
    [['redrive', '--failed', '--per-second', '0'], '--per-second must be a whole number from 1 to 1000'],
    [['redrive'], 'or --failed for all unfinished keys'],
    [['redrive', 'k', '--dry-run'], '--dry-run needs --failed'],
    [['resend'], 'which queue? Pass the name, ARN or URL of one dead-letter queue'],
    [['resend', ''], 'which queue? Pass the name, ARN or URL of one dead-letter queue'],
    [['resend', 'a', 'b'], 'which queue? Pass the name, ARN or URL of one dead-letter queue'],
    [['start', 'k'], 'start needs --input FILE'],
    [['start', 'k', '--input', ''], '--input must be a file, or - for stdin; got ""'],
    [['start', 'k', '--input'], '--input needs a value'],
    [['result', 'k', '--expires-in', '1h'], '--expires-in needs --presign'],
    [['result', 'k', '--presign', '--expires-in', '8d'], 'must be a length of time from 1s to 7d'],
    [['result', 'k', '--presign', '--output', 'f'], 'pass only one of them'],
    [['show', 'k', '--stack', 'S', '--state-machine', 'M'], 'pass only one of them'],
  ])('%j: says what is wrong', (args, message) => {
    expect(usageOf(args)).toContain(message);
  });
});
