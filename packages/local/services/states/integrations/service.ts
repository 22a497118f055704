import { randomUUID } from 'node:crypto';
import type { ServiceTable } from '../../../runtime/service';
import type { StepFunctionsApi } from './api';
import { sdkServices } from './sdk-operations';
import { startExecutionServices } from './start-execution';

/** Options of {@link stepFunctionsServices}. Give both where histories must come out the same twice. */
export interface StepFunctionsServicesOptions {
  /** @default - random UUIDs */
  readonly newRequestId?: () => string;
  /** Epoch milliseconds. @default - the machine's clock */
  readonly now?: () => number;
}

/** The integrations by which a state machine starts others and asks Step Functions about them. */
export function stepFunctionsServices(
  api: StepFunctionsApi,
  { newRequestId = randomUUID, now = Date.now }: StepFunctionsServicesOptions = {},
): ServiceTable {
  return new Map([...sdkServices(api, newRequestId), ...startExecutionServices(api, { newRequestId, now })]);
}
