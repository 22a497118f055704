import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import {
  type IStateMachine,
  QueryLanguage,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { STATE } from '../state-machine/contract/state-names';
import {
  keySource,
  payloadSource,
  requireContent,
  requireOfTheEvent,
} from '../state-machine/user-expression';
import { IdempotentStates } from '../state-machine/workflow/idempotent-states';
import type { IdempotentWorkflowProps } from './idempotent-workflow-props';
import { acknowledge, acknowledgeCalls, FINDING } from './private/acknowledge';
import { RETENTION_DEFAULT } from './private/defaults';
import { Dispatcher, SYNCHRONOUS_TIMEOUT } from './private/dispatcher';
import { NarrativeDefinitionBody } from './private/narrative-order';
import { grantOwnExecutions } from './private/own-executions';
import { redriveFunction } from './private/redrive-function';
import {
  validateChoices,
  validateDelivery,
  validateDuration,
  validateNoRetries,
  validateRetention,
  validateScope,
  validateStep,
  validateTable,
  validateTimeout,
  validateType,
} from './private/validate-props';
import { stepProblems } from './private/validate-step';
import { validateVariables } from './private/validate-variables';
import { RecordTable, tableOf } from './record-table';
import type { IStartableWorkflow, IWorkflowSource, StartByKeyOptions } from './sources/source';

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
export class IdempotentWorkflow extends Construct implements IStartableWorkflow {
  readonly stateMachine: StateMachine;
  readonly table: ITable;
  /** What stands before the key in a record: the table's partition key is `<recordScope>#<key>`. */
  readonly recordScope: string;
  readonly startsWithin: Duration;
  private sources = 0;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: IdempotentWorkflowProps,
  ) {
    super(scope, id);
    this.recordScope = props.scope ?? id;
    validate(props, this.recordScope);
    this.table = tableOf(props.table ?? new RecordTable(this, 'Records'));
    validateTable(this.table, this.recordScope);

    const isExpress = props.type === 'EXPRESS';
    const timeout = props.timeout ?? (isExpress ? EXPRESS_TIMEOUT_MAX : undefined);
    const redriving = props.redriveByFunction ? redriveFunction(this) : undefined;
    const states = new IdempotentStates(this, 'Workflow', {
      ...props,
      table: this.table,
      scope: this.recordScope,
      retention: props.retention ?? RETENTION_DEFAULT,
      ...(isExpress && { expressTimeout: timeout ?? EXPRESS_TIMEOUT_MAX }),
      ...(redriving && { redriveFunction: redriving }),
    });
    if (timeout) validateTimeout(timeout, states.maxStepDuration, props.onDuplicateInProgress?.total);
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      queryLanguage: QueryLanguage.JSONATA,
      stateMachineType: isExpress ? StateMachineType.EXPRESS : StateMachineType.STANDARD,
      ...(timeout && { timeout }),
      definitionBody: new NarrativeDefinitionBody(states, Object.values(STATE)),
    });
    validateVariables(this.stateMachine);
    acknowledgeFindings(this.stateMachine);
    acknowledgeCalls(this.stateMachine, [props.step, redriving]);
    // Branches are known only now that the state machine has been put together.
    const [problem] = stepProblems(states.businessStep, props.stepTimeout !== undefined);
    if (problem !== undefined) throw new Error(problem);
    if (props.delivery === 'at-most-once') validateNoRetries(props.step);
    this.startsWithin = isExpress ? (timeout ?? EXPRESS_TIMEOUT_MAX) : SYNCHRONOUS_TIMEOUT;
    this.table.encryptionKey?.grantEncryptDecrypt(this.stateMachine);
    if (!isExpress) grantOwnExecutions(this, this.stateMachine, { delivery: props.delivery, redriving });
  }

  /** Starts the workflow from this source too. The order of calls is part of the construct ids: append new ones. */
  startFrom(source: IWorkflowSource): this {
    if (typeof source?.bind !== 'function') {
      throw new Error(
        '`startFrom` takes a source such as Source.eventBridge(bus, pattern), got something else',
      );
    }
    this.sources += 1;
    source.bind(new Construct(this, `Source${this.sources}`), this);
    return this;
  }

  /** For sources: the state machine that starts a delivery under the name of its key, defined within `scope`. */
  startByKey(scope: Construct, options: StartByKeyOptions = {}): IStateMachine {
    const { idempotencyKey, payload } = this.props;
    const { volatile = [], empty = [], deadLetterQueue } = options;
    requireContent(idempotencyKey, empty);
    if (this.props.type === 'EXPRESS') return this.stateMachine;
    requireOfTheEvent({ idempotencyKey, payload }, volatile);
    const dispatcher = new Dispatcher(scope, 'Dispatcher', {
      stateMachine: this.stateMachine,
      table: this.table,
      scope: this.recordScope,
      key: keySource(idempotencyKey),
      payload: payloadSource(payload),
      volatile,
      deadLetterQueue: deadLetterQueue?.(),
    });
    return dispatcher.stateMachine;
  }
}

/** The longest an Express execution may last. */
const EXPRESS_TIMEOUT_MAX = Duration.minutes(5);

function validate(props: IdempotentWorkflowProps, scope: string): void {
  validateScope(scope);
  validateStep(props.step);
  validateDuration(props.retention, 'retention');
  validateDuration(props.stepTimeout, 'stepTimeout');
  validateDuration(props.timeout, 'timeout');
  if (props.retention) validateRetention(props.retention);
  validateType(props);
  validateDelivery(props.delivery);
  validateChoices(props);
}

function acknowledgeFindings(stateMachine: StateMachine): void {
  const kept =
    'Step Functions keeps the history of each execution for 90 days; set logs where that is not enough';
  acknowledge(stateMachine, FINDING.notAllLogged, kept);
  acknowledge(stateMachine, FINDING.notTraced, 'the history of an execution tells each of its steps');
}
