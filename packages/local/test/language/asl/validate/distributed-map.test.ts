import type { JsonObject } from '../../../../json/json';
import { parseDefinition } from '../../../../language/asl/parse';
import type { Rules } from '../../../../language/asl/validate/resource';

const GET = 'arn:aws:states:::s3:getObject';
const PUT = 'arn:aws:states:::s3:putObject';
const PASS: JsonObject = { Type: 'Pass', End: true };

function map(more: JsonObject, config: JsonObject = {}, work: JsonObject = PASS): JsonObject {
  const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD', ...config };
  return {
    Type: 'Map',
    ItemProcessor: { ProcessorConfig, StartAt: 'W', States: { W: work } },
    End: true,
    ...more,
  };
}

/** The problems of a machine of one Map, without what is before the Map in their places. */
function problemsIn(state: JsonObject, rules: Rules = {}, language = 'JSONata'): string[] {
  const text = JSON.stringify({ QueryLanguage: language, StartAt: 'M', States: { M: state } });
  const parsed = parseDefinition(text, rules);
  if (parsed.kind === 'definition') return [];
  return parsed.problems.map(({ code, message, location }) => {
    const kind = code === 'SCHEMA_VALIDATION_FAILED' ? '' : `${code}: `;
    return `${kind}${message} at ${location?.replace('/States/M', '') ?? ''}`;
  });
}

const CSV = { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' };
const read = (ReaderConfig: JsonObject) =>
  map({ ItemReader: { Resource: GET, Arguments: {}, ReaderConfig } });

describe('a Map in mode DISTRIBUTED', () => {
  test.each<[string, JsonObject, string[]]>([
    ['nothing but the mode', map({}), []],
    [
      'all that there is',
      map({ Label: 'a', ItemBatcher: { MaxItemsPerBatch: 2, BatchInput: '{% 1 %}' } }),
      [],
    ],
    ['a reader', read(CSV), []],
    ['a writer', map({ ResultWriter: { Resource: PUT, Arguments: { Bucket: 'b', Prefix: '' } } }), []],
    [
      'no type of execution',
      map({}, { ExecutionType: undefined as never }),
      ['These fields are required: [ExecutionType] at /ItemProcessor/ProcessorConfig'],
    ],
    [
      'another type of execution',
      map({}, { ExecutionType: 'FAST' }),
      [
        'Value should be one of the following: [STANDARD, EXPRESS] at /ItemProcessor/ProcessorConfig/ExecutionType',
      ],
    ],
    ['a label with a blank', map({ Label: 'a b' }), ["Label is not valid: 'a b' at /Label"]],
    [
      'a label that is too long',
      map({ Label: 'x'.repeat(41) }),
      [`Label is not valid: '${'x'.repeat(41)}' at /Label`],
    ],
    [
      'a batcher without limit',
      map({ ItemBatcher: {} }),
      ['At least one of these fields is required: [MaxItemsPerBatch, MaxInputBytesPerBatch] at /ItemBatcher'],
    ],
    [
      'names that are not given',
      read({ ...CSV, CSVHeaderLocation: 'GIVEN' }),
      ['These fields are required: [CSVHeaders] at /ItemReader/ReaderConfig'],
    ],
    [
      'a field that nobody knows',
      read({ ...CSV, Head: 1 }),
      ["Field 'Head' is not supported at /ItemReader/ReaderConfig"],
    ],
    [
      'an expression that is none',
      map({ ItemBatcher: { MaxItemsPerBatch: '{% ( %}' } }),
      [expect.stringMatching(/^INVALID_JSONATA_EXPRESSION: /) as never],
    ],
  ])('%s', (_case, state, problems) => {
    expect(problemsIn(state)).toEqual(problems);
  });

  test.each<[string, JsonObject, string]>([
    ['MANIFEST', read({ InputType: 'MANIFEST' }), 'InputType MANIFEST (Distributed Map)'],
    ['PARQUET', read({ InputType: 'PARQUET' }), 'InputType PARQUET (Distributed Map)'],
    [
      'LOAD_AND_FLATTEN',
      read({ InputType: 'JSON', Transformation: 'LOAD_AND_FLATTEN' }),
      'LOAD_AND_FLATTEN (Distributed Map)',
    ],
    [
      'WriterConfig',
      map({ ResultWriter: { WriterConfig: { OutputType: 'JSONL' } } }),
      'WriterConfig (Distributed Map)',
    ],
    [
      'another reader',
      map({ ItemReader: { Resource: 'arn:aws:states:::glue:read' } }),
      'glue:read of an ItemReader',
    ],
  ])('%s: rejected by name', (_case, state, name) => {
    expect(problemsIn(state)).toEqual([
      expect.stringMatching(/^NOT_SUPPORTED_LOCALLY: .*is not supported by the local engine yet/),
    ]);
    expect(problemsIn(state)[0]).toContain(name);
  });

  test('where there is no S3: what needs it is rejected by name', () => {
    expect(problemsIn(read(CSV), { knows: () => false })[0]).toMatch(
      /^NOT_SUPPORTED_LOCALLY: Field 'ItemReader' without S3/,
    );
  });

  test('in JSONPath: paths in place of numbers, and templates, are read', () => {
    const reader = {
      Resource: GET,
      Parameters: { 'Bucket.$': '$.b' },
      ReaderConfig: { ...CSV, MaxItemsPath: '$.max' },
    };

    expect(
      problemsIn(map({ ItemReader: reader, ItemBatcher: { MaxItemsPerBatchPath: '$.n' } }), {}, 'JSONPath'),
    ).toEqual([]);
    expect(problemsIn(map({ ItemBatcher: { MaxItemsPerBatchPath: 'n' } }), {}, 'JSONPath')).toEqual([
      'Value must be a valid JSONPath. at /ItemBatcher/MaxItemsPerBatchPath',
    ]);
  });
});

describe('what only a distributed Map may have', () => {
  test('in an inline one: rejected', () => {
    const inline = { Mode: 'INLINE', ExecutionType: undefined as never };

    expect(problemsIn(map({ Label: 'a' }, inline))).toEqual([
      "Field 'Label' is only supported for Map states with mode DISTRIBUTED at ",
    ]);
  });
});

describe('Express executions', () => {
  const job = { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution.sync', End: true };
  const Arguments = { StateMachineArn: 'arn:aws:states:us-east-1:1:stateMachine:m' };

  test('of a Map Run: their states have what an Express machine may have', () => {
    const state = map({}, { ExecutionType: 'EXPRESS' }, { ...job, Arguments });

    expect(problemsIn(state)).toEqual([
      "Express state machine does not support '.sync' service integration at /ItemProcessor/States/W/Resource",
    ]);
  });

  test('a Map within one: must not be distributed', () => {
    const inner = map({});
    const within = {
      ...inner,
      ItemProcessor: { ...(inner['ItemProcessor'] as JsonObject), StartAt: 'X', States: { X: PASS } },
    };
    const problem = 'Express state machine does not support mode DISTRIBUTED at ';

    expect(problemsIn(inner, { type: 'EXPRESS' })).toEqual([`${problem}/ItemProcessor/ProcessorConfig`]);
    expect(problemsIn(map({}, { ExecutionType: 'EXPRESS' }, within))).toEqual([
      `${problem}/ItemProcessor/States/W/ItemProcessor/ProcessorConfig`,
    ]);
  });
});
