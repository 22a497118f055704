import type { Json } from '../../../json/json';
import { parseIntegration } from '../../../language/asl/resource';
import { mockProblem } from '../../../runtime/test-state/mock-schema';

function problemOf(integration: string, result: Json, mode: 'STRICT' | 'PRESENT' | 'NONE' = 'STRICT') {
  const resource = parseIntegration(`arn:aws:states:::${integration}`);
  if (!resource) throw new Error(`no resource: ${integration}`);
  return mockProblem(resource, result, mode)?.replace('Mock result schema validation error: ', '');
}

describe('a mocked result', () => {
  test.each<[string, string, Json]>([
    [
      'an item with nested attributes',
      'dynamodb:getItem',
      { Item: { a: { M: { b: { L: [{ N: '1' }] } } } } },
    ],
    ['members that the answer does not have', 'sqs:sendMessage', { Anything: 1 }],
    ['the payload of a function, as the value that it is', 'lambda:invoke', { Payload: { n: 1 } }],
    [
      'the output of a job, as the value that it is',
      'states:startExecution.sync:2',
      { ExecutionArn: 'e', StateMachineArn: 'm', StartDate: 'd', Status: 'SUCCEEDED', Output: { n: 1 } },
    ],
    ['a callback: whatever its token brings', 'sqs:sendMessage.waitForTaskToken', { MessageId: 1 }],
    ['a service that nothing is known of', 'glue:startJobRun', 'text'],
    ['an operation that nothing is known of', 'aws-sdk:s3:constructor', 1],
  ])('%s: fits', (_what, integration, result) => {
    expect(problemOf(integration, result)).toBeUndefined();
  });

  test.each<[string, Json, string]>([
    ['dynamodb:getItem', { Item: { a: { M: { b: { L: [{ N: 1 }] } } } } }, "Field 'N' must be a string"],
    ['dynamodb:getItem', { Item: [] }, "Field 'Item' must be an object"],
    ['dynamodb:getItem', { Item: { a: { NULL: 'true' } } }, "Field 'NULL' must be a boolean"],
    ['aws-sdk:dynamodb:getItem', { Item: { a: { L: {} } } }, "Field 'L' must be an array"],
    [
      'aws-sdk:kms:encrypt',
      { CiphertextBlob: '' },
      "Field 'CiphertextBlob' is smaller than the minimum length",
    ],
    [
      'events:putEvents',
      { Entries: [{ EventId: 'e'.repeat(65) }] },
      "Field 'EventId' exceeds the maximum length",
    ],
    [
      'aws-sdk:lambda:getFunction',
      { Configuration: { MemorySize: 1 } },
      "Field 'MemorySize' is less than the minimum value",
    ],
    [
      'aws-sdk:lambda:getFunction',
      { Configuration: { MemorySize: 10_241 } },
      "Field 'MemorySize' exceeds the maximum value",
    ],
    ['aws-sdk:lambda:invoke', { Payload: { n: 1 } }, "Field 'Payload' must be a string"],
    [
      'states:startExecution.sync',
      { ExecutionArn: 'e', StateMachineArn: 'm', StartDate: 'd', Status: 'GONE' },
      "Field 'Status' is not an expected value",
    ],
    ['aws-sdk:sfn:describeExecution', { Status: 'GONE' }, "Required field 'ExecutionArn' is missing"],
    ['events:putEvents', 'text', 'Mocked result must be a JSON object.'],
  ])('of %s, %j: %s', (integration, result, problem) => {
    expect(problemOf(integration, result)).toBe(problem);
  });

  test('PRESENT: what is missing is not asked for, what is there has to fit', () => {
    expect(problemOf('states:startExecution', {}, 'PRESENT')).toBeUndefined();
    expect(problemOf('states:startExecution', { StartDate: 1 }, 'PRESENT')).toBe(
      "Field 'StartDate' must be a string",
    );
  });

  test('NONE: anything fits', () => {
    expect(problemOf('states:startExecution', { StartDate: 1 }, 'NONE')).toBeUndefined();
  });
});
