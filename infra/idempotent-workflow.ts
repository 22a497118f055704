import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { IdempotentFragment } from '../state-machine/idempotent-fragment';
import type { Step } from '../state-machine/stages/run';
import {
  validateDuration,
  validateRetention,
  validateScope,
  validateStep,
  validateTable,
} from './private/validate-props';
import { RecordTable } from './record-table';
import type { IWorkflowSource } from './sources/source';

/** Settings of an {@link IdempotentWorkflow}. */
export interface IdempotentWorkflowProps {
  /**
   * The key of an event: one JSONata expression in `{% %}` over the execution's input, or the parts of a composite
   * key, each its own expression. A part must give a non-empty text or a whole number up to 2^53 - 1; anything else
   * ends the execution with `Idempotency.MissingKey`.
   */
  readonly idempotencyKey: string | readonly string[];
  /**
   * What must be equal when a key comes again: a JSONata expression in `{% %}`. A delivery with another payload ends
   * with `Idempotency.PayloadMismatch`, also after success.
   *
   * @default - payloads are not compared
   */
  readonly payload?: string;
  /**
   * What runs once per key, with `{idempotencyKey, attempt, input}` as its input: a Lambda function, or any task or
   * chain of JSONata states. Its result, up to about 256 KiB of JSON, is what every duplicate is answered with; a step
   * whose result is longer counts as failed, although it ran. The variables `idempotencyKey`, `attempt`,
   * `payloadHash`, `record`, `refusals`, `evaluation` and `failure` are the workflow's; a chain cannot assign them.
   */
  readonly step: Step;
  /**
   * How long a finished record answers duplicates. A delivery that comes later counts as a new event and runs the
   * business step again.
   *
   * @default - 90 days, for as long as Step Functions keeps the execution's history
   */
  readonly retention?: Duration;
  /**
   * For how long a task or chain may still be working after it has failed, because a branch was cut off or an answer
   * was lost. A failure is recorded only then, so that no later delivery starts the step beside it; zero says that
   * nothing works on. Also for functions that are defined elsewhere; others know their timeout.
   *
   * @default - for a Lambda function its own timeout, for anything else 15 minutes, the longest a function may run
   */
  readonly stepTimeout?: Duration;
  /**
   * What stands before the key in the record, at most 255 bytes without `#`. Two workflows that share a table
   * need different ones. Keep it when you rename the construct: under another scope every key counts as new.
   *
   * @default - the id of this construct
   */
  readonly scope?: string;
  /**
   * The table with the records: its partition key is the string `idempotencyKey`, its TTL attribute `expiry`.
   *
   * @default - a {@link RecordTable} of its own
   */
  readonly table?: ITable | RecordTable;
}

/**
 * A state machine that runs a business step exactly once per idempotency key, the table with its records, and what
 * starts it.
 *
 * @example
 * const payments = new IdempotentWorkflow(this, 'ChargePayment', {
 *   idempotencyKey: '{% $states.input.detail.orderId %}',
 *   payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
 *   step: chargeFunction,
 * });
 * payments.startFrom(Source.eventBridge(bus, { source: ['shop.orders'], detailType: ['OrderPlaced'] }));
 */
export class IdempotentWorkflow extends Construct {
  readonly stateMachine: StateMachine;
  readonly table: ITable;
  private sources = 0;

  constructor(scope: Construct, id: string, props: IdempotentWorkflowProps) {
    super(scope, id);
    const recordScope = props.scope ?? id;
    validateScope(recordScope);
    validateStep(props.step);
    validateDuration(props.retention, 'retention');
    validateDuration(props.stepTimeout, 'stepTimeout');
    const retention = props.retention ?? Duration.days(90);
    validateRetention(retention);

    this.table = tableOf(props.table ?? new RecordTable(this, 'Records'));
    validateTable(this.table, recordScope);
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(
        new IdempotentFragment(this, 'Workflow', {
          table: this.table,
          scope: recordScope,
          idempotencyKey: props.idempotencyKey,
          step: props.step,
          retention,
          ...(props.payload === undefined ? {} : { payload: props.payload }),
          ...(props.stepTimeout === undefined ? {} : { stepTimeout: props.stepTimeout }),
        }),
      ),
    });
    this.table.encryptionKey?.grantEncryptDecrypt(this.stateMachine);
    this.grantOwnExecutions();
  }

  /** Starts the workflow from this source too. The order of calls is part of the construct ids: append new ones. */
  startFrom(source: IWorkflowSource): this {
    this.sources += 1;
    source.bind(new Construct(this, `Source${this.sources}`), this.stateMachine);
    return this;
  }

  // A policy of its own: in the role's default policy, which the state machine depends on, naming the state machine
  // would be a circular dependency.
  private grantOwnExecutions(): void {
    const executions = Stack.of(this).formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${this.stateMachine.stateMachineName}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    new Policy(this, 'OwnExecutions', {
      roles: [this.stateMachine.role],
      statements: [new PolicyStatement({ actions: ['states:DescribeExecution'], resources: [executions] })],
    });
  }
}

function tableOf(table: ITable | RecordTable): ITable {
  return table instanceof RecordTable ? table.table : table;
}
