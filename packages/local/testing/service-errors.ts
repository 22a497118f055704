import { errorPrefixOf } from '../runtime/calls/call-signals';

/** The error of a call whose answer did not arrive, e.g. `DynamoDB.SdkClientException` for `dynamodb:putItem`. */
export function lostAnswerError(resource: string): string {
  return `${errorPrefixOf(serviceOf(resource))}.SdkClientException`;
}

/** The error by which a service rejects too many requests at once, e.g. `Lambda.TooManyRequestsException`. */
export function throttlingError(resource: string): string {
  const service = serviceOf(resource);
  return `${errorPrefixOf(service)}.${NAMES.get(service.replace('aws-sdk:', '')) ?? 'ThrottlingException'}`;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['dynamodb', 'ProvisionedThroughputExceededException'],
  ['lambda', 'TooManyRequestsException'],
  ['s3', 'SlowDown'],
]);

/** `dynamodb` of `dynamodb:putItem`, `aws-sdk:sfn` of `aws-sdk:sfn:stopExecution`. */
function serviceOf(resource: string): string {
  return resource
    .split(':')
    .slice(0, resource.startsWith('aws-sdk:') ? 2 : 1)
    .join(':');
}
