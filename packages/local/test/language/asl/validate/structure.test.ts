import type { JsonObject } from '../../../../json/json';
import { machineOf, problemsIn, problemsOf } from './problems';

const SCHEMA = 'SCHEMA_VALIDATION_FAILED';

describe('the text of a definition', () => {
  test.each([
    ['', `${SCHEMA}: Definition must be a valid JSON object at null`],
    [' ', `${SCHEMA}: Definition must be a valid JSON object at null`],
    ['[]', `${SCHEMA}: Definition must be a valid JSON object at null`],
    ['{}', `${SCHEMA}: These fields are required: [States, StartAt] at /`],
    ['{"States":{}}', `${SCHEMA}: These fields are required: [StartAt] at /`],
    [
      'not a definition',
      "INVALID_JSON_DESCRIPTION: Unrecognized token 'not': was expecting (JSON String, " +
        'Number, Array, Object or ' +
        "token 'null', 'true' or 'false') at [Source: (String)\"not a definition\"; line: 1, column: 4]",
    ],
  ])('%j: rejected', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  test('a state called __proto__ or constructor: a state like any other', () => {
    const states = '"__proto__":{"Type":"Pass","Next":"constructor"},"constructor":{"Type":"Succeed"}';
    const text = `{"QueryLanguage":"JSONata","StartAt":"__proto__","States":{${states}}}`;

    expect(problemsOf(text)).toEqual([]);
  });
});

describe('fields of the machine', () => {
  const end = { X: { Type: 'Succeed' } };

  test.each<[JsonObject, string]>([
    [{ Foo: 1 }, `${SCHEMA}: Field 'Foo' is not supported at /`],
    [{ Version: '2.0' }, `${SCHEMA}: Value should be one of the following: [1.0] at /Version`],
    [{ TimeoutSeconds: -1 }, `${SCHEMA}: Minimum value is 0 at /TimeoutSeconds`],
    [{ TimeoutSeconds: '{% 1 %}' }, `${SCHEMA}: Expected value of type Integer at /TimeoutSeconds`],
    [{ Comment: 1 }, `${SCHEMA}: Expected value of type String at /Comment`],
  ])('%j: rejected', (more, problem) => {
    expect(problemsOf(machineOf(end, more))).toEqual([problem]);
  });

  test.each<[JsonObject]>([[{ TimeoutSeconds: 0 }], [{ Version: '1.0' }], [{ Comment: 'text' }]])(
    '%j: accepted',
    more => {
      expect(problemsOf(machineOf(end, more))).toEqual([]);
    },
  );
});

describe('fields of a state', () => {
  const task = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', Arguments: { FunctionName: 'f' } };

  test.each<[JsonObject, string[]]>([
    [{ Next: 'End' }, [`${SCHEMA}: The field 'Type' is required at /States/X`]],
    [
      { Type: 'Nope', Next: 'End' },
      [
        `${SCHEMA}: The field 'Type' should have one of these values: ` +
          '[Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map] at /States/X/Type',
      ],
    ],
    [
      { Type: 'Pass' },
      [`${SCHEMA}: This object should have only one of the following fields: [Next, End] at /States/X`],
    ],
    [
      { Type: 'Pass', End: true, Next: 'End' },
      [`${SCHEMA}: There should only be one of the following fields: [Next, End] at /States/X`],
    ],
    [{ Type: 'Pass', Next: 'End', Catch: [] }, [`${SCHEMA}: Field 'Catch' is not supported at /States/X`]],
    [
      { Type: 'Wait', Seconds: 1, Next: 'End', TimeoutSeconds: 1 },
      [`${SCHEMA}: Field 'TimeoutSeconds' is not supported at /States/X`],
    ],
    [{ Type: 'Pass', next: 'End', Next: 'End' }, [`${SCHEMA}: Field 'next' is not supported at /States/X`]],
    [{ Type: 'Pass', Next: 1 }, [`${SCHEMA}: Expected value of type String at /States/X/Next`]],
    [{ Type: 'Map', Next: 'End' }, [`${SCHEMA}: These fields are required: [ItemProcessor] at /States/X`]],
    [{ Type: 'Parallel', Next: 'End' }, [`${SCHEMA}: These fields are required: [Branches] at /States/X`]],
    [
      { ...task, Next: 'End', HeartbeatSeconds: 5, TimeoutSeconds: 5 },
      [`${SCHEMA}: HeartbeatSeconds must be smaller than TimeoutSeconds at /States/X`],
    ],
    [
      { ...task, Next: 'End', Credentials: {} },
      [`${SCHEMA}: The field 'RoleArn' is required but was missing at /States/X/Credentials`],
    ],
    [
      { ...task, Next: 'End', Retry: [{ ErrorEquals: ['A'], Foo: 1 }] },
      [`${SCHEMA}: Field 'Foo' is not supported at /States/X/Retry[0]`],
    ],
    [{ ...task, Next: 'End', Retry: {} }, [`${SCHEMA}: Expected value of type Array at /States/X/Retry`]],
  ])('%j: rejected', (state, problems) => {
    const found = problemsIn(state);

    // A state that leads nowhere leaves the other one unreached, which is not the point here.
    expect(found.filter(line => !line.includes('is not reachable'))).toEqual(problems);
  });
});

describe('the query language', () => {
  const pass = { Type: 'Pass', End: true };

  test.each<[string, JsonObject, string[]]>([
    ['no language at all', { StartAt: 'X', States: { X: pass } }, []],
    [
      'a JSONata state in a JSONPath machine',
      { StartAt: 'X', States: { X: { ...pass, QueryLanguage: 'JSONata' } } },
      [],
    ],
    [
      'a JSONPath state in a JSONata machine',
      machineOf({ X: { ...pass, QueryLanguage: 'JSONPath' } }),
      [
        `${SCHEMA}: 'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole ` +
          `state machine at /States/X`,
      ],
    ],
    [
      'a JSONPath field in a JSONata state',
      machineOf({ X: { ...pass, InputPath: '$' } }),
      [
        `${SCHEMA}: The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the ` +
          "'JSONPath' QueryLanguage at /States/X",
      ],
    ],
    [
      'an unknown language',
      machineOf({ X: pass }, { QueryLanguage: 'XPath' }),
      [`${SCHEMA}: Value should be one of the following: [JSONPath, JSONata] at /QueryLanguage`],
    ],
  ])('%s: as the service', (_case, machine, problems) => {
    expect(problemsOf(machine)).toEqual(problems);
  });
});
