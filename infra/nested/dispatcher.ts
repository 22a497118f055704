import { Duration } from 'aws-cdk-lib';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { LogLevel, QueryLanguage, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { DISPATCHER_STATE } from '../../state-machine/contract/state-names';
import {
  DispatcherFragment,
  type DispatcherFragmentProps,
} from '../../state-machine/dispatcher/dispatcher-fragment';
import { RecordsFragment } from '../../state-machine/dispatcher/records-fragment';
import { acknowledge, FINDING } from '../cdk/acknowledge';
import { encrypt } from '../cdk/customer-key';
import { executionLogs } from '../cdk/logs';
import { OrderedDefinitionBody } from '../cdk/ordered-definition';

/** Settings of a {@link Dispatcher}. */
export interface DispatcherProps extends DispatcherFragmentProps {
  /** The list of what is delivered, an expression; absent: an input is one delivery. It needs a dead-letter queue. */
  readonly records?: string | undefined;
}

/**
 * The Express state machine that starts a workflow under the name of each delivery's key.
 *
 * Express executions can be seen in their logs only: errors are kept for a month, without data. A log of every event
 * would cost more than the dispatcher.
 */
export class Dispatcher extends Construct {
  readonly stateMachine: StateMachine;
  readonly logGroup: ILogGroup;

  constructor(scope: Construct, id: string, props: DispatcherProps) {
    super(scope, id);
    const logs = executionLogs(this, LogLevel.ERROR);
    this.logGroup = logs.destination;
    const stateMachine = new StateMachine(this, 'StateMachine', {
      comment: 'Starts the workflow under the name of the idempotency key',
      queryLanguage: QueryLanguage.JSONATA,
      stateMachineType: StateMachineType.EXPRESS,
      timeout: props.deadLetterQueue ? ASYNCHRONOUS_TIMEOUT : SYNCHRONOUS_TIMEOUT,
      logs,
      definitionBody: new OrderedDefinitionBody(fragmentFor(this, props), Object.values(DISPATCHER_STATE)),
    });
    encrypt(stateMachine);
    props.table.table.encryptionKey?.grantDecrypt(stateMachine);
    acknowledge(stateMachine, FINDING.wildcard('*'), 'the log delivery operations know no resource');
    acknowledge(
      stateMachine,
      FINDING.notAllLogged,
      'errors are logged; all else ends in the workflow, or in a queue',
    );
    acknowledge(stateMachine, FINDING.notTraced, 'it is over in a moment, and what it starts has a history');
    this.stateMachine = stateMachine;
  }
}

function fragmentFor(scope: Construct, { records, ...props }: DispatcherProps) {
  const { deadLetterQueue } = props;
  if (records === undefined || !deadLetterQueue) return new DispatcherFragment(scope, 'Dispatch', props);
  return new RecordsFragment(scope, 'Records', { ...props, records, deadLetterQueue });
}

/** The longest an Express execution may last: time for all retries, and the dead-letter queue behind them. */
const ASYNCHRONOUS_TIMEOUT = Duration.minutes(5);
/** How long a start may take whose answer somebody waits for. */
export const SYNCHRONOUS_TIMEOUT = Duration.seconds(25);
