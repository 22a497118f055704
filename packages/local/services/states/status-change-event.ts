import type { ExecutionDescription } from '../../runtime/executions/descriptions';

/** So many bytes of input and output, with their quotes escaped, an event has at most. */
const DATA_BYTES_MAX = 248 * 1024;

/** The facts of an event beside its execution. */
export interface StatusChangeOrigin {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly region: string;
  readonly account: string;
}

/**
 * The event that Step Functions sends to the default bus when a Standard execution has started, has ended, or goes on
 * by a redrive. Times in `detail` are epoch milliseconds; what there is not is null. An input that is too long beside
 * the output is left out, and so is an output that is too long alone; `included` says so.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
export function statusChangeEvent(execution: ExecutionDescription, origin: StatusChangeOrigin) {
  const { input, output } = execution;
  const outputBytes = escapedBytes(output);
  const isInputIncluded = escapedBytes(input) + outputBytes <= DATA_BYTES_MAX;
  const isOutputIncluded = outputBytes <= DATA_BYTES_MAX;
  return {
    version: '0' as const,
    id: origin.id,
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: origin.account,
    time: `${new Date(origin.now).toISOString().slice(0, 19)}Z`,
    region: origin.region,
    resources: [execution.executionArn],
    detail: {
      executionArn: execution.executionArn,
      stateMachineArn: execution.stateMachineArn,
      name: execution.name,
      status: execution.status,
      startDate: execution.startDate,
      stopDate: execution.stopDate ?? null,
      input: isInputIncluded ? input : null,
      output: isOutputIncluded ? (output ?? null) : null,
      inputDetails: { included: isInputIncluded },
      outputDetails: output === undefined ? null : { included: isOutputIncluded },
      stateMachineVersionArn: execution.stateMachineVersionArn ?? null,
      stateMachineAliasArn: execution.stateMachineAliasArn ?? null,
      redriveCount: execution.redriveCount,
      redriveDate: execution.redriveDate ?? null,
      redriveStatus: execution.redriveStatus,
      redriveStatusReason: execution.redriveStatusReason ?? null,
      error: execution.error ?? null,
      cause: execution.cause ?? null,
    },
  };
}

function escapedBytes(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(JSON.stringify(text));
}
