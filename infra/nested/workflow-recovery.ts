import { Annotations, Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { DELAY_FIRST } from '../../state-machine/contract/recovery-timing';
import { RECOVERY_STATE } from '../../state-machine/contract/state-names';
import type { RecordJudgeSettings } from '../../state-machine/recovery/record-facts';
import { recordJudge } from '../../state-machine/recovery/record-judge';
import type { RedeliverySettings, RedeliveryTimes } from '../../state-machine/recovery/redelivery-states';
import { atSynthesis } from '../../state-machine/template/at-synthesis';
import type { ResolvedTime } from '../../state-machine/template/resolved-time';
import { grantTableKey } from '../cdk/customer-key';
import { executionArns } from '../cdk/own-executions';
import { type CommonProps, formerArnsIn, RecoveryMachines, twiceWithin } from './recovery-machines';
import { RedeliveryMachine } from './redelivery-machine';

/** Settings of {@link WorkflowRecovery}. */
export interface WorkflowRecoveryProps
  extends CommonProps,
    Omit<RecordJudgeSettings, 'retentionSeconds' | 'retention'> {
  /** For how long the record of a key is kept when it is finished, by each outcome: completed, failed. */
  readonly retentions: readonly [Duration, Duration];
  /** How an event is delivered again whose step has failed; undefined: not at all. */
  readonly redelivery: (RedeliveryTimes & Pick<RedeliverySettings, 'isAtMostOnce'>) | undefined;
}

/** Recovery of a workflow: it goes by the record of an execution's key. */
export class WorkflowRecovery extends RecoveryMachines {
  /** Delivers failed events again; undefined without `redeliverFailed`. */
  readonly redelivery: StateMachine | undefined;

  constructor(scope: Construct, id: string, props: WorkflowRecoveryProps) {
    const {
      table,
      scope: recordScope,
      key,
      onFailure,
      stepTimeout,
      retentions,
      redelivery,
      ...common
    } = props;
    super(scope, id, {
      ...common,
      searchEvery: twiceWithin(retentions, props.searchEvery),
      judge: recordJudge({
        ...props,
        retention: retentions[0],
        retentionSeconds: [retentions[0].toSeconds(), retentions[1].toSeconds()],
      }),
      names: Object.values(RECOVERY_STATE),
      asks: props.variant.isAtMostOnce ? ['GetExecutionHistory'] : [],
      redrives: props,
      maxRedrives: props.variant.maxRedrives,
    });
    grantTableKey(this.stateMachine, table.table.encryptionKey);
    atSynthesis(this, () => warnOfForgetting(this, stepTimeout, retentions));
    const { workflow } = props;
    const asked = {
      workflow,
      table,
      scope: recordScope,
      key,
      executions: executionArns(workflow, props.formerStateMachines),
      formerArns: formerArnsIn(this, props),
      destination: onFailure?.target,
      ownValues: props.ownValues,
    };
    this.redelivery =
      redelivery && new RedeliveryMachine(this, 'Redelivery', { ...asked, ...redelivery }).stateMachine;
  }
}

/** Warns where a record that is gone tells nothing any more once the step has certainly ended. */
function warnOfForgetting(
  scope: Construct,
  stepTimeout: ResolvedTime,
  retentions: readonly Duration[],
): void {
  const shorter = retentions.find(
    one => !one.isUnresolved() && one.toSeconds() <= stepTimeout.seconds() + DELAY_FIRST,
  );
  if (shorter === undefined) return;
  Annotations.of(scope).addWarningV2(
    'onceflow:recovery-retention',
    `the step can run for ${Duration.seconds(stepTimeout.seconds()).toHumanString()}, but a finished record is stored for only ` +
      `${shorter.toHumanString()}. Recovery then gives up every execution that ends before its claim, because the step ` +
      'might already have run. Use a longer retention',
  );
}
