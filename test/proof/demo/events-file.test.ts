import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEvents } from '../../../proof/demo/events-file';

const DEFAULTS = { account: '111111111111', region: 'us-east-1' };
const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-events-'));

afterAll(() => rmSync(directory, { recursive: true }));

function read(content: string | Buffer) {
  const file = path.join(directory, 'events.jsonl');
  writeFileSync(file, content);
  return readEvents(file, DEFAULTS);
}

const EVENT = '{"source":"shop.orders","detail-type":"OrderPlaced","detail":{"orderId":"a"}}';

describe('readEvents', () => {
  test('an event without id, time, account and region: completed', async () => {
    const [line] = await read(EVENT);

    expect(line).toEqual({
      kind: 'event',
      line: 1,
      event: {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        source: 'shop.orders',
        'detail-type': 'OrderPlaced',
        account: '111111111111',
        region: 'us-east-1',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        resources: [],
        detail: { orderId: 'a' },
      },
    });
  });

  test('an event with all of them: as it is', async () => {
    const full = {
      version: '0',
      id: 'x',
      account: '2',
      region: 'eu-west-1',
      time: '2026-01-01T00:00:00Z',
      resources: ['r'],
    };

    const [line] = await read(JSON.stringify({ ...full, ...JSON.parse(EVENT) }));

    expect(line).toMatchObject({ event: full });
  });

  test('a line that is not an event: its number and the fault, the others are kept', async () => {
    const lines = await read(`${EVENT}\n{"broken\n\n${EVENT}\r\n`);

    expect(lines.map(({ kind, line }) => [kind, line])).toEqual([
      ['event', 1],
      ['invalid', 2],
      ['event', 4],
    ]);
  });

  test.each([
    ['not JSON', 'hello', /^not valid JSON: /],
    ['a list', '[]', /^an event must be a JSON object, and this is a list$/],
    ['null', 'null', /^an event must be a JSON object/],
    ['no source', '{"detail-type":"x","detail":{}}', /^`source` must be a non-empty text$/],
    ['no detail-type', '{"source":"x","detail":{}}', /^`detail-type`/],
    ['no detail', '{"source":"x","detail-type":"y"}', /^`detail` must be a JSON object$/],
    ['a detail of text', '{"source":"x","detail-type":"y","detail":"{}"}', /^`detail`/],
    [
      'an id of a number',
      '{"source":"x","detail-type":"y","detail":{},"id":1}',
      /^`id` must be a text, or be left out$/,
    ],
  ])('%s: invalid', async (_, text, message) => {
    expect(await read(text)).toEqual([{ kind: 'invalid', line: 1, message: expect.stringMatching(message) }]);
  });

  test('bytes that are no UTF-8: invalid, as they could be told from no others', async () => {
    expect(await read(Buffer.from(EVENT.replace('"a"', '"\xe9"'), 'latin1'))).toEqual([
      { kind: 'invalid', line: 1, message: 'not valid UTF-8' },
    ]);
  });

  test('20,000 levels: invalid, the others are kept', async () => {
    const deep = EVENT.replace('"a"', `${'['.repeat(20_000)}1${']'.repeat(20_000)}`);

    expect(await read(`${deep}\n${EVENT}`)).toMatchObject([
      { kind: 'invalid', line: 1, message: expect.stringContaining('nested deeper') },
      { kind: 'event', line: 2 },
    ]);
  });

  test('a byte order mark: passed over', async () => {
    expect(await read(`\ufeff${EVENT}`)).toMatchObject([{ kind: 'event' }]);
  });

  test('no such file: the error of the system', async () => {
    await expect(readEvents(path.join(directory, 'nowhere'), DEFAULTS)).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
