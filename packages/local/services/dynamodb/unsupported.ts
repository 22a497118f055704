import { RequestError } from './table/request-error';

/**
 * Why an operation cannot be carried out, where it is one of DynamoDB that is not here: otherwise whoever asked would
 * look for a typing error.
 */
export function unsupported(operation: string): RequestError | undefined {
  if (!UNSUPPORTED.has(operation)) return undefined;
  return new RequestError(
    `${operation} is not supported by the local DynamoDB`,
    'UnsupportedOperationException',
  );
}

/** The operations of the service that are not here. */
const UNSUPPORTED = new Set([
  'BatchExecuteStatement',
  'CreateBackup',
  'CreateGlobalTable',
  'DeleteBackup',
  'DescribeBackup',
  'DescribeContinuousBackups',
  'DescribeContributorInsights',
  'DescribeEndpoints',
  'DescribeExport',
  'DescribeGlobalTable',
  'DescribeGlobalTableSettings',
  'DescribeImport',
  'DescribeKinesisStreamingDestination',
  'DescribeLimits',
  'DescribeTableReplicaAutoScaling',
  'DisableKinesisStreamingDestination',
  'EnableKinesisStreamingDestination',
  'ExecuteStatement',
  'ExecuteTransaction',
  'ExportTableToPointInTime',
  'ImportTable',
  'ListBackups',
  'ListContributorInsights',
  'ListExports',
  'ListGlobalTables',
  'ListImports',
  'RestoreTableFromBackup',
  'RestoreTableToPointInTime',
  'UpdateContinuousBackups',
  'UpdateContributorInsights',
  'UpdateGlobalTable',
  'UpdateGlobalTableSettings',
  'UpdateKinesisStreamingDestination',
  'UpdateTable',
  'UpdateTableReplicaAutoScaling',
]);
