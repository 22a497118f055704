import type { JsonObject } from '../../../json/json';
import { FAILS_FOR_ODD, mapWorld, processor } from './world';

/** An ItemReader of the object `items`. */
function reader(config: JsonObject, key = 'items'): JsonObject {
  return {
    Resource: 'arn:aws:states:::s3:getObject',
    Arguments: { Bucket: 'data', Key: key },
    ReaderConfig: config,
  };
}

const CSV = { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' };

describe('an ItemReader', () => {
  test.each<[string, JsonObject, string, unknown]>([
    ['JSON', { InputType: 'JSON' }, '[1, {"a": 2}]', [1, { a: 2 }]],
    [
      'JSON, and where in it',
      { InputType: 'JSON', ItemsPointer: '/orders/0/lines' },
      '{"orders":[{"lines":[7]}]}',
      [7],
    ],
    ['JSON lines', { InputType: 'JSONL' }, '{"a":1}\n\n[2]\n', [{ a: 1 }, [2]]],
    [
      'CSV with its names in the first row',
      CSV,
      'id,note\n1,"two, three"\n2,\n',
      [
        { id: '1', note: 'two, three' },
        { id: '2', note: '' },
      ],
    ],
    [
      'CSV with names given, and another delimiter',
      { InputType: 'CSV', CSVHeaderLocation: 'GIVEN', CSVHeaders: ['a', 'b'], CSVDelimiter: 'PIPE' },
      '1|2|3\n4',
      [
        { a: '1', b: '2' },
        { a: '4', b: '' },
      ],
    ],
    ['the first ones', { ...CSV, MaxItems: 1 }, 'id\n1\n2\n', [{ id: '1' }]],
    [
      'as many as an expression says',
      { ...CSV, MaxItems: '{% 1 + 1 %}' },
      'id\n1\n2\n3',
      [{ id: '1' }, { id: '2' }],
    ],
  ])('%s: its items', async (_case, config, text, items) => {
    const { start } = mapWorld({ items: text });

    expect(await (await start({ ItemReader: reader(config) })).output()).toEqual(items);
  });

  test('a listing: the objects, of all pages, with what is known of them', async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `in/${String(index).padStart(4, '0')}`);
    const { start } = mapWorld({ ...Object.fromEntries(names.map(name => [name, 'x'])), other: '' });
    const ItemReader = {
      Resource: 'arn:aws:states:::s3:listObjectsV2',
      Arguments: { Bucket: 'data', Prefix: 'in/' },
    };
    const ItemSelector = { key: '{% $states.context.Map.Item.Value.Key %}' };
    const { output, run } = await start({ ItemReader, ItemSelector });

    expect(run().itemCounts.total).toBe(1001);
    expect((await output()).at(-1)).toEqual({ key: 'in/1000' });
  });

  test.each<[string, JsonObject, string, string, RegExp]>([
    ['no such object', { InputType: 'JSON' }, '[]', 'gone', /The specified key does not exist/],
    ['no JSON', { InputType: 'JSON' }, '[', 'items', /not valid JSON/],
    ['no array', { InputType: 'JSON' }, '{}', 'items', /must be a JSON array/],
    ['a line that is not JSON', { InputType: 'JSONL' }, '1\nx', 'items', /^Line 2 /],
    ['the same name twice', CSV, 'a,a\n1,2', 'items', /^CSV headers cannot contain duplicates\.$/],
    [
      'none are wanted',
      { ...CSV, MaxItems: '{% 0 %}' },
      'a\n1',
      'items',
      /^field MaxItems must be positive$/,
    ],
  ])('%s: the run fails, and can be caught', async (_case, config, text, key, cause) => {
    const { start } = mapWorld({ items: text });
    const Catch = [{ ErrorEquals: ['States.ItemReaderFailed'], Next: 'Caught' }];
    const Caught = { Type: 'Pass', Output: '{% $states.input.Cause %}', End: true };
    const { output, types } = await start({ ItemReader: reader(config, key), Catch }, null, { Caught });

    expect(await output()).toMatch(cause);
    expect(await types()).toEqual(
      expect.arrayContaining(['MapRunStarted', 'MapRunFailed', 'MapStateFailed']),
    );
  });
});

describe('an ItemBatcher', () => {
  test('by their number, with an input for each batch', async () => {
    const { start } = mapWorld();
    const ItemBatcher = { MaxItemsPerBatch: 2, BatchInput: { day: '{% $states.input %}' } };
    const { output, run } = await start({ Items: [1, 2, 3], ItemBatcher }, 'monday');

    expect(await output()).toEqual([
      { BatchInput: { day: 'monday' }, Items: [1, 2] },
      { BatchInput: { day: 'monday' }, Items: [3] },
    ]);
    expect(run()).toMatchObject({ executionCounts: { total: 2 }, itemCounts: { total: 3, succeeded: 3 } });
  });

  test('by the bytes of the whole input', async () => {
    const { start } = mapWorld();
    const { output } = await start({ Items: ['äö', 'u', 'v'], ItemBatcher: { MaxInputBytesPerBatch: 22 } });

    expect((await output()).map((batch: unknown) => Buffer.byteLength(JSON.stringify(batch)))).toEqual([
      22, 15,
    ]);
  });
});

describe('a ResultWriter', () => {
  const ResultWriter = {
    Resource: 'arn:aws:states:::s3:putObject',
    Arguments: { Bucket: 'data', Prefix: 'out' },
  };

  test('writes what has succeeded and what has failed, and a manifest that leads to both', async () => {
    const { start, buckets } = mapWorld();
    const { output, run } = await start({
      Items: [2, 3],
      ItemProcessor: processor(FAILS_FOR_ODD),
      ToleratedFailureCount: 1,
      ResultWriter,
    });
    const written = (key: string) => {
      const object = buckets.get('data', key);
      return 'body' in object ? JSON.parse(object.body.toString()) : object;
    };
    const { MapRunArn, ResultWriterDetails: details } = await output();
    const { ResultFiles: files } = written(details.Key);

    expect(MapRunArn).toBe(run().mapRunArn);
    expect(details.Key).toMatch(/^out\/[0-9a-f-]{36}\/manifest\.json$/);
    expect(written(files.SUCCEEDED[0].Key)).toMatchObject([{ Status: 'SUCCEEDED', Input: '2', Output: '2' }]);
    expect(written(files.FAILED[0].Key)).toMatchObject([
      { Status: 'FAILED', Error: 'Odd', Cause: '3 is odd' },
    ]);
    expect(files.PENDING).toEqual([]);
  });

  test('a bucket that is not there: the run fails', async () => {
    const { start } = mapWorld();
    const Arguments = { Bucket: 'gone', Prefix: '' };
    const { describe: parent } = await start({ Items: [2], ResultWriter: { ...ResultWriter, Arguments } });

    expect(await parent()).toMatchObject({ status: 'FAILED', error: 'States.ResultWriterFailed' });
  });
});
