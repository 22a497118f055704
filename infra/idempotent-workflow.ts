import { Duration, Lazy } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Variant } from '../state-machine/contract/variant';
import { adviseItem, parseInputExpression, requireKept } from '../state-machine/expression/input-expression';
import {
  type KeyAndPayload,
  requireOfTheEvent,
  requireSameInEachExecution,
} from '../state-machine/expression/same-in-each-delivery';
import { adviseExactness } from '../state-machine/expression/step-input-and-result';
import type { IRecordTable } from '../state-machine/settings';
import { atSynthesis } from '../state-machine/template/at-synthesis';
import { ResolvedTime } from '../state-machine/template/resolved-time';
import { namesOfStateMachines } from '../state-machine/template/state-machine-names';
import { describeValue } from '../state-machine/words/describe-value';
import { validateNames } from '../state-machine/words/validate-names';
import { IdempotentStates } from '../state-machine/workflow/idempotent-states';
import { isFunction } from '../state-machine/workflow/states/business-step';
import { encryptWithin, grantTableKey } from './cdk/customer-key';
import { RETENTION_DEFAULT } from './cdk/defaults';
import { type ExecutionGrant, executionArns, grantExecutions } from './cdk/own-executions';
import { applyRemovalPolicy, KEPT } from './cdk/removal-policy';
import { type OwnValue, ownText } from './cdk/shared-definitions';
import { withConstructPath } from './cdk/with-construct-path';
import { type IdempotentWorkflowProps, WORKFLOW_PROPS } from './idempotent-workflow-props';
import { countDispatcherLog, namespaceOf } from './metrics/log-counts';
import { WorkflowMetrics } from './metrics/workflow-metrics';
import { Dispatcher, SYNCHRONOUS_TIMEOUT } from './nested/dispatcher';
import { redriveFunction } from './nested/redrive-function';
import { configureResultExpiry } from './nested/result-expiry';
import { WorkflowRecovery } from './nested/workflow-recovery';
import { RecordTable, recordTableOf } from './record-table';
import { Recovery } from './recovery';
import { redeliveryOf } from './redeliver-failed';
import { inputOf } from './sources/envelope/envelopes';
import { expressionsOver, optionExpression } from './sources/envelope/option-expressions';
import { requireEnvelope } from './sources/envelope/require-envelope';
import { type Outcomes, outcomesOf } from './sources/outcomes';
import type { IStartableWorkflow, IWorkflowSource, StartByKeyOptions } from './sources/workflow-source';
import { adviseFailures, advisePayload, adviseRecovery, adviseScope } from './validation/advice';
import { validateTimeout } from './validation/props';
import { tableProblems, validateTable } from './validation/table';
import { validateWorkflowProps } from './validation/workflow-props';
import { workflowMachine } from './workflow-machine';

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
export class IdempotentWorkflow extends WorkflowMetrics implements IStartableWorkflow {
  readonly stateMachine: StateMachine;
  readonly table: ITable;
  /** What stands before the key in a record: the table's partition key is `<recordScope>#<key>`. */
  readonly recordScope: string;
  readonly startsWithin: Duration;
  readonly usualDuration: ResolvedTime;
  readonly outcomes: Outcomes | undefined;
  readonly reading: Outcomes;
  private readonly records: IRecordTable;
  private readonly keyAndPayload: KeyAndPayload;
  private readonly variant: Variant;
  private readonly ownValues: readonly OwnValue[];
  /** Completes keys whose execution ended early; undefined without recovery. */
  readonly recovery: WorkflowRecovery | undefined;
  protected readonly longestRun: ResolvedTime | undefined;

  constructor(scope: Construct, id: string, props: IdempotentWorkflowProps) {
    super(scope, id, props);
    const isExpress = props?.type === 'EXPRESS';
    withConstructPath(this, () => {
      validateNames('IdempotentWorkflow', props, WORKFLOW_PROPS);
      validateWorkflowProps(props, props.scope ?? id, this);
      encryptWithin(this, props.encryptionKey);
    });
    this.recordScope = props.scope ?? id;
    this.records = withConstructPath(this, () => this.recordsIn(props.table));
    this.table = this.records.table;

    const { recovery = isExpress ? Recovery.none() : Recovery.automatic() } = props;
    const isRedrivenByFunction = recovery.searchEvery !== undefined && !props.redrive?.isDirect;
    const redriving = isRedrivenByFunction ? redriveFunction(this) : undefined;
    const { timeout = isExpress ? EXPRESS_TIMEOUT_MAX : undefined } = props;
    const states = withConstructPath(this, () => this.statesOf(recovery, timeout));
    this.keyAndPayload = states.keyAndPayload;
    this.variant = states.variant;
    this.ownValues = this.valuesOf(states);
    this.longestRun = timeout ? ResolvedTime.of(timeout) : longestRunOf(props, states.maxStepDuration);
    this.stateMachine = withConstructPath(this, () =>
      workflowMachine(this, { states, timeout, ownValues: this.ownValues, props }),
    );
    applyRemovalPolicy(this, props.removalPolicy ?? KEPT);
    configureResultExpiry(this, this.stateMachine, { ...props, recordScope: this.recordScope });
    grantTableKey(this.stateMachine, this.table.encryptionKey);
    adviseScope(this, props.scope);
    adviseRecovery(this, isExpress || recovery.searchEvery !== undefined);

    this.usualDuration = states.usualDuration;
    this.startsWithin = isExpress && timeout ? timeout : SYNCHRONOUS_TIMEOUT;
    this.recovery = withConstructPath(this, () => this.recoverExecutions(recovery, states, redriving));
    this.reading = this.outcomesWithin(states);
    if (isExpress) return;
    grantExecutions(this, 'OwnExecutions', this.grants());
    this.outcomes = this.reading;
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
      if (typeof source.id !== 'string' || source.id === '') {
        throw new Error(
          `the \`id\` of a source must be a text such as 'Refunds', got ${describeValue(source.id)}`,
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

  private recordsIn(table: IdempotentWorkflowProps['table']): IRecordTable {
    const { encryptionKey, scope } = this.props;
    const records = recordTableOf(
      table ?? new RecordTable(this, 'Records', { ...(encryptionKey && { encryptionKey }) }),
    );
    validateTable(this, records, { scope: this.recordScope, isScopeGiven: scope !== undefined });
    this.node.addValidation({ validate: () => tableProblems(records) });
    return records;
  }

  private statesOf({ searchEvery }: Recovery, timeout: Duration | undefined): IdempotentStates {
    const { props } = this;
    const states = new IdempotentStates(this, 'Workflow', {
      ...props,
      table: this.records,
      scope: this.recordScope,
      retention: props.retention ?? RETENTION_DEFAULT,
      ...(props.type === 'EXPRESS' && timeout && { expressTimeout: timeout }),
      ...(searchEvery && {
        recoveryArn: Lazy.string({ produce: () => this.recovery?.stateMachine.stateMachineArn ?? '' }),
      }),
    });
    if (timeout) {
      const { total } = props.onDuplicateInProgress ?? {};
      atSynthesis(this, () => validateTimeout(timeout, states.maxStepDuration.seconds(), total));
    }
    return states;
  }

  /** What the definitions of this workflow contain, and those of another workflow do not. */
  private valuesOf({ keyAndPayload: { key, payload }, gracePeriod }: IdempotentStates): readonly OwnValue[] {
    const { retention = RETENTION_DEFAULT, failedRetention = retention } = this.props;
    const kept = [retention, failedRetention].map(one => (one.isUnresolved() ? undefined : one.toSeconds()));
    const shortest = Math.min(...kept.map(one => one ?? Number.POSITIVE_INFINITY));
    return [
      this.recordScope,
      payload?.jsonata,
      gracePeriod,
      ...kept,
      gracePeriod.map(step => (shortest - step) * 1000),
      isFunction(this.props.step) ? ownText(this, this.props.step.functionArn) : undefined,
      ...key.parts.map(one => one.jsonata),
    ];
  }

  private grants(): readonly ExecutionGrant[] {
    const { recovery, stateMachine } = this;
    const resources = executionArns(stateMachine, this.props.formerStateMachines);
    const own = { roles: [stateMachine.role], actions: ['states:DescribeExecution'], resources };
    if (!recovery) return [own];
    const start = { actions: ['states:StartExecution'], resources: [recovery.stateMachine.stateMachineArn] };
    return [own, { roles: [stateMachine.role], ...start }, ...recovery.grants];
  }

  private outcomesWithin({ stepTimeout, runTime }: IdempotentStates): Outcomes {
    const { records: table, recordScope, keyAndPayload, stateMachine } = this;
    const isRecovered = this.recovery !== undefined;
    return outcomesOf(this.props, {
      table,
      recordScope,
      keyAndPayload,
      stepTimeout,
      runTime,
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
    requireSameInEachExecution(this.keyAndPayload, ', or choose Recovery.none()');
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
      metricNamespace: this.props.metrics ? namespaceOf(this.stateMachine) : undefined,
      redelivery: redeliveryOf(this.props),
      ownValues: this.ownValues,
    });
  }

  /** For sources: the state machine that starts a delivery under the name of its key, defined within `scope`. */
  startByKey(scope: Construct, options: StartByKeyOptions = {}): IStateMachine {
    const { formerStateMachines, executionNames = 'readable' } = this.props;
    const { key, payload } = this.keyAndPayload;
    const {
      volatile = [],
      envelope,
      keep,
      deadLetterQueue,
      record,
      isRedelivered = false,
      namesRecord = false,
    } = options;
    const input = options.input === undefined ? undefined : parseInputExpression(options.input);
    if (input) {
      requireKept(input, volatile);
      adviseExactness(scope, { input: input.text });
      adviseItem(scope, input);
    }
    // What an `input` makes has none of them, unless it says so.
    const seen = input ? [] : volatile;
    if (envelope) {
      const made = input && optionExpression('input', input);
      const delivered = inputOf(envelope, keep);
      requireEnvelope(expressionsOver(this.keyAndPayload, this.props), { envelope, delivered, input: made });
    }
    const isExpress = this.props.type === 'EXPRESS' && record === undefined;
    if (!isExpress || seen.length > 0) requireOfTheEvent(this.keyAndPayload, seen, isExpress);
    if (seen.length > 0) advisePayload(this, payload, { volatile: seen, isExpress });
    if (isExpress) return this.stateMachine;
    if (deadLetterQueue && !this.variant.isExpress) adviseFailures(this, this.props);
    // What runs an Express workflow starts nothing that could be counted: the workflow's own log has its executions.
    const isCounted = this.props.metrics === true && !this.variant.isExpress;
    const dispatcher = new Dispatcher(scope, 'Dispatcher', {
      stateMachine: this.stateMachine,
      hasRecovery: this.recovery !== undefined,
      formerStateMachines: namesOfStateMachines(formerStateMachines),
      table: this.records,
      scope: this.recordScope,
      key,
      executionNames,
      payload: payload?.jsonata,
      ownValues: this.ownValues,
      volatile,
      input: input?.jsonata,
      deadLetterQueue: deadLetterQueue?.(),
      record,
      isRedelivered,
      runs: this.variant.isExpress ? this.variant : undefined,
      namesRecord,
      isCounted,
    });
    if (isCounted) {
      countDispatcherLog(dispatcher, dispatcher.logGroup, namespaceOf(this.stateMachine));
    }
    return dispatcher.stateMachine;
  }
}

/** The longest an Express execution may last. */
const EXPRESS_TIMEOUT_MAX = Duration.minutes(5);

/** Undefined for a chain, because its time is unknown. */
function longestRunOf(
  props: IdempotentWorkflowProps,
  maxStepDuration: ResolvedTime,
): ResolvedTime | undefined {
  if (!isFunction(props.step)) return undefined;
  return maxStepDuration.plus(props.onDuplicateInProgress?.total ?? Duration.seconds(0));
}
