import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  type CatchProps,
  FieldUtils,
  type IChainable,
  type INextable,
  type Parallel,
  QueryLanguage,
  type RetryProps,
  type State,
  type StateMachine,
  StateMachineFragment,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { type Construct, Node } from 'constructs';
import { expression } from '../state-machine/contract/jsonata';
import { STATE } from '../state-machine/contract/state-names';
import type { KeyAndPayload } from '../state-machine/expression/same-in-each-delivery';
import { atSynthesis } from '../state-machine/template/at-synthesis';
import { noted } from '../state-machine/template/noted';
import { requireUnchanged } from '../state-machine/template/require-unchanged';
import type { ResolvedTime } from '../state-machine/template/resolved-time';
import { validateNames } from '../state-machine/words/validate-names';
import { IdempotentStates } from '../state-machine/workflow/idempotent-states';
import { acknowledgeCalls } from './cdk/acknowledge';
import { adviseVersions, grantAllVersions } from './cdk/called-functions';
import { grantOwnKey, grantTableKey } from './cdk/customer-key';
import { RETENTION_DEFAULT } from './cdk/defaults';
import { noteFragment } from './cdk/granted-fragments';
import { OrderedParallel } from './cdk/ordered-definition';
import { executionArns, grantExecutions } from './cdk/own-executions';
import { requireOwn } from './cdk/resource-bounds';
import { withConstructPath } from './cdk/with-construct-path';
import { FRAGMENT_PROPS, type IdempotentFragmentProps } from './idempotent-fragment-props';
import { sharedRedriveFunction } from './nested/redrive-function';
import { acknowledgeResults, expireResults } from './nested/result-expiry';
import { recordTableOf } from './record-table';
import { placementProblems } from './validation/fragment-placement';
import { requireStateMachine } from './validation/props';
import { durableProblems, overlapProblems, statesOfStep, stepProblems } from './validation/step';
import { tableProblems, validateTable } from './validation/table';
import { validateVariables } from './validation/variables';
import { validateFragmentProps } from './validation/workflow-props';

/**
 * One step of your own Standard state machine, run once per idempotency key: the same claim, step and record as in
 * an {@link IdempotentWorkflow}, as one Parallel state that the step's result comes out of.
 *
 * It fails with the step's own error once that is recorded, or with an error `Idempotency.*` that leaves it open, or
 * with the error of a DynamoDB that did not answer for hours. An inline Map may run it for several items at once, also
 * for items with one key. Catch its errors within the Map. An error that ends the Map, or a Parallel, interrupts the
 * others within their steps, and those run again. A duplicate that finds that the owner has ended redrives the owner's
 * whole execution from its failed state. If the owner failed three times more, or has succeeded without coming back to
 * the record, the duplicate takes over from it.
 *
 * A result above 50,000 characters, or with numbers that JSONata cannot write exactly, is kept in the bucket of
 * `results`; without one it is not kept, and duplicates fail with `Idempotency.ResultUnavailable`.
 *
 * @example
 * const charge = new IdempotentFragment(this, 'Charge', { table, idempotencyKey: '{% $states.input.order %}', step });
 * const definitionBody = DefinitionBody.fromChainable(charge.next(ship));
 * const orders = new StateMachine(this, 'Orders', { definitionBody, queryLanguage: QueryLanguage.JSONATA });
 * charge.grantTo(orders);
 */
export class IdempotentFragment extends StateMachineFragment {
  readonly startState: Parallel;
  readonly endStates: INextable[];
  private readonly props: IdempotentFragmentProps;
  private readonly stateMachines: StateMachine[] = [];
  private readonly redriving: IFunction | undefined;
  private readonly gracePeriod: ResolvedTime;
  private readonly keyAndPayload: KeyAndPayload;
  private readonly businessStep: State;

  constructor(scope: Construct, id: string, props: IdempotentFragmentProps) {
    super(scope, id);
    this.props = props;
    withConstructPath(this, () => validateNames('IdempotentFragment', props, FRAGMENT_PROPS));
    const recordScope = props.scope ?? id;
    const table = recordTableOf(props.table);
    withConstructPath(this, () => {
      validateFragmentProps(id, props, recordScope, this);
      validateTable(this, table, { scope: recordScope, isScopeGiven: props.scope !== undefined });
    });
    this.redriving = props.redrive?.isDirect ? undefined : sharedRedriveFunction(this);

    const states = withConstructPath(
      this,
      () =>
        new IdempotentStates(this, 'States', {
          ...props,
          table,
          scope: recordScope,
          retention: props.retention ?? RETENTION_DEFAULT,
          isFragment: true,
          ...(this.redriving && { redriveFunction: this.redriving }),
        }),
    );
    this.gracePeriod = states.gracePeriod;
    this.keyAndPayload = states.keyAndPayload;
    this.businessStep = states.businessStep;
    expireResults(this, { ...props, recordScope });
    const prefix = `${id}: `;
    states.prefixStates(prefix);
    const names = Object.values(STATE).map(name => `${prefix}${name}`);
    // A Parallel state has variables of its own, and catchers for all that goes wrong within it.
    this.startState = new OrderedParallel(this, 'Parallel', names, {
      queryLanguage: QueryLanguage.JSONATA,
      stateName: id,
      comment: 'Runs once per idempotency key',
      outputs: expression('$exists($states.result[0]) ? $states.result[0] : null'),
    }).branch(states);
    this.endStates = [this.startState];
    atSynthesis(this, () => adviseVersions(this, statesOfStep(states.businessStep)));
    this.node.addValidation({
      validate: () => [
        ...tableProblems(table),
        ...durableProblems(states.businessStep),
        ...overlapProblems(states.businessStep, props.stepTimeout),
        ...stepProblems(states.businessStep, props.stepTimeout !== undefined, this.stateMachines),
        ...placementProblems({
          path: Node.of(this).path,
          stateName: this.startState.stateId,
          stateMachines: this.stateMachines,
          maxStepDuration: states.maxStepDuration,
          key: states.keyAndPayload.key,
          waitsUpTo: props.onDuplicateInProgress?.total,
        }),
      ],
    });
  }

  /**
   * Where to go on after an error; the first catcher whose errors fit decides.
   *
   * @throws Error for `resultPath`, which states in JSONata do not have, and for a path in `outputs` or `assign`
   */
  addCatch(handler: IChainable, props?: CatchProps): this {
    if (props?.resultPath !== undefined) {
      throw new Error(
        '`resultPath` works only in JSONPath, and an IdempotentFragment is written in JSONata, even in a state machine in ' +
          'JSONPath. Use `outputs` instead: \'{% $merge([$states.input, {"error": $states.errorOutput}]) %}\'',
      );
    }
    const { outputs, assign } = props ?? {};
    const [path] = FieldUtils.findReferencedPaths({ outputs, assign });
    if (path !== undefined) {
      throw new Error(
        `\`addCatch\` of an IdempotentFragment takes JSONata, where ${path} is plain text. Write ` +
          "{% $states.errorOutput.Error %} for the error's name, or {% $states.input… %}",
      );
    }
    this.startState.addCatch(handler, props);
    return this;
  }

  /** Tries again after an error: the step runs again only if its failure was recorded, as the next attempt. */
  addRetry(props?: RetryProps): this {
    this.startState.addRetry(props);
    return this;
  }

  /**
   * Lets the state machine that the fragment is in ask about its own executions and redrive them, and use the table's
   * key. Rejected at synth: another state machine than that, and one whose timeout ends an execution before it can
   * record what became of the step.
   *
   * @throws Error for an Express state machine, whose executions can be neither asked about nor redriven
   */
  grantTo(stateMachine: StateMachine): this {
    withConstructPath(this, () => requireStateMachine('grantTo', stateMachine));
    if (stateMachine.stateMachineType === StateMachineType.EXPRESS) {
      throw new Error(
        '`IdempotentFragment` needs a STANDARD state machine, because an Express execution cannot be resumed. ' +
          'Use IdempotentWorkflow with `type`: EXPRESS',
      );
    }
    withConstructPath(this, () => requireOwn('grantTo', stateMachine, stateMachine.stateMachineArn, this));
    const property = { 'AWS::StepFunctions::StateMachine': ['StateMachineType'] };
    requireUnchanged(stateMachine, property, stateMachine.stateMachineType, 'Use another state machine');
    const isGrantedBefore = this.stateMachines.includes(stateMachine);
    this.stateMachines.push(stateMachine);
    if (!isGrantedBefore) {
      const { retention = RETENTION_DEFAULT, failedRetention = retention } = this.props;
      noteFragment(stateMachine, {
        stateName: this.startState.stateId,
        keyAndPayload: this.keyAndPayload,
        stepTimeout: this.gracePeriod,
        storesResults: this.props.results !== undefined,
        retentions: [retention, failedRetention],
      });
    }
    withConstructPath(this, () => validateVariables(stateMachine));
    grantTableKey(stateMachine, recordTableOf(this.props.table).table.encryptionKey);
    // A state machine without a name has no usable permission for its key from CDK.
    grantOwnKey(stateMachine);
    grantAllVersions(stateMachine, statesOfStep(this.businessStep));
    acknowledgeCalls(stateMachine, [this.props.step, this.redriving]);
    const recordScope = this.props.scope ?? this.node.id;
    acknowledgeResults(stateMachine, { ...this.props, recordScope });
    // Who redrives the executions: one policy serves all fragments that do it alike.
    const redrivers = noted(stateMachine, 'Redrivers', () => new Set<IFunction | undefined>());
    // Another fragment's policy does not name the former state machines of this one.
    const isServed = redrivers.has(this.redriving) && !this.props.formerStateMachines?.length;
    if (isGrantedBefore || isServed) return this;
    // The policies of the machine's first fragment are at the machine; one that redrives otherwise has its own.
    const scope = redrivers.size === 0 ? stateMachine : this;
    redrivers.add(this.redriving);
    const resources = executionArns(stateMachine, this.props.formerStateMachines);
    const { redriving } = this;
    const own = redriving
      ? ['states:DescribeExecution']
      : ['states:DescribeExecution', 'states:RedriveExecution'];
    grantExecutions(scope, 'OwnExecutions', [{ roles: [stateMachine.role], actions: own, resources }]);
    if (!redriving?.role) return this;
    const redrive = { roles: [redriving.role], actions: ['states:RedriveExecution'], resources };
    grantExecutions(scope, 'RedriveOwnExecutions', [redrive]);
    return this;
  }
}
