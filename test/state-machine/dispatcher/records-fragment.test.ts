import jsonata from 'jsonata206';
import { eventsExpression, recordsExpression } from '../../../state-machine/dispatcher/records-fragment';

const TEXT = '{"name":"Jürgen Özgür ÿ¿À 花子 100 % 🎉"}';

/** The records as an evaluator reads them whose `$base64decode` gives text, or a character for each byte. */
async function read(records: readonly object[], encoding: 'utf8' | 'latin1') {
  const source = recordsExpression({ json: 'data', without: ['eventID'] }).slice(2, -2);
  const expression = jsonata(source);
  expression.registerFunction(
    'base64decode',
    text => Buffer.from(text, 'base64').toString(encoding),
    '<s:s>',
  );
  expression.registerFunction('parse', text => JSON.parse(text), '<s:x>');
  const found: unknown = await expression.evaluate(null, { states: { input: records } });
  return JSON.parse(JSON.stringify(found));
}

const record = (text: string) => ({
  eventID: 'e',
  partitionKey: '1',
  data: Buffer.from(text).toString('base64'),
});

describe.each(['utf8', 'latin1'] as const)('records in Base64, which is decoded as %s', encoding => {
  test('text beyond ASCII: read as it was written', async () => {
    expect(await read([record(TEXT)], encoding)).toEqual([{ partitionKey: '1', data: JSON.parse(TEXT) }]);
  });

  test('several records: in their order', async () => {
    const list = await read([record('{"n":1}'), record('{"n":2}')], encoding);

    expect(list).toMatchObject([{ data: { n: 1 } }, { data: { n: 2 } }]);
  });

  test('every character of two and three bytes: read as it was written', async () => {
    const all = Array.from({ length: 0x2fff - 0x80 }, (_, at) => String.fromCharCode(0x80 + at)).join('');

    expect(await read([record(JSON.stringify(all))], encoding)).toEqual([{ partitionKey: '1', data: all }]);
  });

  test('no JSON: the evaluation fails', async () => {
    await expect(read([record('order 7')], encoding)).rejects.toThrow();
  });
});

test.each(['22ff22', '22c22022', '22c3c222', '22e4bd22'])(
  '%s, which is not UTF-8: the evaluation fails',
  async hex => {
    const data = Buffer.from(hex, 'hex').toString('base64');

    await expect(read([{ data }], 'latin1')).rejects.toMatchObject({ code: 'D3140' });
  },
);

test('nothing to decode or to leave out: the records as they are', () => {
  expect(recordsExpression({ without: [] })).toBe('{% $states.input %}');
});

describe('the events of a custom event bus', () => {
  const event = (id: string, orderId: string) => ({
    version: '0',
    id,
    'detail-type': 'OrderPlaced',
    time: `2026-10-04T12:00:0${id}Z`,
    detail: { id: 'own', time: 'own', orderId },
  });
  const told = (orderId: string) => ({
    version: '0',
    'detail-type': 'OrderPlaced',
    detail: { id: 'own', time: 'own', orderId },
  });
  const RAW = { id: '1', time: 'x', orderId: 'a' };

  test.each<[string, unknown, unknown]>([
    ['one event', event('1', 'a'), [told('a')]],
    ['a list of one', [event('1', 'a')], [told('a')]],
    ['a list of two', [event('1', 'a'), event('2', 'b')], [told('a'), told('b')]],
    ['two of one key', [event('1', 'a'), event('2', 'a')], [told('a'), told('a')]],
    ['no event', [], []],
    ['an event without an envelope', RAW, [RAW]],
    ['texts', ['a', 'b'], ['a', 'b']],
    ['a text', 'a', ['a']],
    ['a number', 7, [7]],
  ])('%s: a list of what is delivered', async (_, input, expected) => {
    const expression = jsonata(eventsExpression(['id', 'time']).slice(2, -2));
    const found: unknown = await expression.evaluate(null, { states: { input } });

    expect(JSON.parse(JSON.stringify(found))).toEqual(expected);
  });

  test('nothing to leave out: the events as they are', async () => {
    const expression = jsonata(eventsExpression([]).slice(2, -2));

    const found: unknown = await expression.evaluate(null, { states: { input: event('1', 'a') } });

    expect(JSON.parse(JSON.stringify(found))).toEqual([event('1', 'a')]);
  });
});
