import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { ERROR, NOTHING_TO_RECOVER } from '../../state-machine/contract/error-names';
import { REDELIVERY_STATE } from '../../state-machine/contract/state-names';
import { RedeliveryFragment } from '../../state-machine/recovery/redelivery-fragment';
import type { RedeliverySettings } from '../../state-machine/recovery/redelivery-states';
import { acknowledge, FINDING, written } from '../cdk/acknowledge';
import { endedExecutions, endedInput } from '../cdk/ended-executions';
import { EventRule, FEWER_FORMER } from '../cdk/event-rule';
import { rulesTarget } from '../cdk/service-role';
import type { OwnValue } from '../cdk/shared-definitions';
import { internalStateMachine } from './internal-state-machine';

/** Settings of a {@link RedeliveryMachine}. */
export interface RedeliveryMachineProps extends Omit<RedeliverySettings, 'stateMachineArn'> {
  /** The workflow whose failed events are delivered again. */
  readonly workflow: StateMachine;
  /** The state machines that it has had before, by their ARNs: their failed events are delivered to it. */
  readonly formerArns: readonly string[];
  /** The executions of all of them, as ARNs with a wildcard. */
  readonly executions: readonly string[];
  /** What tells its definition from that of another workflow. */
  readonly ownValues: readonly OwnValue[] | undefined;
}

/** The state machine that delivers an event again whose step has failed, and the rule that starts it. */
export class RedeliveryMachine extends Construct {
  /** Redelivers one event. If its execution fails, the retries are exhausted, and an operator must decide. */
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: RedeliveryMachineProps) {
    super(scope, id);
    const { workflow, formerArns, executions, table } = props;
    const { stateMachineArn } = workflow;
    const states = new RedeliveryFragment(this, 'Redeliver', { ...props, stateMachineArn });
    this.stateMachine = internalStateMachine(this, 'StateMachine', {
      comment: 'Delivers an event again whose step has failed',
      deployed: { machine: 'redelivery' },
      states,
      names: Object.values(REDELIVERY_STATE),
      ...(props.ownValues && { ownValues: props.ownValues }),
      encryptedLike: workflow,
    });
    workflow.grantStartExecution(this.stateMachine);
    this.stateMachine.addToRolePolicy(
      new PolicyStatement({ actions: ['states:DescribeExecution'], resources: [...executions] }),
    );
    for (const one of executions) {
      const wildcard = FINDING.wildcard(written(this, one));
      acknowledge(this.stateMachine, wildcard, 'any execution of the workflow might have failed');
    }
    table.table.encryptionKey?.grantDecrypt(this.stateMachine);
    const failed = {
      description: 'Executions of the workflow whose step might have failed',
      eventPattern: endedExecutions({
        stateMachineArns: [stateMachineArn, ...formerArns],
        statuses: ['FAILED'],
        exceptErrors: [...NOTHING_TO_RECOVER, ERROR.invalidEvent],
      }),
      targets: [rulesTarget(this.stateMachine, { input: endedInput(stateMachineArn) })],
    };
    new EventRule(this, 'Failed', failed, FEWER_FORMER);
  }
}
