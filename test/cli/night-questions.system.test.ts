import { readArguments } from '../../cli/commands/registry';
import { PLAIN } from '../../cli/terminal';
import { GRACE_MS } from '../support/variant';
import { returns } from '../support/world';
import { type Night, openNight } from './console/night-world';
import { cleanUp } from './dev/started';
import { NOBODY } from './world';

describe('the twelve questions at night, of three workflows, each with one command', () => {
  let night: Night;
  beforeAll(async () => {
    night = await openNight();
  }, 300_000);
  afterAll(async () => {
    await night?.c.close();
    cleanUp();
  });

  /** What a command line answers, in the time of the stack. */
  const answerTo = async (...args: string[]): Promise<string> => {
    const asked = readArguments([...args, '--endpoint', night.c.world.stack.endpoint ?? ''], {});
    if (asked.kind !== 'task') throw new Error('no task');
    const session = { terminal: NOBODY, env: {}, ended: new AbortController().signal };
    const answer = await asked.task.run(session);
    return typeof answer === 'number' ? '' : answer.text(PLAIN);
  };
  const CHARGE = ['--scope', 'ChargePayment'] as const;

  test.each<[string, readonly string[], readonly RegExp[]]>([
    [
      'was it charged, and with what result',
      ['show', 'order-7'],
      [/COMPLETED: the step has run/, /result +\{"charge"/],
    ],
    [
      'why was this duplicate rejected',
      ['show', 'order-7', '--limit', '50'],
      [/the key was used before with another payload/],
    ],
    [
      'which keys need a person, of all workflows, the most urgent first',
      ['list'],
      [
        /^workflow +key .*\nRefundPayment +doubt +HELD .*\nRefundPayment +given-up +HELD .*\nSendInvoice +gone-too +IN_PROGRESS \(overdue\)/,
        /\nSendInvoice +cut-off +FAILED .* Lambda\.SdkClientException\n/,
        /3 records of SendInvoice \(1 overdue, 2 failed\)/,
        // The workflow with the most keys that need a person is named first.
        /\n3 records of RefundPayment .*\n.*3 records of SendInvoice .*\n.* of ChargePayment /,
      ],
    ],
    [
      'who owns a stuck key, since when',
      ['show', 'SendInvoice#gone-too'],
      [/owner .*ABORTED/, /3 h \d+ min ago/],
    ],
    [
      'what will the next delivery do',
      ['show', 'doubt'],
      [/next +deliveries end with Idempotency\.InDoubt: find out what the step did/],
    ],
    [
      'which deliveries came for it',
      ['show', 'order-7', '--limit', '50'],
      [/redrive 1/, /Searched: \d+ executions/],
    ],
    [
      'what differs in a rejected payload',
      ['list', '--rejected', '--error', 'Idempotency.PayloadMismatch', ...CHARGE],
      [/order-7 +rejected/],
    ],
    [
      'what failed in the last hour, by error, of all workflows',
      ['list', '--by', 'error', '--since', '1h'],
      [
        /^error +records +rejected deliveries/,
        /\nCardDeclined +2 +0 /,
        /\nIdempotency\.InDoubt +1 +0 /,
        /\nIdempotency\.InvalidEvent +0 +1 /,
        /\nIdempotency\.PayloadMismatch +0 +1 /,
      ],
    ],
    [
      'which duplicates started nothing, of all workflows',
      ['list', '--duplicates'],
      [/0 duplicates of ChargePayment started nothing since .*\n0 duplicates of RefundPayment /],
    ],
    ['and by the hour', ['list', '--by', 'hour', '--since', '8h'], [/\n\d{4}-\d\d-\d\d \d\d:00Z +\d/]],
    [
      'what it cost: a day of each workflow',
      ['cost', '--since', '1d'],
      [/^ChargePayment .*\$0\.\d+.*did not run the step, \d+ % of the cost\n/, /\nSendInvoice /],
    ],
    [
      'what it cost: a list, with its duplicates',
      ['list', '--rejected', '--since', '1d', '--cost'],
      [
        /of ChargePayment .*; cost of those shown: \$0\.\d+ .*: 4 executions, .*; 2 did not run the step, \d+ % of the cost\n/,
        /of SendInvoice .*; cost of those shown: .*: 3 executions, /,
      ],
    ],
    ['what it cost: a key', ['cost', 'order-7', '--sample', '50'], [/3 executions, \d+ transitions/]],
  ])('%s', async (_, args, expected) => {
    const text = await answerTo(...args);

    for (const pattern of expected) expect(text).toMatch(pattern);
  });

  test.each<readonly [string, readonly string[]]>([
    ['a text', ['doubt']],
    ['the key of its record', ['RefundPayment#doubt']],
    ['with the quotes of JSON', ['"doubt"']],
    ['with the quotes of a shell', ["'doubt'"]],
    ['an address of the page', ['http://127.0.0.1:8084/workflows/RefundPayment/keys/doubt']],
    ['an option that says it exactly', ['doubt', '--recorded']],
    ['JSON', ['--json-key', '"doubt"']],
  ])('a key finds its workflow: %s', async (_, args) => {
    expect(await answerTo('show', ...args)).toMatch(/^RefundPayment#doubt\n/);
  });

  test('a key that no workflow knows: says which were asked', async () => {
    await expect(answerTo('show', 'order-0')).rejects.toThrow(
      'no workflow has a record or an execution of "order-0". Asked were ChargePayment, RefundPayment, SendInvoice.',
    );
  });

  test('failed keys of all workflows', async () => {
    const text = await answerTo('redrive', '--failed', '--dry-run');

    expect(text).toMatch(/ChargePayment\S*:\n[\s\S]*RefundPayment\S*:\n[\s\S]*SendInvoice\S*:\n/);
  });

  test('redrive it', async () => {
    await night.c.world.pass(GRACE_MS);
    night.c.world.step = () => returns('resumed');

    expect(await answerTo('redrive', 'gone-too')).toContain('resumes where it stopped');
  });

  test('deliver one failed key again', async () => {
    const answer = await answerTo('redeliver', 'declined', '--yes');
    expect(answer).toContain('1 key redriven or redelivered');
    expect(answer).toContain('\nHow each of them ended: `onceflow list --by error --since 5m`\n');
    await night.c.world.settle();

    expect(await answerTo('show', 'declined')).toContain('COMPLETED');
  });

  test('resend dead letters, those of one reason', async () => {
    const nothing = await answerTo('resend', 'invoices-dead', '--reason', 'AccessDenied', '--yes', ...CHARGE);
    const all = await answerTo('resend', 'invoices-dead', '--reason', 'moved it here', '--yes', ...CHARGE);

    expect(nothing).toContain('0 messages of invoices-dead resent');
    expect(all).toContain('2 messages of invoices-dead resent');
  });
});
