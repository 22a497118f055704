import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { LogLevel, type StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { FRONT_DOOR_STATE } from '../../state-machine/contract/state-names';
import { FrontDoorFragment } from '../../state-machine/front-door/front-door-fragment';
import type { FrontDoorProps } from '../../state-machine/front-door/front-door-props';
import { acknowledge, FINDING, written } from '../cdk/acknowledge';
import { executionLogs } from '../cdk/logs';
import { WILDCARD_REASON } from '../cdk/own-executions';
import { internalStateMachine } from './internal-state-machine';
import { acknowledgeResults } from './result-expiry';

/** Settings of a {@link FrontDoor}. */
export interface FrontDoorConstructProps extends FrontDoorProps {
  /** The ARNs, as patterns, of all executions that may own a record of the workflow. */
  readonly executionArns: readonly string[];
}

/** The Express state machine that answers requests for a workflow. Its errors are logged for a month, without data. */
export class FrontDoor extends Construct {
  readonly stateMachine: StateMachine;
  readonly logGroup: ILogGroup;

  constructor(scope: Construct, id: string, props: FrontDoorConstructProps) {
    super(scope, id);
    const logs = executionLogs(this, LogLevel.ERROR);
    this.logGroup = logs.destination;
    const stateMachine = internalStateMachine(this, 'StateMachine', {
      comment: props.isExpress
        ? 'Answers an HTTP request: calls the workflow, and reads the record'
        : 'Answers an HTTP request: starts the workflow under the name of its key, and waits for the record',
      deployed: { machine: 'frontDoor' },
      states: new FrontDoorFragment(this, 'Answer', props),
      names: Object.values(FRONT_DOOR_STATE),
      express: {
        timeout: FRONT_DOOR_TIMEOUT,
        logs,
        whyErrorsOnly: 'errors are logged; every request ends in its answer',
        whyNotTraced: 'it is over in seconds, and what it starts has a history',
      },
    });
    const { results, scope: recordScope } = props;
    acknowledgeResults(stateMachine, { ...(results && { results }), recordScope });
    props.table.table.encryptionKey?.grantDecrypt(stateMachine);
    this.stateMachine = stateMachine;
    if (props.isExpress) return;
    const resources = [...props.executionArns];
    stateMachine.addToRolePolicy(new PolicyStatement({ actions: ['states:DescribeExecution'], resources }));
    for (const one of resources) {
      acknowledge(stateMachine, FINDING.wildcard(written(scope, one)), WILDCARD_REASON);
    }
  }
}

/** API Gateway times out after 29 seconds: an execution that ends before is answered. */
const FRONT_DOOR_TIMEOUT = Duration.seconds(28);
