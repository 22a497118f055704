import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Answers, before dynalite does, what dynalite does not have: it would only say that it does not know the operation,
 * and leave whoever asked to look for a typing error.
 */
export function refuseUnsupported(server: Server): void {
  const listeners = server.listeners('request') as ((...args: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const operation = /^DynamoDB_20120810\.(\w+)$/.exec(String(request.headers['x-amz-target']))?.[1];
    if (operation === undefined || SUPPORTED.has(operation)) {
      for (const listener of listeners) listener.call(server, request, response);
      return;
    }
    // The answer comes when the request is read, or a client that still sends would not read it.
    request.resume().on('end', () => refuse(response, operation));
  });
}

function refuse(response: ServerResponse, operation: string): void {
  const isKnown = UNSUPPORTED.has(operation);
  const name = isKnown ? 'UnsupportedOperationException' : 'UnknownOperationException';
  const message = isKnown
    ? `${operation} is not supported by the local DynamoDB`
    : `DynamoDB has no operation '${operation}'`;
  response.writeHead(400, {
    'content-type': 'application/x-amz-json-1.0',
    'x-amzn-RequestId': crypto.randomUUID(),
  });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message }));
}

const SUPPORTED = new Set([
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetItem',
  'ListTables',
  'ListTagsOfResource',
  'PutItem',
  'Query',
  'Scan',
  'TagResource',
  'UntagResource',
  'UpdateItem',
  'UpdateTable',
]);

/** The other operations of the service. */
const UNSUPPORTED = new Set([
  'BatchExecuteStatement',
  'CreateBackup',
  'CreateGlobalTable',
  'DeleteBackup',
  'DeleteResourcePolicy',
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
  'GetResourcePolicy',
  'ImportTable',
  'ListBackups',
  'ListContributorInsights',
  'ListExports',
  'ListGlobalTables',
  'ListImports',
  'PutResourcePolicy',
  'RestoreTableFromBackup',
  'RestoreTableToPointInTime',
  'TransactGetItems',
  'TransactWriteItems',
  'UpdateContinuousBackups',
  'UpdateContributorInsights',
  'UpdateGlobalTable',
  'UpdateGlobalTableSettings',
  'UpdateKinesisStreamingDestination',
  'UpdateTableReplicaAutoScaling',
  'UpdateTimeToLive',
]);
