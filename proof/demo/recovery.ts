import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';
import { RECOVERY_SUFFIX } from '../../state-machine/contract/execution-name';
import { STATUS } from '../../state-machine/contract/record';
import type { WorkflowExecutions } from './executions';
import type { RecoveryStart } from './options';

/** What recovery did without another delivery, and what it left. */
export interface RecoveryReport {
  /** Recoveries, by what has started them: status changes, searches, and deliveries that found an owner overdue. */
  readonly startedBy: Readonly<Record<RecoveryStart, number>>;
  /** Executions of the workflow that recovery has started, with the input of one that had ended. */
  readonly deliveries: number;
  /** Executions that it gave up. */
  readonly givenUp: number;
  /** Records whose key has no end: in progress, released, or held for review. */
  readonly unfinished: number;
  /** Messages that lie in queues, dead-letter queues among them. */
  readonly messages: number;
}

/** The names of executions that recovery starts. */
export const HAS_RECOVERY_NAME = new RegExp(`${RECOVERY_SUFFIX}$`);

/** Counts the executions of recovery from now on. */
export class Recoveries {
  #givenUp = 0;
  readonly #startedBy = { events: 0, search: 0, delivery: 0 };

  constructor(private readonly stack: LocalStack) {
    const recoveryArn = stack.output('RecoveryArn');
    stack.runtime.subscribe(({ kind, execution: { stateMachineArn, status, input } }) => {
      if (stateMachineArn !== recoveryArn) return;
      if (kind === 'ended' && status === 'FAILED') this.#givenUp += 1;
      const start = kind === 'started' ? startOf(input) : undefined;
      if (start) this.#startedBy[start] += 1;
    });
  }

  async report(executions: WorkflowExecutions): Promise<RecoveryReport> {
    const { queues } = this.stack;
    const messages = queues.list().flatMap(({ name }) => queues.peek(name) ?? []);
    return {
      startedBy: { ...this.#startedBy },
      deliveries: executions.all.filter(({ name }) => HAS_RECOVERY_NAME.test(name)).length,
      givenUp: this.#givenUp,
      unfinished: await unfinishedIn(this.stack),
      messages: messages.length,
    };
  }
}

/**
 * The kind of event that starts a recovery with this input; undefined for a page of the search, which starts one
 * recovery for each find.
 */
function startOf(input: string): RecoveryStart | undefined {
  const { executions, deliveryArn, detail } = JSON.parse(input) as {
    readonly executions?: unknown;
    readonly deliveryArn?: string;
    readonly detail?: { readonly status?: string };
  };
  if (executions !== undefined) return undefined;
  if (deliveryArn !== undefined) return 'delivery';
  return detail?.status === undefined ? 'search' : 'events';
}

/** How many records are neither completed nor failed. */
async function unfinishedIn({ dynamoDb, output }: LocalStack): Promise<number> {
  let count = 0;
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page: ScanCommandOutput = await dynamoDb.client.send(
      new ScanCommand({
        TableName: output('RecordTableName'),
        FilterExpression: 'NOT #status IN (:completed, :failed)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':completed': { S: STATUS.completed }, ':failed': { S: STATUS.failed } },
        ExclusiveStartKey,
      }),
    );
    count += page.Count ?? 0;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return count;
}
