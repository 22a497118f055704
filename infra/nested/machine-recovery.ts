import { Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { DELAY_FIRST } from '../../state-machine/contract/recovery-timing';
import { MACHINE_RECOVERY_STATE, RECOVERY_STATE } from '../../state-machine/contract/state-names';
import { requireSameInEachExecution } from '../../state-machine/expression/key-source';
import { machineJudge } from '../../state-machine/recovery/machine-judge';
import { fragmentsIn } from '../cdk/granted-fragments';
import { RecoveryMachines, twiceWithin } from './recovery-machines';

/**
 * Adds recovery to a state machine of a team, for the fragments that were granted to it.
 *
 * @throws Error for a state machine without fragments, or with recovery, for a key or payload of the execution's own,
 * and for retentions that are too short
 */
export function recoverMachine(
  workflow: StateMachine,
  searchEvery: Duration,
  stepTimeout: Duration | undefined,
): RecoveryMachines {
  if (workflow.node.tryFindChild('Recovery')) {
    throw new Error('the state machine already has recovery. Call `Recovery.of` only once');
  }
  const fragments = fragmentsIn(workflow);
  if (fragments.length === 0) {
    throw new Error(
      '`Recovery.of` needs a state machine with IdempotentFragments. Call their `grantTo(stateMachine)` before it',
    );
  }
  for (const { keyAndPayload } of fragments) requireSameInEachExecution(keyAndPayload, '');
  const stepTimeouts = [...fragments.map(one => one.stepTimeout), ...(stepTimeout ? [stepTimeout] : [])];
  const retentions = fragments.flatMap(one => one.retentions);
  const stepTimeoutSeconds = Math.max(...stepTimeouts.map(one => one.toSeconds()));
  const within = halfOfTheShortest(retentions, stepTimeoutSeconds);
  const machines = new RecoveryMachines(workflow, 'Recovery', {
    workflow,
    judge: machineJudge({
      stepTimeoutSeconds,
      fragments: fragments.map(one => one.stateName),
      storesResults: fragments.some(one => one.storesResults),
      retentionSeconds: retentions.map(one => one.toSeconds()),
    }),
    names: [...Object.values(RECOVERY_STATE), ...Object.values(MACHINE_RECOVERY_STATE)],
    asks: ['GetExecutionHistory'],
    searchEvery: twiceWithin(within ? [within] : [], searchEvery),
  });
  machines.node.addValidation({
    validate: () =>
      fragmentsIn(workflow).length === fragments.length
        ? []
        : [
            `${workflow.node.path}: \`Recovery.of\` knows the fragments that were granted before; call it last`,
          ],
  });
  return machines;
}

/**
 * The time from the start of an execution within which it can be delivered again; undefined if no retention is known
 * at synthesis.
 *
 * @throws Error if it is over before a delivery is due
 */
function halfOfTheShortest(
  retentions: readonly Duration[],
  stepTimeoutSeconds: number,
): Duration | undefined {
  const known = retentions.filter(one => !one.isUnresolved()).map(one => one.toSeconds());
  if (known.length === 0) return undefined;
  const shortest = Math.min(...known);
  const needed = 2 * (stepTimeoutSeconds + DELAY_FIRST);
  if (shortest > needed) return Duration.seconds(Math.floor(shortest / 2));
  throw new Error(
    '`Recovery.of` must redeliver within half of the shortest `retention` of the fragments, before the records expire, ' +
      `but not before their longest step has certainly ended. The retention must be more than ${needed} seconds ` +
      `here, got ${shortest}. Give the fragments a longer \`retention\` and \`failedRetention\``,
  );
}
