import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { SEARCH_STATE } from '../../state-machine/contract/state-names';
import { RecoveryFragment, type RecoveryJudge } from '../../state-machine/recovery/recovery-fragment';
import { SearchFragment } from '../../state-machine/recovery/search-fragment';
import {
  namesOfStateMachines,
  type StateMachineReference,
} from '../../state-machine/template/state-machine-names';
import { acknowledgeCalls } from '../cdk/acknowledge';
import { endedExecutions, endedInput } from '../cdk/ended-executions';
import { EventRule, FEWER_FORMER } from '../cdk/event-rule';
import { type ExecutionGrant, executionArns } from '../cdk/own-executions';
import { rulesTarget } from '../cdk/service-role';
import type { OwnValue } from '../cdk/shared-definitions';
import { internalStateMachine } from './internal-state-machine';

/** Settings that recovery of any state machine has. */
export interface CommonProps {
  /** The state machine whose executions are recovered. */
  readonly workflow: StateMachine;
  /** State machines whose executions are recovered as well: the workflow has had them before. */
  readonly formerStateMachines?: readonly StateMachineReference[] | undefined;
  /** How often it searches for executions that ended without an event. */
  readonly searchEvery: Duration;
  /** Where each search puts the age of the oldest unfinished key as a metric; undefined: nowhere. */
  readonly metricNamespace?: string | undefined;
  /** What tells its definitions from those of another workflow. @default - what they refer to */
  readonly ownValues?: readonly OwnValue[];
}

/** Settings of {@link RecoveryMachines}. */
export interface RecoveryMachinesProps extends CommonProps {
  /** Decides about one execution. */
  readonly judge: RecoveryJudge;
  /** The names of the states, in order. */
  readonly names: readonly string[];
  /** What it asks about executions of the workflow beside DescribeExecution, by the names of operations. */
  readonly asks: readonly string[];
  /** How often it redrives one owner; undefined: it redrives none. */
  readonly maxRedrives?: number;
  /** Whether it redrives executions, and the function that does so for it, if it has one. */
  readonly redrives?: { readonly redriveFunction: IFunction | undefined };
}

/**
 * The two state machines that complete the events of ended executions, and what starts them. One recovers one
 * execution, and a status change starts it. The other searches on a schedule for executions that ended without a status
 * change. They have one role.
 */
export class RecoveryMachines extends Construct {
  /** Recovers one execution. If its own execution fails, its retries are exhausted, and an operator must decide. */
  readonly stateMachine: StateMachine;
  /** Finds executions that ended without an event. */
  readonly search: StateMachine;
  /** How often it searches for them. */
  readonly searchEvery: Duration;
  /** What it needs to be granted: {@link grantExecutions}. */
  readonly grants: readonly ExecutionGrant[];

  constructor(scope: Construct, id: string, props: RecoveryMachinesProps) {
    super(scope, id);
    const { workflow, searchEvery, metricNamespace } = props;
    this.searchEvery = searchEvery;
    const { stateMachineArn } = workflow;
    const formerArns = formerArnsIn(this, props);
    this.stateMachine = internalStateMachine(this, 'StateMachine', {
      encryptedLike: workflow,
      comment: 'Completes the event of an execution that ended unfinished',
      deployed: {
        machine: 'recovery',
        ...(props.maxRedrives !== undefined && { maxRedrives: props.maxRedrives }),
      },
      names: props.names,
      ...(props.ownValues && { ownValues: props.ownValues }),
      states: new RecoveryFragment(this, 'Recover', props.judge),
    });
    this.search = internalStateMachine(this, 'SearchStateMachine', {
      encryptedLike: workflow,
      role: this.stateMachine.role,
      comment: 'Finds executions that ended unfinished without an event',
      deployed: { machine: 'search' },
      names: Object.values(SEARCH_STATE),
      ...(props.ownValues && { ownValues: props.ownValues }),
      states: new SearchFragment(this, 'Search', {
        stateMachineArn,
        recoveryArn: this.stateMachine.stateMachineArn,
        formerArns,
        ...(metricNamespace !== undefined && { metricNamespace }),
      }),
    });
    this.grants = this.grantsOf(props);
    acknowledgeCalls(this.stateMachine, [props.redrives?.redriveFunction]);
    const ended = {
      description: 'Executions that might have ended unfinished',
      eventPattern: endedExecutions({
        stateMachineArns: [stateMachineArn, ...formerArns],
        statuses: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        // Rejected duplicates cost nothing: the event contains the error. If it did not, the first state of recovery,
        // or its record, would find the same.
        exceptErrors: props.judge.nothingToRecover,
      }),
      targets: [rulesTarget(this.stateMachine, { input: endedInput(stateMachineArn) })],
    };
    new EventRule(this, 'Ended', ended, FEWER_FORMER);
    new Rule(this, 'Schedule', {
      description: 'Searches for executions that ended unfinished without an event',
      schedule: Schedule.rate(searchEvery),
      targets: [rulesTarget(this.search, { input: RuleTargetInput.fromObject({}) }, this.stateMachine)],
    });
  }

  private grantsOf(props: RecoveryMachinesProps): ExecutionGrant[] {
    const { workflow, asks, redrives, metricNamespace, formerStateMachines } = props;
    const { stateMachine, search } = this;
    const recovered = executionArns(workflow, formerStateMachines);
    const own = executionArns(stateMachine, undefined);
    const lists = [workflow, stateMachine, search].map(machine => machine.stateMachineArn);
    const roles = [stateMachine.role];
    const may = (actions: readonly string[], resources: readonly string[]) => ({
      roles,
      actions: actions.map(one => `states:${one}`),
      resources,
    });
    return [
      may(['DescribeExecution'], [...recovered, ...own]),
      ...(asks.length > 0 ? [may(asks, recovered)] : []),
      may(['StartExecution'], [stateMachine.stateMachineArn, workflow.stateMachineArn]),
      may(['ListExecutions'], [...lists, ...formerArnsIn(this, props)]),
      ...(redrives
        ? [
            {
              ...may(['RedriveExecution'], recovered),
              roles: [redrives.redriveFunction?.role ?? stateMachine.role],
            },
          ]
        : []),
      ...(metricNamespace === undefined
        ? []
        : [
            {
              roles,
              actions: ['cloudwatch:PutMetricData'],
              resources: ['*'],
              conditions: { StringEquals: { 'cloudwatch:namespace': metricNamespace } },
            },
          ]),
    ];
  }
}

/** The ARNs of the state machines that a workflow has had before. */
export function formerArnsIn(
  scope: Construct,
  { formerStateMachines }: Pick<CommonProps, 'formerStateMachines'>,
): readonly string[] {
  return namesOfStateMachines(formerStateMachines).map(resourceName =>
    Stack.of(scope).formatArn({
      service: 'states',
      resource: 'stateMachine',
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
}

/** A time in whole minutes that is no longer than half of each retention, as far as these are known at synth. */
export function twiceWithin(retentions: readonly Duration[], atMost: Duration): Duration {
  const known = retentions.filter(retention => !retention.isUnresolved());
  const minutes = known.map(retention => Math.floor(retention.toSeconds() / (2 * 60)));
  return Duration.minutes(Math.max(1, Math.min(atMost.toMinutes(), ...minutes)));
}
