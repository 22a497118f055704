import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { LogLevel, QueryLanguage, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { FRONT_DOOR_STATE } from '../../state-machine/contract/state-names';
import { FrontDoorFragment } from '../../state-machine/front-door/front-door-fragment';
import type { FrontDoorProps as FragmentProps } from '../../state-machine/front-door/front-door-props';
import { acknowledge, FINDING, written } from '../cdk/acknowledge';
import { encrypt } from '../cdk/customer-key';
import { executionLogs } from '../cdk/logs';
import { OrderedDefinitionBody } from '../cdk/ordered-definition';
import { acknowledgeResults } from './keep-results';
import { REASON } from './own-executions';

/** Settings of a {@link FrontDoor}. */
export interface FrontDoorProps extends FragmentProps {
  /** The ARNs, as patterns, of all executions that may own a record of the workflow. */
  readonly executionArns: readonly string[];
}

/** The Express state machine that answers requests for a workflow. Its errors are logged for a month, without data. */
export class FrontDoor extends Construct {
  readonly stateMachine: StateMachine;
  readonly logGroup: ILogGroup;

  constructor(scope: Construct, id: string, props: FrontDoorProps) {
    super(scope, id);
    const logs = executionLogs(this, LogLevel.ERROR);
    this.logGroup = logs.destination;
    const stateMachine = new StateMachine(this, 'StateMachine', {
      comment:
        'Answers an HTTP request: starts the workflow under the name of its key, and waits for the record',
      queryLanguage: QueryLanguage.JSONATA,
      stateMachineType: StateMachineType.EXPRESS,
      timeout: FRONT_DOOR_TIMEOUT,
      logs,
      definitionBody: new OrderedDefinitionBody(
        new FrontDoorFragment(this, 'Answer', props),
        Object.values(FRONT_DOOR_STATE),
      ),
    });
    encrypt(stateMachine);
    const { results, scope: recordScope } = props;
    acknowledgeResults(stateMachine, { ...(results && { results }), recordScope });
    props.table.table.encryptionKey?.grantDecrypt(stateMachine);
    const resources = [...props.executionArns];
    stateMachine.addToRolePolicy(new PolicyStatement({ actions: ['states:DescribeExecution'], resources }));
    for (const one of resources) {
      acknowledge(stateMachine, FINDING.wildcard(written(scope, one)), REASON);
    }
    acknowledge(stateMachine, FINDING.wildcard('*'), 'the log delivery operations know no resource');
    acknowledge(stateMachine, FINDING.notAllLogged, 'errors are logged; every request ends in its answer');
    acknowledge(stateMachine, FINDING.notTraced, 'it is over in seconds, and what it starts has a history');
    this.stateMachine = stateMachine;
  }
}

/** API Gateway gives up after 29 seconds: an execution that is over before is answered. */
const FRONT_DOOR_TIMEOUT = Duration.seconds(28);
