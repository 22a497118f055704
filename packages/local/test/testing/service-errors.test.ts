import { lostAnswerError, throttlingError } from '../../testing/service-errors';

test.each([
  ['dynamodb:putItem', 'DynamoDB.SdkClientException', 'DynamoDB.ProvisionedThroughputExceededException'],
  [
    'aws-sdk:dynamodb:query',
    'DynamoDb.SdkClientException',
    'DynamoDb.ProvisionedThroughputExceededException',
  ],
  ['lambda:invoke', 'Lambda.SdkClientException', 'Lambda.TooManyRequestsException'],
  ['lambda:function', 'Lambda.SdkClientException', 'Lambda.TooManyRequestsException'],
  ['aws-sdk:s3:getObject', 'S3.SdkClientException', 'S3.SlowDown'],
  ['sns:publish', 'SNS.SdkClientException', 'SNS.ThrottlingException'],
  ['states:startExecution.sync:2', 'StepFunctions.SdkClientException', 'StepFunctions.ThrottlingException'],
])('%s: a lost answer and throttling are %s and %s', (resource, lost, throttled) => {
  expect([lostAnswerError(resource), throttlingError(resource)]).toEqual([lost, throttled]);
});
