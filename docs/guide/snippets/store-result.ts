// #region step
import { S3 } from '@aws-sdk/client-s3';
import { type ResultPointer, type StepEvent, storeResult } from 'onceflow/contract';

const s3 = new S3({});

export async function handler(event: StepEvent): Promise<ResultPointer> {
  const rows = await makeReport(event.input);
  return storeResult(s3, event, rows, { bucket: 'acme-results', prefix: 'results/' });
}
// #endregion

declare function makeReport(input: unknown): Promise<readonly object[]>;
