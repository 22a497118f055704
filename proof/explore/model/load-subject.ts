import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import { loadAssembly } from '../../../packages/local/load-assembly';
import { statesOf } from './definition-states';
import {
  exploredMachine,
  hasState,
  problem,
  RECOVERY_ONLY_STATE,
  REDELIVERY_ONLY_STATE,
} from './explored-machine';
import type { ExploredMachine, Subject } from './subject';
import { isExpressIn } from './traits';

/** A state that a front door alone has. */
const FRONT_DOOR_ONLY_STATE = 'Start the request';

/** A subject, or why there is none. */
export type LoadedSubject =
  | { readonly kind: 'subject'; readonly subject: Subject }
  | { readonly kind: 'problem'; readonly message: string };

/**
 * The subject in a cloud assembly, or in one of its stacks: its first machine with a claim, and the first dispatcher of
 * it.
 */
export function subjectOfAssembly(directory: string, stack?: string): LoadedSubject {
  const loaded = loadAssembly(directory, stack === undefined ? {} : { stacks: [stack] });
  if (loaded.kind === 'problems') {
    return problem(loaded.problems.map(({ where, message }) => `${where} ${message}`).join('\n'));
  }
  const explored = loaded.assembly.stateMachines.map(({ arn, name, type, definitionText, roleArn = '' }) =>
    exploredMachine(ofOneEvent(definitionText), { arn, name, type, roleArn }),
  );
  const machines = explored.flatMap(result => (result.kind === 'machine' ? [result.machine] : []));
  const workflow = machines.find(({ json }) => hasState(json, 'Claim record'));
  if (!workflow) {
    const reasons = explored.flatMap(result => (result.kind === 'problem' ? [result.message] : []));
    return problem(['no state machine with a state `Claim record`', ...reasons].join('\n'));
  }
  const dispatcher = machines.find(
    ({ json }) => hasState(json, 'Start by key') || hasState(json, 'Run the workflow'),
  );
  const recovery = machines.find(({ json }) => hasState(json, RECOVERY_ONLY_STATE));
  const redelivery = machines.find(({ json }) => hasState(json, REDELIVERY_ONLY_STATE));
  const frontDoor = machines.find(({ json }) => hasState(json, FRONT_DOOR_ONLY_STATE));
  const subject = {
    ...withRecovery(workflow, recovery),
    dispatcher,
    ...(redelivery && { redelivery }),
    ...(frontDoor && { frontDoor }),
  };
  return { kind: 'subject', subject };
}

/** Of a dispatcher that takes a list, the states of one event: how the list is put together is not explored. */
function ofOneEvent(definitionText: string): string {
  const { States, StartAt: _, ...settings } = JSON.parse(definitionText) as JsonObject;
  const each = isJsonObject(States ?? null) ? (States as JsonObject)['For each record'] : undefined;
  const iteration = isJsonObject(each ?? null) ? (each as JsonObject)['ItemProcessor'] : undefined;
  if (!isJsonObject(iteration ?? null)) return definitionText;
  const { StartAt, States: states } = iteration as JsonObject;
  return JSON.stringify({ ...settings, StartAt, States: states });
}

/** A workflow and its recovery, whose settings say how often an owner is redriven. */
function withRecovery(workflow: ExploredMachine, recovery: ExploredMachine | undefined) {
  if (!recovery) return { workflow };
  const traits = { ...workflow.traits, maxRedrives: recovery.traits.maxRedrives };
  return { workflow: { ...workflow, traits }, recovery };
}

/**
 * The subject of a workflow's definition, started directly, and of its recovery's definition, if there is one. If its
 * claims have a lease, the workflow is an Express workflow.
 */
export function subjectOfText(text: string, recoveryText?: string): LoadedSubject {
  const name = 'Explored';
  const arn = `arn:aws:states:us-east-1:111111111111:stateMachine:${name}`;
  const type = isExpressIn(statesOf(JSON.parse(text) as JsonObject))
    ? ('EXPRESS' as const)
    : ('STANDARD' as const);
  const explored = exploredMachine(text, { arn, name, type, roleArn: '' });
  if (explored.kind === 'problem') return explored;
  if (recoveryText === undefined) {
    return { kind: 'subject', subject: { workflow: explored.machine, dispatcher: undefined } };
  }
  const recovery = exploredMachine(recoveryText, {
    arn: `${arn}Recovery`,
    name: `${name}Recovery`,
    type: 'STANDARD',
    roleArn: '',
  });
  if (recovery.kind === 'problem') return problem(`its recovery: ${recovery.message}`);
  if (!hasState(recovery.machine.json, RECOVERY_ONLY_STATE))
    return problem(
      `its recovery: no state \`${RECOVERY_ONLY_STATE}\`: this is not the definition of a recovery`,
    );
  return {
    kind: 'subject',
    subject: { ...withRecovery(explored.machine, recovery.machine), dispatcher: undefined },
  };
}
