import { Duration } from 'aws-cdk-lib';

/** How long a finished record counts: for as long as Step Functions keeps an execution's history. */
export const RETENTION_DEFAULT = Duration.days(90);
