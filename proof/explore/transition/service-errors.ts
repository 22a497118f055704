/** The error of a service that throttles a request. */
export function throttling(resource: string): string {
  if (resource.startsWith('dynamodb')) return 'DynamoDB.ProvisionedThroughputExceededException';
  if (resource === 'lambda:invoke') return 'Lambda.TooManyRequestsException';
  if (resource === 'sqs:sendMessage') return 'SQS.SqsException';
  if (resource.startsWith('aws-sdk:s3')) return 'S3.S3Exception';
  return resource.startsWith('aws-sdk') ? 'Sfn.SfnException' : 'StepFunctions.ThrottlingException';
}
