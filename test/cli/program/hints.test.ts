import { COMMANDS } from '../../../cli/commands/registry';
import { withWholeHints } from '../../../cli/program/hints';

const COMMANDS_BY_NAME = new Map(COMMANDS.map(({ name, help }) => [name, help]));
const PLACE = ['show', 'order-7', '--endpoint', 'http://127.0.0.1:8083', '--region=eu-west-1'];

const hinted = (text: string) => withWholeHints(text, PLACE, COMMANDS_BY_NAME);

describe('a command in an answer', () => {
  test.each(COMMANDS.map(({ name, help }) => [name, help]))(
    '%s: how it was started, and where',
    (name, help) => {
      const takes = (option: string) => help.includes(`--${option} `);
      const place = [
        ...(takes('endpoint') ? ['--endpoint http://127.0.0.1:8083'] : []),
        ...(takes('region') ? ['--region eu-west-1'] : []),
      ];

      expect(hinted(`see \`onceflow ${name} KEY\`.`)).toBe(
        `see \`${['npx onceflow', name, 'KEY', ...place].join(' ')}\`.`,
      );
    },
  );

  test.each<readonly [string, readonly string[], string]>([
    ['a text', ['show', 'order-7'], 'order-7'],
    ['with another form', ['release', 't-3', '20260010', '--number', '--yes'], 't-3 20260010 --number'],
    ['as JSON', ['show', '--json-key', '["a",1]'], `--json-key '["a",1]'`],
    ['with its scope', ['show', "Pay#o'clock"], `'Pay#o'\\''clock'`],
  ])('a command about the key of the command line: %s', (_, args, key) => {
    const whole = (text: string) => withWholeHints(text, args, COMMANDS_BY_NAME);

    expect(whole('`onceflow complete`')).toBe(`\`npx onceflow complete ${key}\``);
    expect(whole('`onceflow release --delete`')).toBe(`\`npx onceflow release ${key} --delete\``);
    // These name a key, take none, or are about many.
    for (const other of ['show KEY', 'list --rejected', 'redrive --failed', 'health'])
      expect(whole(`\`onceflow ${other}\``)).toBe(`\`npx onceflow ${other}\``);
  });

  test('a command without a key gives none; the workflow that it names is kept', () => {
    const args = ['list', '--scope', 'Pay', '--endpoint=http://127.0.0.1:1'];

    expect(withWholeHints('`onceflow show`', args, COMMANDS_BY_NAME)).toBe(
      '`npx onceflow show --endpoint http://127.0.0.1:1 --scope Pay`',
    );
  });

  test('an option that it has stays; a command on its own line, and other words', () => {
    const other = '`onceflow show a --endpoint http://127.0.0.1:1 --region us-east-1`';
    expect(hinted(other)).toBe(other.replace('onceflow', 'npx onceflow'));
    expect(hinted('next: onceflow show order-1')).toBe('next: npx onceflow show order-1');
    expect(hinted('`onceflow` and `onceflow dance`')).toBe('`onceflow` and `onceflow dance`');
    expect(withWholeHints('`onceflow health`', [], COMMANDS_BY_NAME)).toBe('`npx onceflow health`');
  });
});
