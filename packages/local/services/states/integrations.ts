import { randomUUID } from 'node:crypto';
import type { ServiceTable } from '../../runtime/calls/service';
import { sdkIntegrations } from './sdk-operations';
import { startExecutionIntegrations } from './start-execution';
import type { StepFunctionsApi } from './step-functions-api';

/** What answers carry besides the API's own. Give both where histories must come out the same twice. */
export interface AnswerOptions {
  /** @default - random UUIDs */
  readonly newRequestId?: () => string;
  /** Epoch milliseconds. @default - the machine's clock */
  readonly now?: () => number;
}

/** The integrations by which a state machine starts others and asks Step Functions about them. */
export function statesIntegrations(
  api: StepFunctionsApi,
  { newRequestId = randomUUID, now = Date.now }: AnswerOptions = {},
): ServiceTable {
  return new Map([
    ...sdkIntegrations(api, newRequestId),
    ...startExecutionIntegrations(api, { newRequestId, now }),
  ]);
}
