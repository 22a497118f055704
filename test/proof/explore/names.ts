import { isJsonObject, type Json } from '../../../packages/local/json/json';
import { remembered } from '../../../proof/explore/invariants/remembered';
import type { Call } from '../../../proof/explore/model/execution-state';
import type { ExecutionStates } from '../../../proof/explore/model/execution-states';
import type { ModelState } from '../../../proof/explore/model/model-state';
import { FAULTS_MAX, initialState, KEY_NAME, StateSpace } from '../../../proof/explore/model/state-space';
import type { Subject } from '../../../proof/explore/model/subject';
import { faultSteps } from '../../../proof/explore/transition/faults';
import { ordinarySteps } from '../../../proof/explore/transition/steps';

/** What a request names that is made of a key or of an execution, by a word for what it is. */
const NAMES: readonly (readonly [what: string, nameIn: (call: Call) => Json | undefined])[] = [
  ['start by the dispatcher', call => of(call, 'states:startExecution', 'Name')],
  ['start by recovery', call => of(call, 'aws-sdk:sfn:startExecution', 'Name')],
  ['client token', call => of(call, 'aws-sdk:sfn:redriveExecution', 'ClientToken')],
  ['client token', call => member(of(call, 'lambda:invoke', 'Payload'), 'clientToken')],
  ['object', call => of(call, 'aws-sdk:s3:putObject', 'Key') ?? of(call, 'aws-sdk:s3:getObject', 'Key')],
  ['record', ({ arguments: given }) => member(member(given['Item'] ?? given['Key'], KEY_NAME), 'S')],
  ['execution', call => of(call, 'aws-sdk:sfn:describeExecution', 'ExecutionArn')],
];

function of({ resource, arguments: given }: Call, wanted: string, name: string): Json | undefined {
  return resource === wanted ? given[name] : undefined;
}

function member(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value ?? null) ? (value as Record<string, Json>)[name] : undefined;
}

/** What requests name. */
export const KINDS: ReadonlySet<string> = new Set(NAMES.map(([what]) => what));

/** The names of requests, by what they name. */
export type Names = ReadonlyMap<string, ReadonlySet<string>>;

/** All names of requests that were met in a state space, by what they name. */
function namesIn({ workflow, dispatcher, recoverers }: StateSpace): Names {
  const names = new Map<string, Set<string>>();
  for (const call of [workflow, dispatcher, recoverers].flatMap(callsOf)) {
    for (const [what, nameIn] of NAMES) {
      const name = nameIn(call);
      if (typeof name === 'string') names.set(what, (names.get(what) ?? new Set()).add(name));
    }
  }
  return names;
}

function callsOf(states: ExecutionStates | undefined): Call[] {
  const numbers = Array.from({ length: states?.size ?? 0 }, (_, number) => number);
  return numbers.flatMap(number => {
    const { call, laterEntries = [] } = states?.get(number) ?? { call: null };
    return [call, ...laterEntries.map(each => each.call)].filter(each => each !== null);
  });
}

/** Where the deliveries of a second key begin: each event has a name of its own. */
const SECOND = 20;
/** More steps than there are between two that are wanted. */
const STEPS_MAX = 60;

/** Traces, and the key whose names are wanted. */
export interface Named {
  readonly subject: Subject;
  /** Steps that are wanted; those between are the first possible ones without a fault. */
  readonly traces: readonly string[];
  /** Its deliveries have other numbers than those of the first key. */
  readonly isSecond?: boolean;
}

/** The names of all requests along some traces, and of those that might have come next at each of their steps. */
export function namesAlong({ subject, traces, isSecond }: Named): Names {
  const space = new StateSpace(subject, FAULTS_MAX);
  for (const trace of traces) follow(space, trace, isSecond ? SECOND : 0);
  return namesIn(space);
}

function follow(space: StateSpace, trace: string, begun: number): void {
  let model: ModelState = { ...initialState(space, begun + 2, FAULTS_MAX), delivered: begun };
  for (const step of trace.split(' ')) {
    const wanted = step.replace(/^(send|dispatch)(\d+)$/, (_, verb, n) => `${verb}${Number(n) + begun}`);
    for (let tried = 0, isThere = false; !isThere; tried += 1) {
      const ordinary = [...ordinarySteps(space, model, CHANNELS)];
      const found = [...ordinary, ...faultSteps(space, model, CHANNELS)].find(({ name }) => name === wanted);
      const next = found ?? ordinary.find(({ after }) => after.delivered === model.delivered);
      if (!next || tried > STEPS_MAX) throw new Error(`${wanted} does not come in ${trace}`);
      model = remembered(model, next).after;
      isThere = found !== undefined;
    }
  }
}

const CHANNELS = ['dispatcher'] as const;
