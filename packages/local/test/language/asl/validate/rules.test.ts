import { parseDefinition } from '../../../../language/asl/parse';
import { diagnosticsOf } from '../../../../language/asl/problems';
import type { Rules } from '../../../../language/asl/validate/resource';
import { machineOf } from './problems';

/** What a Task with this resource is rejected for under these rules. */
function rejected(resource: string, rules: Rules): string[] {
  const args = { StateMachineArn: 's', QueueUrl: 'q', MessageBody: 'm', TableName: 't', Key: {} };
  const task = { Type: 'Task', Resource: resource, Arguments: args, End: true };
  const parsed = parseDefinition(JSON.stringify(machineOf({ X: task })), rules);
  return parsed.kind === 'problems' ? parsed.problems.map(({ code, message }) => `${code}: ${message}`) : [];
}

describe('Express machines', () => {
  test.each([
    ['arn:aws:states:::states:startExecution', []],
    [
      'arn:aws:states:::states:startExecution.sync',
      ["SCHEMA_VALIDATION_FAILED: Express state machine does not support '.sync' service integration"],
    ],
    [
      'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      [
        "SCHEMA_VALIDATION_FAILED: Express state machine does not support '.waitForTaskToken' service integration ",
      ],
    ],
    [
      'arn:aws:states:us-east-1:1:activity:a',
      ['SCHEMA_VALIDATION_FAILED: Express state machine does not support Activity ARN'],
    ],
  ])('%s', (resource, problems) => {
    expect(rejected(resource, { type: 'EXPRESS' })).toEqual(problems);
  });
});

describe('unknown integrations', () => {
  const recognized = (arn: string) =>
    `SCHEMA_VALIDATION_FAILED: The resource provided ${arn} is not recognized. ` +
    'The value is not a valid resource ARN, or the resource is not available in this region.';

  test('an operation that its service does not have: rejected', () => {
    const arn = 'arn:aws:states:::dynamodb:query';

    expect(rejected(arn, { knows: () => false })).toEqual([recognized(arn)]);
  });

  test.each(['arn:aws:states:::batch:submitJob.sync', 'arn:aws:states:::aws-sdk:s3:copyObject'])(
    '%s, which a mock can answer: accepted',
    arn => {
      expect(rejected(arn, { knows: () => false })).toEqual([]);
    },
  );
});

describe('diagnostics', () => {
  test('a problem of the service and one of ours are errors; without a location there is none', () => {
    expect(
      diagnosticsOf([
        { code: 'MISSING_END_STATE', message: 'm', location: null },
        { code: 'NOT_SUPPORTED_LOCALLY', message: 'n', location: '/States/X' },
      ]),
    ).toEqual([
      { severity: 'ERROR', code: 'MISSING_END_STATE', message: 'm' },
      { severity: 'ERROR', code: 'NOT_SUPPORTED_LOCALLY', message: 'n', location: '/States/X' },
    ]);
  });

  test('a text that is not JSON: the message says where, too', () => {
    const location = '[Source: (String)"not"; line: 1, column: 4]';

    expect(diagnosticsOf([{ code: 'INVALID_JSON_DESCRIPTION', message: 'm', location }])).toEqual([
      { severity: 'ERROR', code: 'INVALID_JSON_DESCRIPTION', message: `m\n at ${location}`, location },
    ]);
  });
});
