import { Duration, Lazy, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type IStateMachine, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { describeValue } from '../state-machine/contract/describe-value';
import { NAMED_BY_HASH } from '../state-machine/contract/execution-name';
import { STATE } from '../state-machine/contract/state-names';
import {
  isOfTheInput,
  type KeyAndPayload,
  requireContent,
  requireOfTheEvent,
} from '../state-machine/key-source';
import type { IRecordTable } from '../state-machine/settings';
import { namesOfStateMachines } from '../state-machine/state-machine-names';
import { validateNames } from '../state-machine/validate-names';
import { IdempotentStates } from '../state-machine/workflow/idempotent-states';
import { isFunction } from '../state-machine/workflow/states/business-step';
import { acknowledge, acknowledgeCalls, FINDING } from './cdk/acknowledge';
import { encrypt, encryptWithin, grantTableKey } from './cdk/customer-key';
import { RETENTION_DEFAULT } from './cdk/defaults';
import { logsOf } from './cdk/logs';
import { OrderedDefinitionBody } from './cdk/ordered-definition';
import { applyRemovalPolicy, KEPT } from './cdk/removal-policy';
import { withConstructPath } from './cdk/with-construct-path';
import { type IdempotentWorkflowProps, WORKFLOW_PROPS } from './idempotent-workflow-props';
import { countDispatcherLog, countWorkflowLog, namespaceOf } from './monitoring/log-counts';
import { WorkflowWithMetrics } from './monitoring/workflow-metrics';
import { Dispatcher, SYNCHRONOUS_TIMEOUT } from './nested/dispatcher';
import { keepResults } from './nested/keep-results';
import { grantOwnExecutions } from './nested/own-executions';
import { WorkflowRecovery } from './nested/recovery-machines';
import { redriveFunction } from './nested/redrive-function';
import { RecordTable, recordTableOf } from './record-table';
import { Recovery, validateRecovery } from './recovery';
import {
  type IStartableWorkflow,
  type IWorkflowSource,
  type Outcomes,
  outcomesOf,
  type StartByKeyOptions,
} from './sources/source';
import { adviseFailures, advisePayload, adviseRecovery, adviseScope } from './validation/advice';
import {
  redeliveryOf,
  validateChoices,
  validateDelivery,
  validateDuration,
  validateExecutionNames,
  validateFormerStateMachines,
  validateNoRetries,
  validateRetention,
  validateScope,
  validateStep,
  validateTimeout,
  validateType,
} from './validation/props';
import { languageFor } from './validation/query-language';
import { stepProblems } from './validation/step';
import { tableProblems, validateTable } from './validation/table';
import { validateVariables } from './validation/variables';

/**
 * A state machine that runs a business step to success once per idempotency key, the table with its records, and what
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
export class IdempotentWorkflow extends WorkflowWithMetrics implements IStartableWorkflow {
  readonly stateMachine: StateMachine;
  readonly table: ITable;
  /** What stands before the key in a record: the table's partition key is `<recordScope>#<key>`. */
  readonly recordScope: string;
  readonly startsWithin: Duration;
  readonly outcomes: Outcomes | undefined;
  private readonly records: IRecordTable;
  private readonly keyAndPayload: KeyAndPayload;
  /** What brings dead executions to their end; undefined where nobody does. */
  readonly recovery: WorkflowRecovery | undefined;
  protected readonly longestRun: Duration | undefined;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: IdempotentWorkflowProps,
  ) {
    super(scope, id);
    withConstructPath(this, () => validateNames('IdempotentWorkflow', props, WORKFLOW_PROPS));
    this.recordScope = props.scope ?? id;
    withConstructPath(this, () => validate(props, this.recordScope, Stack.of(this)));
    const { encryptionKey } = props;
    withConstructPath(this, () => encryptWithin(this, encryptionKey));
    const ownTable = () => new RecordTable(this, 'Records', { ...(encryptionKey && { encryptionKey }) });
    this.records = recordTableOf(props.table ?? ownTable());
    this.table = this.records.table;
    const isScopeGiven = props.scope !== undefined;
    withConstructPath(this, () => validateTable(this.records, { scope: this.recordScope, isScopeGiven }));
    this.node.addValidation({ validate: () => tableProblems(this.records) });

    const isExpress = props.type === 'EXPRESS';
    const timeout = props.timeout ?? (isExpress ? EXPRESS_TIMEOUT_MAX : undefined);
    const recovery = props.recovery ?? (isExpress ? Recovery.none() : Recovery.automatic());
    const isRedrivenByFunction = recovery.searchEvery !== undefined && !props.redrive?.isDirect;
    const redriving = isRedrivenByFunction ? redriveFunction(this) : undefined;
    const states = withConstructPath(this, () => {
      const defined = new IdempotentStates(this, 'Workflow', {
        ...props,
        table: this.records,
        scope: this.recordScope,
        retention: props.retention ?? RETENTION_DEFAULT,
        ...(isExpress && { expressTimeout: timeout ?? EXPRESS_TIMEOUT_MAX }),
        ...(recovery.searchEvery && {
          recoveryArn: Lazy.string({ produce: () => this.recovery?.stateMachine.stateMachineArn ?? '' }),
        }),
      });
      if (timeout) validateTimeout(timeout, defined.maxStepDuration, props.onDuplicateInProgress?.total);
      return defined;
    });
    this.keyAndPayload = states.keyAndPayload;
    this.longestRun = timeout ?? longestRunOf(props, states.maxStepDuration);
    const { stateMachineName, role, tracingEnabled } = props;
    const logs = logsOf(this, props);
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineType: isExpress ? StateMachineType.EXPRESS : StateMachineType.STANDARD,
      ...(props.executionNames === 'hash' && { comment: NAMED_BY_HASH }),
      ...(stateMachineName !== undefined && { stateMachineName }),
      ...(role && { role }),
      ...(tracingEnabled !== undefined && { tracingEnabled }),
      ...(logs && { logs }),
      ...(timeout && { timeout }),
      definitionBody: new OrderedDefinitionBody(states, Object.values(STATE), () =>
        languageFor(states.businessStep),
      ),
    });
    encrypt(this.stateMachine);
    withConstructPath(this, () => validateVariables(this.stateMachine));
    applyRemovalPolicy(this, props.removalPolicy ?? KEPT);
    adviseScope(this, props.scope);
    adviseRecovery(this, isExpress || recovery.searchEvery !== undefined);
    acknowledgeFindings(this.stateMachine, props);
    keepResults(this, this.stateMachine, { ...props, recordScope: this.recordScope });
    if (this.isLogCounted && logs?.destination) {
      countWorkflowLog(this, logs.destination, { ...props, stateMachine: this.stateMachine });
    }
    acknowledgeCalls(this.stateMachine, [props.step]);
    // Branches are known only now that the state machine has been put together.
    withConstructPath(this, () => {
      const [problem] = stepProblems(states.businessStep, props.stepTimeout !== undefined);
      if (problem !== undefined) throw new Error(problem);
      if (props.delivery === 'at-most-once') validateNoRetries(props.step);
    });
    this.startsWithin = isExpress ? (timeout ?? EXPRESS_TIMEOUT_MAX) : SYNCHRONOUS_TIMEOUT;
    grantTableKey(this.stateMachine, this.table.encryptionKey);
    this.recovery = withConstructPath(this, () => this.recoverExecutions(recovery, states, redriving));
    if (isExpress) return;
    grantOwnExecutions(this, this.stateMachine, {
      ...props,
      redriving,
      recovery: this.recovery?.stateMachine,
    });
    this.outcomes = this.outcomesWithin(states.stepTimeout);
  }

  /**
   * Starts the workflow from this source too.
   *
   * @throws Error where the workflow has a source of the same id already
   */
  startFrom(source: IWorkflowSource): this {
    withConstructPath(this, () => {
      if (typeof source?.bind !== 'function') {
        throw new Error(
          `\`startFrom\` takes a source such as Source.eventBridge(bus, pattern), got ${describeValue(source)}`,
        );
      }
      const id = `Source${source.id}`;
      if (this.node.tryFindChild(id)) {
        throw new Error(
          `the workflow already has a source with the id '${source.id}'. Give one of them another id: { id: '…' }`,
        );
      }
      source.bind(new Construct(this, id), this);
    });
    this.sources.push(source);
    return this;
  }

  protected get isLogCounted(): boolean {
    return this.props.metrics ?? false;
  }

  protected get hasDestination(): boolean {
    return this.props.onFailure !== undefined;
  }

  private outcomesWithin(stepTimeout: Duration): Outcomes {
    const { records: table, recordScope, keyAndPayload, stateMachine } = this;
    const isRecovered = this.recovery !== undefined;
    return outcomesOf(this.props, {
      table,
      recordScope,
      keyAndPayload,
      stepTimeout,
      stateMachine,
      isRecovered,
    });
  }

  private recoverExecutions(
    recovery: Recovery,
    { gracePeriod, variant }: IdempotentStates,
    redriveFunction: IFunction | undefined,
  ): WorkflowRecovery | undefined {
    const { onFailure, onSuccess, formerStateMachines } = this.props;
    if (!recovery.searchEvery) return undefined;
    if (!isOfTheInput(this.keyAndPayload)) {
      throw new Error(`\`recovery\` ${OF_THE_INPUT}`);
    }
    const { retention = RETENTION_DEFAULT, failedRetention = retention } = this.props;
    return new WorkflowRecovery(this, 'Recovery', {
      workflow: this.stateMachine,
      table: this.records,
      scope: this.recordScope,
      key: this.keyAndPayload.key,
      variant,
      redriveFunction,
      onFailure,
      onSuccess: onSuccess?.target && onSuccess,
      formerStateMachines,
      stepTimeout: gracePeriod,
      retentions: [retention, failedRetention],
      searchEvery: recovery.searchEvery,
      isMeasured: this.isLogCounted,
      redelivery: redeliveryOf(this.props),
    });
  }

  /** For sources: the state machine that starts a delivery under the name of its key, defined within `scope`. */
  startByKey(scope: Construct, options: StartByKeyOptions = {}): IStateMachine {
    const { formerStateMachines, executionNames = 'readable' } = this.props;
    const { key, payload } = this.keyAndPayload;
    const { volatile = [], empty = [], deadLetterQueue, records, namesRecord = false } = options;
    requireContent(key, empty);
    const isExpress = this.props.type === 'EXPRESS';
    if (!isExpress || volatile.length > 0) requireOfTheEvent(this.keyAndPayload, volatile, isExpress);
    if (volatile.length > 0) advisePayload(this, payload, { volatile, isExpress });
    if (isExpress) return this.stateMachine;
    if (deadLetterQueue) adviseFailures(this, this.props);
    const dispatcher = new Dispatcher(scope, 'Dispatcher', {
      stateMachine: this.stateMachine,
      formerStateMachines: namesOfStateMachines(formerStateMachines),
      table: this.records,
      scope: this.recordScope,
      key,
      executionNames,
      payload: payload?.jsonata,
      volatile,
      deadLetterQueue: deadLetterQueue?.(),
      records,
      namesRecord,
    });
    if (this.isLogCounted) {
      countDispatcherLog(dispatcher, dispatcher.logGroup, namespaceOf(this.stateMachine));
    }
    return dispatcher.stateMachine;
  }
}

/** What recovery needs of a key and a payload. */
const OF_THE_INPUT =
  'delivers an input again in another execution, in which $states.context has other values: take `idempotencyKey` and ' +
  '`payload` from $states.input, or choose Recovery.none()';

/** The longest an Express execution may last. */
const EXPRESS_TIMEOUT_MAX = Duration.minutes(5);

/** Undefined for a chain: how long that takes nobody knows. */
function longestRunOf(props: IdempotentWorkflowProps, maxStepDuration: Duration): Duration | undefined {
  if (!isFunction(props.step)) return undefined;
  return maxStepDuration.plus(props.onDuplicateInProgress?.total ?? Duration.seconds(0));
}

function validate(props: IdempotentWorkflowProps, scope: string, stack: Stack): void {
  validateFormerStateMachines(props.formerStateMachines, stack);
  validateScope(scope);
  validateStep(props.step);
  validateExecutionNames(props.executionNames);
  validateDuration(props.retention, 'retention');
  validateDuration(props.failedRetention, 'failedRetention');
  validateDuration(props.stepTimeout, 'stepTimeout');
  validateDuration(props.timeout, 'timeout');
  validateRetention(props.retention, 'retention');
  validateRetention(props.failedRetention, 'failedRetention');
  validateType(props);
  validateDelivery(props.delivery);
  validateChoices(props);
  validateRecovery(props.recovery, props.type === 'EXPRESS');
}

function acknowledgeFindings(
  stateMachine: StateMachine,
  { type, metrics }: Pick<IdempotentWorkflowProps, 'type' | 'metrics'>,
): void {
  const isExpress = type === 'EXPRESS';
  const kept = isExpress
    ? 'errors are logged; if that is not enough, set logs'
    : 'Step Functions keeps the history of each execution for 90 days; if that is not enough, set logs';
  if (!metrics) acknowledge(stateMachine, FINDING.notAllLogged, kept);
  if (isExpress || metrics)
    acknowledge(stateMachine, FINDING.wildcard('*'), 'the log delivery operations know no resource');
  acknowledge(stateMachine, FINDING.notTraced, 'the history of an execution contains each of its steps');
}
