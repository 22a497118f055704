import { bothSpellings } from '../contract/error-names';

// The names under which a catcher or a retrier of a state finds the errors of AWS.

/** How the optimized DynamoDB integration names a write whose condition was not met. */
export const CONDITION_FAILED = 'DynamoDB.ConditionalCheckFailedException';

/**
 * How the optimized DynamoDB integration names what its SDK has no class for: a missing permission, a request that is
 * not valid, and perhaps throttling.
 */
export const TABLE_ERROR = 'DynamoDB.AmazonDynamoDBException';

/** How the SDK integration of Step Functions names the same: throttling, and a missing permission. */
export const SFN_ERROR = 'Sfn.SfnException';

/** How the SDK integration of Step Functions names the question about an execution that there is not. */
export const OWNER_UNKNOWN = bothSpellings('Sfn.ExecutionDoesNotExist');

/** How the optimized integration names the start of an execution whose name is taken. */
export const NAME_TAKEN = bothSpellings('StepFunctions.ExecutionAlreadyExists');

/** How the SDK integration names the same. */
export const NAME_TAKEN_SDK = bothSpellings('Sfn.ExecutionAlreadyExists');

/**
 * How Step Functions names data beyond its quota. The guide says: `States.ALL` does not cover it; the service
 * has been recorded doing so. Caught by name it is caught whichever is true.
 */
export const DATA_TOO_LONG = 'States.DataLimitExceeded';

/** How Step Functions names an expression that could not be evaluated. */
export const EVALUATION_FAILED = 'States.QueryEvaluationError';
