import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';
import { RECOVERY_SUFFIX } from '../../state-machine/contract/execution-name';
import type { WorkflowExecutions } from './executions';

/** What recovery did where nobody delivered anything again, and what it left. */
export interface RecoveryReport {
  /** Executions of the workflow that recovery has started, with the input of one that had died. */
  readonly deliveries: number;
  /** Dead executions that it gave up. */
  readonly givenUp: number;
  /** Records that are still in progress. */
  readonly unfinished: number;
  /** Messages that lie in queues, dead-letter queues among them. */
  readonly messages: number;
}

/** The names of executions that recovery starts. */
export const HAS_RECOVERY_NAME = new RegExp(`${RECOVERY_SUFFIX}$`);

/** Counts the executions of recovery from now on. */
export class Recoveries {
  #givenUp = 0;

  constructor(private readonly stack: LocalStack) {
    const recoveryArn = stack.output('RecoveryArn');
    stack.runtime.subscribe(({ kind, execution: { stateMachineArn, status } }) => {
      if (kind === 'ended' && stateMachineArn === recoveryArn && status === 'FAILED') this.#givenUp += 1;
    });
  }

  async report(executions: WorkflowExecutions): Promise<RecoveryReport> {
    const { queues } = this.stack;
    const messages = queues.list().flatMap(({ name }) => queues.peek(name) ?? []);
    return {
      deliveries: executions.all.filter(({ name }) => HAS_RECOVERY_NAME.test(name)).length,
      givenUp: this.#givenUp,
      unfinished: await unfinishedIn(this.stack),
      messages: messages.length,
    };
  }
}

/** How many records are in progress. */
async function unfinishedIn({ dynamoDb, output }: LocalStack): Promise<number> {
  let count = 0;
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page: ScanCommandOutput = await dynamoDb.client.send(
      new ScanCommand({
        TableName: output('RecordTableName'),
        FilterExpression: '#status = :inProgress',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':inProgress': { S: 'IN_PROGRESS' } },
        ExclusiveStartKey,
      }),
    );
    count += page.Count ?? 0;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return count;
}
