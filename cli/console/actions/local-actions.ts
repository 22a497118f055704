import type { ActionCall, ActionItem } from '@onceflow/console';
import type { Workflow } from '../../aws/workflow';
import type { Fault, FaultMoment, LocalStackAccess } from '../../dev/local-stack-access';
import { Rejection } from '../../program/rejection';
import { duration, durationIn } from '../../text';

/** Puts an event on a bus of the local stack. */
export function sendEventAction(local: LocalStackAccess): ActionItem {
  const { buses, example } = local.events();
  return {
    title: 'Send an event',
    rank: 'recommended',
    writes: ['puts the event on the bus, as PutEvents does: each matching rule sends it to its targets'],
    dangers: [],
    rejectedIf: ['the source begins with aws., or the detail is not a JSON object'],
    rejection: null,
    fields: [
      {
        name: 'bus',
        label: 'Bus',
        kind: 'choice',
        value: example.bus,
        choices: buses.map(bus => [bus, bus]),
      },
      { name: 'source', label: 'Source', kind: 'line', value: example.source },
      { name: 'detailType', label: 'Detail type', kind: 'line', value: example.detailType },
      { name: 'detail', label: 'Detail', kind: 'json', value: example.detail },
    ],
    request: { action: 'sendEvent' },
  };
}

/** Lets time pass at once on the local stack. */
export function skipTimeAction(value: string): ActionItem {
  return {
    title: 'Skip time',
    rank: 'rare',
    writes: [
      "moves the stack's clock forward, past every wait, timeout, grace period and schedule that is due by then",
      'writes nothing itself; executions that become due do',
    ],
    dangers: [
      'functions still use the time of this machine',
      'after a restart, the stack uses the time of this machine again',
    ],
    rejectedIf: ['it is not a time such as 30s, 15min or 2h', 'the new time is after the year 9999'],
    rejection: null,
    fields: [{ name: 'time', label: 'How much', kind: 'line', value: value || '1min' }],
    request: { action: 'skipTime' },
  };
}

const MOMENTS = [
  ['killAfter', 'stop the execution after the call, before it gets the answer'],
  ['killBefore', 'stop the execution before the call'],
  ['loseAnswer', 'lose the answer of the call'],
] as const satisfies readonly (readonly [FaultMoment, string])[];

/** Faults of a workflow: one to arm, and those that are armed. An Express execution cannot be stopped. */
export function faultActions(
  local: LocalStackAccess,
  { name: stateMachine, type }: Pick<Workflow, 'name' | 'type'>,
): readonly ActionItem[] {
  const states = local.taskStates(stateMachine);
  const [first] = states;
  const moments = MOMENTS.filter(([moment]) => type === 'STANDARD' || moment === 'loseAnswer');
  if (first === undefined) return [];
  const arm: ActionItem = {
    title: 'Inject a fault',
    rank: 'rare',
    writes: [
      'strikes once: the next execution that enters this state',
      'writes nothing itself: the execution is stopped, and its record stays as it is',
    ],
    dangers: ['if an answer is lost, the state waits for its timeout; skip time to reach it'],
    rejectedIf: ['the state machine has no such state'],
    rejection: null,
    fields: [
      {
        name: 'state',
        label: 'In the state',
        kind: 'choice',
        value: first,
        choices: states.map(one => [one, one]),
      },
      {
        name: 'moment',
        label: 'What happens',
        kind: 'choice',
        value: moments[0]?.[0] ?? '',
        choices: moments,
      },
    ],
    request: { action: 'armFault', stateMachine },
  };
  const armed = [...local.faults()].filter(([, fault]) => fault.stateMachine === stateMachine);
  return [arm, ...armed.map(([id, fault]) => disarmAction(id, fault))];
}

function disarmAction(id: string, fault: Fault): ActionItem {
  return {
    title: `Disarm fault ${id}: ${inWords(fault)}`,
    rank: 'rare',
    writes: ['removes the fault, which has not struck yet'],
    dangers: [],
    rejectedIf: ['it has struck in the meantime'],
    rejection: null,
    fields: [],
    request: { action: 'disarmFault', id },
  };
}

function inWords({ state, moment }: Fault): string {
  const [, words] = MOMENTS.find(([name]) => name === moment) ?? MOMENTS[0];
  return `${words}, in "${state}"`;
}

/** The last time that a local stack has, in epoch milliseconds. */
const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

type LocalAction = 'sendEvent' | 'skipTime' | 'armFault' | 'disarmFault';

/** Does what only a stack in this process takes; resolves to what was done. @throws Rejection */
export async function actLocally(
  local: LocalStackAccess | undefined,
  request: Extract<ActionCall['request'], { readonly action: LocalAction }>,
  values: ActionCall['values'],
): Promise<string> {
  if (local === undefined)
    throw new Rejection('this page does not serve a local stack; start it with `onceflow dev`');
  const { bus = '', source = '', detailType = '', detail = '', time = '', state = '', moment = '' } = values;
  switch (request.action) {
    case 'sendEvent': {
      const sent = await local.sendEvent({ bus, source, detailType, detail });
      if ('rejection' in sent) throw new Rejection(`EventBridge rejects the event: ${sent.rejection}`);
      return `the event ${sent.id} is on the bus ${bus}`;
    }
    case 'skipTime': {
      const ms = durationIn(time.trim());
      if (ms === undefined || ms === 0)
        throw new Rejection(`${JSON.stringify(time)} is not a time such as 30s, 15min or 2h`);
      if (local.now() + ms > TIME_MAX)
        throw new Rejection(`${JSON.stringify(time)} leads to a time after the year 9999`);
      local.skipTime(ms);
      return `${duration(ms)} have passed`;
    }
    case 'armFault': {
      const { stateMachine } = request;
      const [known] = MOMENTS.find(([name]) => name === moment) ?? [];
      if (known === undefined || !local.taskStates(stateMachine).includes(state)) {
        throw new Rejection(`${stateMachine} has no such fault`);
      }
      const fault = { stateMachine, state, moment: known };
      local.armFault(fault);
      return `the next execution: ${inWords(fault)}`;
    }
    case 'disarmFault':
      if (!local.disarmFault(request.id)) throw new Rejection('it has already struck, or was disarmed');
      return 'the fault is removed';
  }
}
