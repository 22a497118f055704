import { openTestState, type TestStateWorld } from './test-state-world';

let world: TestStateWorld;
beforeAll(async () => {
  world = await openTestState();
});
afterAll(() => world.close());

describe('TestState of a Map with a mock', () => {
  const state = {
    Type: 'Map',
    Items: '{% $states.input.orders %}',
    MaxConcurrency: 5,
    ToleratedFailurePercentage: 50,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'One',
      States: { One: { Type: 'Pass', End: true } },
    },
    End: true,
  };
  const mapped = (mapIterationFailureCount: number) =>
    world.tested(state, {
      input: { orders: ['a', 'b', 'c', 'd'] },
      mock: { result: '[1,2,3,4]' },
      stateConfiguration: { mapIterationFailureCount },
      inspectionLevel: 'TRACE',
    });

  test('as many failures as are tolerated: the mocked result, and the numbers of the Map', async () => {
    expect(await mapped(2)).toMatchObject({
      status: 'SUCCEEDED',
      output: '[1,2,3,4]',
      inspectionData: { maxConcurrency: 5, toleratedFailurePercentage: 50 },
    });
  });

  test('one more: it fails', async () => {
    expect(await mapped(3)).toMatchObject({
      status: 'FAILED',
      error: 'States.ExceedToleratedFailureThreshold',
    });
  });

  test('more than there are items: rejected', async () => {
    await expect(mapped(5)).rejects.toThrow('Map iteration failure count must be less than or equal to');
  });

  test('a reader: its items are those in the data, in its format', async () => {
    const { Items: _, ...read } = state;
    const ItemReader = {
      Resource: 'arn:aws:states:::s3:getObject',
      ReaderConfig: { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW', MaxItems: 2 },
      Arguments: { Bucket: 'orders', Key: 'orders.csv' },
    };
    const ItemSelector = { order: '{% $states.context.Map.Item.Value.id %}', all: '{% $states.input %}' };
    const ask = (mapIterationFailureCount: number) =>
      world.tested(
        { ...read, ItemReader, ItemSelector },
        {
          input: 1,
          mock: { result: '[]' },
          stateConfiguration: { mapItemReaderData: 'id,n\na,1\nb,2\nc,3', mapIterationFailureCount },
          inspectionLevel: 'DEBUG',
        },
      );

    const { inspectionData } = await ask(1);

    expect(inspectionData?.afterItemSelector).toBe('[{"order":"a","all":1},{"order":"b","all":1}]');
    await expect(ask(3)).rejects.toThrow('Map iteration failure count');
  });

  test('data that a reader cannot read: the Map fails', async () => {
    const ItemReader = { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig: { InputType: 'JSON' } };
    const { Items: _, ...read } = state;
    const stateConfiguration = { mapItemReaderData: '{}' };
    const reading = { ...read, ItemReader: { ...ItemReader, Arguments: { Bucket: 'b', Key: 'k' } } };

    expect(await world.tested(reading, { mock: { result: '[]' }, stateConfiguration })).toMatchObject({
      status: 'FAILED',
      error: 'States.ItemReaderFailed',
    });
    await expect(world.tested(reading, { mock: { result: '[]' } })).rejects.toThrow(
      'ItemReader data must be',
    );
  });

  test('results that are exported: an object is the result', async () => {
    const ResultWriter = {
      Resource: 'arn:aws:states:::s3:putObject',
      Arguments: { Bucket: 'b', Prefix: 'p' },
    };
    const input = { orders: [] };
    const exported = (result: string) =>
      world.tested({ ...state, ResultWriter }, { input, mock: { result } });

    expect(await exported('{"MapRunArn":"m"}')).toMatchObject({ output: '{"MapRunArn":"m"}' });
    await expect(exported('[]')).rejects.toThrow('Mocked result must be a JSON object.');
  });

  test('in JSONPath: the items after ItemsPath, and what ItemSelector makes of each', async () => {
    const { ItemProcessor } = state;
    const { inspectionData } = await world.tested(
      {
        Type: 'Map',
        QueryLanguage: 'JSONPath',
        ItemsPath: '$.orders',
        ItemSelector: { 'order.$': '$$.Map.Item.Value', 'shop.$': '$.shop' },
        ItemProcessor,
        ResultPath: '$.done',
        End: true,
      },
      { input: { shop: 's', orders: ['a'] }, mock: { result: '[1]' }, inspectionLevel: 'TRACE' },
    );

    expect(inspectionData).toEqual({
      input: '{"shop":"s","orders":["a"]}',
      afterInputPath: '{"shop":"s","orders":["a"]}',
      afterItemsPath: '["a"]',
      afterItemSelector: '[{"order":"a","shop":"s"}]',
      afterResultSelector: '[1]',
      afterResultPath: '{"shop":"s","orders":["a"],"done":[1]}',
      maxConcurrency: 0,
    });
  });
});
