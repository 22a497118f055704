import { COMMANDS, readArguments } from '../../../cli/commands/registry';
import { withoutSecrets } from '../../../cli/program/address';
import { Rejection } from '../../../cli/program/rejection';

describe('a text with addresses', () => {
  test.each([
    ['http://me:pass@db.example:8000/x: ECONNREFUSED', 'http://***@db.example:8000/x: ECONNREFUSED'],
    ['got "https://pass@host" and "ftp://a:b@c@host"', 'got "https://***@host" and "ftp://***@host"'],
    ['http://h/?X-Amz-Signature=pass&a=1&token=pass#x', 'http://h/?X-Amz-Signature=***&a=1&token=***#x'],
    ['http://h/x?apikey=pass', 'http://h/x?apikey=***'],
    ['http://127.0.0.1:8083/queue@home', 'http://127.0.0.1:8083/queue@home'],
    ['the key shop:7@eu of https://shop.example', 'the key shop:7@eu of https://shop.example'],
  ])('%s: has none of their passwords', (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });

  test('a rejection: has no password, neither for people nor for scripts', () => {
    const { message, json } = new Rejection('http://me:pass@host does not answer');

    expect([message, json]).toEqual([
      'http://***@host does not answer',
      { message: 'http://***@host does not answer' },
    ]);
  });
});

/** Every option of a command that takes an address, as its help has it. */
const TAKING_ADDRESSES = COMMANDS.flatMap(({ name, help }) =>
  [...help.matchAll(/^ {2}--(\S+) (?:URL|ADDRESS|HOST)\b/gm)].map(
    ([, option = '']) => [name, option] as const,
  ),
);

describe('an option with an address', () => {
  test('is one of these', () => {
    const pairs = TAKING_ADDRESSES.map(pair => pair.join(' --'));

    expect(pairs).toEqual(
      expect.arrayContaining(['show --endpoint', 'console --endpoint', 'dev --dynamodb']),
    );
  });

  test.each(TAKING_ADDRESSES)('%s --%s: quotes a wrong one without its password', (command, option) => {
    for (const wrong of [
      'me:PASS@localhost:8083',
      'PASS@localhost:8083',
      'ftp://me:PASS@localhost',
      'http://me:PASS@:x/',
      'ws://localhost/?token=PASS',
    ]) {
      const read = () => readArguments([command, `--${option}`, wrong], {});

      expect(read).toThrow(new RegExp(`^--${option} must be an http or https address such as http://`));
      expect(read).not.toThrow(/PASS/);
    }
  });

  test('without http://: says so', () => {
    expect(() => readArguments(['show', 'k', '--endpoint', 'me:PASS@localhost:8083'], {})).toThrow(
      /got "\*\*\*@localhost:8083"; did you mean http:\/\/\*\*\*@localhost:8083\?$/,
    );
    expect(() => readArguments(['show', 'k', '--endpoint', 'nonsense'], {})).toThrow(/got "nonsense"$/);
  });
});
