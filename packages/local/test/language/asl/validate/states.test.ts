import type { Json, JsonObject } from '../../../../json/json';
import { problemsIn } from './problems';

const SCHEMA = 'SCHEMA_VALIDATION_FAILED';
const TASK: JsonObject = { Type: 'Task', Resource: 'arn:aws:states:::a:b', Arguments: {}, Next: 'End' };

const rows = (cases: [JsonObject, string[]][]) => cases;

describe('retriers and catchers', () => {
  const retry = (...retriers: JsonObject[]) => ({ ...TASK, Retry: retriers });
  const all = { ErrorEquals: ['States.ALL'] };
  const misplaced = (at: string) =>
    `${SCHEMA}: States.ALL must appear alone and at end of list at /States/X/${at}`;

  test.each(
    rows([
      [retry({ ErrorEquals: ['A'] }, all), []],
      [retry(all, { ErrorEquals: ['A'] }), [misplaced('Retry[0]/ErrorEquals')]],
      [retry({ ErrorEquals: ['A', 'States.ALL'] }), [misplaced('Retry[0]/ErrorEquals')]],
      [retry({ ErrorEquals: [] }), [`${SCHEMA}: Value cannot be empty at /States/X/Retry[0]/ErrorEquals`]],
      [retry({}), [`${SCHEMA}: These fields are required: [ErrorEquals] at /States/X/Retry[0]`]],
      [
        retry({ ...all, JitterStrategy: 'HALF' }),
        [
          `${SCHEMA}: Value should be one of the following: [NONE, FULL] at ` +
            `/States/X/Retry[0]/JitterStrategy`,
        ],
      ],
      [{ ...TASK, Catch: [all] }, [`${SCHEMA}: These fields are required: [Next] at /States/X/Catch[0]`]],
      [
        {
          ...TASK,
          Catch: [
            { ...all, Next: 'End' },
            { ErrorEquals: ['A'], Next: 'End' },
          ],
        },
        [misplaced('Catch[0]/ErrorEquals')],
      ],
    ]),
  )('%j: as the service', (state, problems) => {
    expect(problemsIn(state)).toEqual(problems);
  });
});

describe('numbers', () => {
  const retry = (field: string, value: Json) => ({
    ...TASK,
    Retry: [{ ErrorEquals: ['A'], [field]: value }],
  });
  const at = (field: string, message: string) => [`${SCHEMA}: ${message} at /States/X/${field}`];

  test.each(
    rows([
      [{ ...TASK, TimeoutSeconds: 0 }, at('TimeoutSeconds', 'Minimum value is 1')],
      [{ ...TASK, TimeoutSeconds: 1 }, []],
      [{ ...TASK, TimeoutSeconds: 99_999_999 }, []],
      [{ ...TASK, TimeoutSeconds: 100_000_000 }, at('TimeoutSeconds', 'Maximum value is 99999999')],
      [{ ...TASK, TimeoutSeconds: 1.5 }, at('TimeoutSeconds', 'Expected value of type Integer')],
      [{ ...TASK, TimeoutSeconds: '{% $states.input.t %}' }, []],
      [{ ...TASK, TimeoutSeconds: '1' }, at('TimeoutSeconds', 'Expected value of type Integer')],
      [retry('MaxAttempts', 0), []],
      [retry('MaxAttempts', -1), at('Retry[0]/MaxAttempts', 'Minimum value is 0')],
      [retry('IntervalSeconds', 0), []],
      [retry('BackoffRate', 0.9), at('Retry[0]/BackoffRate', 'Minimum value is 1')],
      [retry('BackoffRate', 1.5), []],
      [retry('MaxDelaySeconds', 0), at('Retry[0]/MaxDelaySeconds', 'Minimum value is 1')],
      [retry('MaxDelaySeconds', 31_622_401), at('Retry[0]/MaxDelaySeconds', 'Maximum value is 31622400')],
      [{ Type: 'Wait', Seconds: -1, Next: 'End' }, at('Seconds', 'Minimum value is 0')],
      [{ Type: 'Wait', Seconds: 1.5, Next: 'End' }, at('Seconds', 'Expected value of type Integer')],
    ]),
  )('%j: as the service', (state, problems) => {
    expect(problemsIn(state)).toEqual(problems);
  });
});

describe('Wait', () => {
  const fields = '[SecondsPath, Seconds, TimestampPath, Timestamp] at /States/X';
  const invalid = [`${SCHEMA}: String does not match RFC3339 timestamp at /States/X/Timestamp`];

  test.each(
    rows([
      [
        { Type: 'Wait', Next: 'End' },
        [`${SCHEMA}: This object should have only one of the following fields: ${fields}`],
      ],
      [
        { Type: 'Wait', Seconds: 1, Timestamp: '2030-01-01T00:00:00Z', Next: 'End' },
        [`${SCHEMA}: There should only be one of the following fields: ${fields}`],
      ],
      [{ Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z', Next: 'End' }, []],
      [{ Type: 'Wait', Timestamp: '2030-01-01T00:00:00', Next: 'End' }, invalid],
      [{ Type: 'Wait', Timestamp: '2030-01-01 00:00:00Z', Next: 'End' }, invalid],
      [{ Type: 'Wait', Timestamp: '2030-01-01T25:00:00Z', Next: 'End' }, invalid],
      [{ Type: 'Wait', Timestamp: '{% $states.input.t %}', Next: 'End' }, []],
    ]),
  )('%j: as the service', (state, problems) => {
    expect(problemsIn(state)).toEqual(problems);
  });
});

describe('Choice', () => {
  const rule = { Condition: true, Next: 'End' };

  test.each(
    rows([
      [{ Type: 'Choice', Choices: [rule] }, []],
      [
        { Type: 'Choice', Choices: [], Default: 'End' },
        [`${SCHEMA}: Value cannot be empty at /States/X/Choices`],
      ],
      [{ Type: 'Choice', Default: 'End' }, [`${SCHEMA}: These fields are required: [Choices] at /States/X`]],
      [
        { Type: 'Choice', Choices: [{ Next: 'End' }] },
        [
          `${SCHEMA}: The object must have only one of the following fields, [And, Or, ` +
            `Not, Variable, Condition] at /States/X/Choices[0]`,
        ],
      ],
      [
        { Type: 'Choice', Choices: [{ Condition: true }], Default: 'End' },
        [`${SCHEMA}: These fields are required: [Next] at /States/X/Choices[0]`],
      ],
      [
        { Type: 'Choice', Choices: [{ Variable: '$.a', Next: 'End' }] },
        [
          `${SCHEMA}: The QueryLanguage is set to 'JSONata', but field 'Variable' is only ` +
            `supported for the 'JSONPath' QueryLanguage at /States/X/Choices[0]`,
        ],
      ],
      [
        { Type: 'Choice', Choices: [{ ...rule, Condition: '$states.input.a' }] },
        [
          `${SCHEMA}: Expected value of type Boolean or a JSONata expression at ` +
            `/States/X/Choices[0]/Condition`,
        ],
      ],
    ]),
  )('%j: as the service', (state, problems) => {
    expect(problemsIn(state)).toEqual(problems);
  });
});

describe('Resource and Arguments', () => {
  const task = (Resource: Json, more: JsonObject = { Arguments: {} }) => ({
    Type: 'Task',
    Resource,
    Next: 'End',
    ...more,
  });
  const at = (code: string, message: string) => [`${code}: ${message} at /States/X/Resource`];
  const put = 'arn:aws:states:::dynamodb:putItem';

  test.each(
    rows([
      [task('arn:aws:states:::aws-sdk:dynamodb:query'), []],
      [task('arn:aws-cn:states:::a:b'), []],
      [task('arn:aws:states:us-east-1:123456789012:aws-sdk:s3:getObject'), []],
      [task('arn:aws:states:us-east-1:123456789012:a:b.waitForTaskToken'), []],
      [
        task('arn:aws:states:us-east-1:123456789012:stateMachine:other'),
        at(SCHEMA, 'Value is not a valid resource ARN'),
      ],
      [
        task('arn:aws:states:us-east-1:123456789012:aws-sdk:s3'),
        at(SCHEMA, 'Value is not a valid resource ARN'),
      ],
      [task('nope'), at(SCHEMA, 'Value is not a valid resource ARN')],
      [task('arn:aws:states:::dynamodb'), at(SCHEMA, 'Value is not a valid resource ARN')],
      [task('arn:aws:states:::aws-sdk:dynamodb'), at(SCHEMA, 'Value is not a valid resource ARN')],
      [
        task('arn:aws:states:::states:startExecution.sync:2'),
        [`${SCHEMA}: The field 'StateMachineArn' is required but was missing at /States/X/Arguments`],
      ],
      [task('arn:aws:states:::a:b.waitForTaskToken'), []],
      [
        task('arn:aws:states:::dynamodb:getItem.waitForTaskToken', {
          Arguments: { TableName: 't', Key: {} },
        }),
        at(
          SCHEMA,
          'The resource provided arn:aws:states:::dynamodb:getItem.waitForTaskToken is not recognized. ' +
            'The value is not a valid resource ARN, or the resource is not available in this region.',
        ),
      ],
      [task('arn:aws:lambda:us-east-1:111111111111:function:f', {}), []],
      [task('arn:aws:states:us-east-1:1:activity:a'), []],
      [task(put, { Arguments: { TableName: 't', Item: {} } }), []],
      [
        task(put, { Arguments: { TableName: 't' } }),
        [`${SCHEMA}: The field 'Item' is required but was missing at /States/X/Arguments`],
      ],
      [task(put, { Arguments: '{% $states.input %}' }), []],
      [task(put, {}), [`${SCHEMA}: Arguments field is required for resource ARN: ${put} at /States/X`]],
    ]),
  )('%j: as the service', (state, problems) => {
    expect(problemsIn(state)).toEqual(problems);
  });
});
