import { Duration } from 'aws-cdk-lib';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { DISPATCHER_STATE } from '../../state-machine/contract/state-names';
import {
  DispatcherFragment,
  type DispatcherFragmentProps,
} from '../../state-machine/dispatcher/dispatcher-fragment';
import { RecordsFragment } from '../../state-machine/dispatcher/records-fragment';
import type { RunVariant } from '../../state-machine/dispatcher/run-fragment';
import { grantData } from '../cdk/customer-key';
import { startLogs } from '../cdk/logs';
import type { OwnValue } from '../cdk/shared-definitions';
import { internalStateMachine } from './internal-state-machine';

/** Settings of a {@link Dispatcher}. */
export interface DispatcherProps extends DispatcherFragmentProps {
  /**
   * An input is a list of records: JSONata of the delivered input, over one of them in `$record`. Absent: an input is
   * one delivery. It needs a dead-letter queue.
   */
  readonly record?: string | undefined;
  /** Whether a failed list is delivered again. Who delivers it waits for the end. */
  readonly isRedelivered: boolean;
  /** Of an Express workflow, which is run within the delivery. @default - a Standard one, which is started */
  readonly runs?: RunVariant | undefined;
  /** What tells its definition from that of another workflow's dispatcher. */
  readonly ownValues: readonly OwnValue[];
  /** Whether its errors are counted for its workflow: it then has a log of its own. @default false */
  readonly isCounted?: boolean;
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
  /** Whether it starts executions; false if it runs those of an Express workflow. */
  readonly starts: boolean;

  constructor(scope: Construct, id: string, props: DispatcherProps) {
    super(scope, id);
    this.starts = props.runs === undefined;
    const logs = startLogs(this, props.isCounted ?? false);
    this.logGroup = logs.destination;
    this.stateMachine = internalStateMachine(this, 'StateMachine', {
      comment: this.starts
        ? 'Starts the workflow under the name of the idempotency key'
        : 'Runs the workflow, and answers whether its source must deliver again',
      deployed: { machine: 'dispatcher' },
      states: fragmentFor(this, props),
      names: Object.values(DISPATCHER_STATE),
      ownValues: props.ownValues,
      express: {
        timeout: timeoutOf(props),
        logs,
        whyErrorsOnly: 'errors are logged; all else ends in the workflow, or in a queue',
        whyNotTraced: 'it is over in a moment, and what it starts has a history',
      },
    });
    props.table.table.encryptionKey?.grantDecrypt(this.stateMachine);
    if (props.runs) grantData(props.stateMachine, this.stateMachine);
  }
}

function timeoutOf({ deadLetterQueue, isRedelivered, runs }: DispatcherProps): Duration {
  if (runs) return RUN_TIMEOUT;
  return deadLetterQueue && !isRedelivered ? ASYNCHRONOUS_TIMEOUT : SYNCHRONOUS_TIMEOUT;
}

function fragmentFor(
  scope: Construct,
  { record, isRedelivered, isCounted: _, runs, ...props }: DispatcherProps,
) {
  const { deadLetterQueue } = props;
  if (record === undefined || !deadLetterQueue) return new DispatcherFragment(scope, 'Dispatch', props);
  return new RecordsFragment(scope, 'Records', { ...props, record, isRedelivered, runs, deadLetterQueue });
}

/** The longest an Express execution may last: time for all retries, and the dead-letter queue behind them. */
const ASYNCHRONOUS_TIMEOUT = Duration.minutes(5);
/** As long as a custom event bus waits, except for the answer's way back. */
const RUN_TIMEOUT = Duration.seconds(29);
/** How long a synchronous start may take. */
export const SYNCHRONOUS_TIMEOUT = Duration.seconds(25);
