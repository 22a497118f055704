import jsonata from 'jsonata206';
import {
  eventExpression,
  RECORDS,
  recordExpression,
} from '../../../state-machine/dispatcher/records-fragment';

const TEXT = '{"name":"Jürgen Özgür ÿ¿À 花子 100 % 🎉"}';

/** A record as an evaluator reads it whose `$base64decode` gives text, or a character for each byte. */
async function read(given: object, encoding: 'utf8' | 'latin1') {
  const expression = jsonata(recordExpression({ json: 'data', without: ['eventID'] }));
  expression.registerFunction(
    'base64decode',
    text => Buffer.from(text, 'base64').toString(encoding),
    '<s:s>',
  );
  expression.registerFunction('parse', text => JSON.parse(text), '<s:x>');
  const found: unknown = await expression.evaluate(null, { record: given });
  return JSON.parse(JSON.stringify(found));
}

const record = (text: string) => ({
  eventID: 'e',
  partitionKey: '1',
  data: Buffer.from(text).toString('base64'),
});

describe.each(['utf8', 'latin1'] as const)('records in Base64, which is decoded as %s', encoding => {
  test('text beyond ASCII: read as it was written', async () => {
    expect(await read(record(TEXT), encoding)).toEqual({ partitionKey: '1', data: JSON.parse(TEXT) });
  });

  test('every character of two and three bytes: read as it was written', async () => {
    const all = Array.from({ length: 0x2fff - 0x80 }, (_, at) => String.fromCharCode(0x80 + at)).join('');

    expect(await read(record(JSON.stringify(all)), encoding)).toEqual({ partitionKey: '1', data: all });
  });

  test('no JSON: the evaluation fails', async () => {
    await expect(read(record('order 7'), encoding)).rejects.toThrow();
  });
});

test.each(['22ff22', '22c22022', '22c3c222', '22e4bd22'])(
  '%s, which is not UTF-8: the evaluation fails',
  async hex => {
    const data = Buffer.from(hex, 'hex').toString('base64');

    await expect(read({ data }, 'latin1')).rejects.toMatchObject({ code: 'D3140' });
  },
);

test('nothing to decode or to leave out: the record as it is', () => {
  expect(recordExpression({ without: [] })).toBe('$record');
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
    ['an event', event('1', 'a'), told('a')],
    ['an event without an envelope', RAW, RAW],
    ['a text', 'a', 'a'],
    ['a number', 7, 7],
  ])('%s: what is delivered', async (_, record, expected) => {
    const found: unknown = await jsonata(eventExpression(['id', 'time'])).evaluate(null, { record });

    expect(JSON.parse(JSON.stringify(found))).toEqual(expected);
  });

  test('nothing to leave out: the event as it is', () => {
    expect(eventExpression([])).toBe('$record');
  });
});

test.each<[string, unknown, unknown]>([
  ['one record', { id: '1' }, [{ id: '1' }]],
  ['a list of one', [{ id: '1' }], [{ id: '1' }]],
  ['a list of two', [{ id: '1' }, { id: '2' }], [{ id: '1' }, { id: '2' }]],
  ['a list of a list', [[{ id: '1' }, { id: '2' }]], [[{ id: '1' }, { id: '2' }]]],
  ['a list of lists', [[1], [2, [3]]], [[1], [2, [3]]]],
  ['no record', [], []],
  ['a text', 'a', ['a']],
])('%s: the list of the records', async (_, input, expected) => {
  const found: unknown = await jsonata(RECORDS.slice(2, -2)).evaluate(null, { states: { input } });

  expect(JSON.parse(JSON.stringify(found))).toEqual(expected);
});
