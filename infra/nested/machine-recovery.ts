import { Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { DELAY_FIRST } from '../../state-machine/contract/recovery-timing';
import { MACHINE_RECOVERY_STATE, RECOVERY_STATE } from '../../state-machine/contract/state-names';
import { requireSameInEachExecution } from '../../state-machine/expression/same-in-each-delivery';
import { machineJudge } from '../../state-machine/recovery/machine-judge';
import { ResolvedTime } from '../../state-machine/template/resolved-time';
import { fragmentsIn } from '../cdk/granted-fragments';
import { grantExecutions } from '../cdk/own-executions';
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
  const given = stepTimeout ? [ResolvedTime.of(stepTimeout)] : [];
  const longest = ResolvedTime.longest([...fragments.map(one => one.stepTimeout), ...given]);
  const retentions = fragments.flatMap(one => one.retentions);
  const machines = new RecoveryMachines(workflow, 'Recovery', {
    workflow,
    judge: machineJudge({
      stepTimeoutSeconds: longest.count(),
      fragments: fragments.map(one => one.stateName),
      storesResults: fragments.some(one => one.storesResults),
      retentionSeconds: retentions.map(one => one.toSeconds()),
    }),
    names: [...Object.values(RECOVERY_STATE), ...Object.values(MACHINE_RECOVERY_STATE)],
    asks: ['GetExecutionHistory'],
    searchEvery: twiceWithin(halfOfTheShortest(retentions), searchEvery),
  });
  grantExecutions(machines, 'OwnExecutions', machines.grants);
  machines.node.addValidation({
    validate: () => [
      ...retentionProblems(retentions, longest.seconds()),
      ...(fragmentsIn(workflow).length === fragments.length
        ? []
        : [
            `${workflow.node.path}: \`Recovery.of\` knows the fragments that were granted before; call it last`,
          ]),
    ],
  });
  return machines;
}

/**
 * The time from the start of an execution within which it can be delivered again; none if no retention is known at
 * synthesis.
 */
function halfOfTheShortest(retentions: readonly Duration[]): Duration[] {
  return shortestOf(retentions).map(shortest => Duration.seconds(Math.floor(shortest / 2)));
}

/** Why such a time is over before a delivery is due, in words. */
function retentionProblems(retentions: readonly Duration[], stepTimeoutSeconds: number): string[] {
  const needed = 2 * (stepTimeoutSeconds + DELAY_FIRST);
  return shortestOf(retentions)
    .filter(shortest => shortest <= needed)
    .map(
      shortest =>
        '`Recovery.of` must redeliver within half of the shortest `retention` of the fragments, before the records expire, ' +
        `but not before their longest step has certainly ended. The retention must be more than ${needed} seconds ` +
        `here, got ${shortest}. Give the fragments a longer \`retention\` and \`failedRetention\``,
    );
}

/** The shortest of the retentions that are known at synthesis, in seconds. */
function shortestOf(retentions: readonly Duration[]): readonly number[] {
  const known = retentions.filter(one => !one.isUnresolved()).map(one => one.toSeconds());
  return known.length === 0 ? [] : [Math.min(...known)];
}
