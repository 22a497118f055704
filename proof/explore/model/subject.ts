import type { Machine } from '../../../packages/local/engine/index';
import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';
import { type Definition, parseDefinition, type State } from '../../../packages/local/language/index';
import { loadAssembly } from '../../../packages/local/load-assembly';
import type { Assumption } from './assumptions';
import { functionsOfChain, liveVariablesOf, statesOf, stepTimesOf } from './definition-states';
import { maxRedrivesIn, type Traits, traitsOf } from './traits';

/** What is explored: a definition as it is deployed, with what the exploration has to know of it. */
export interface Subject {
  readonly workflow: ExploredMachine;
  /** What starts the workflow by name; undefined: deliveries start it directly. */
  readonly dispatcher: ExploredMachine | undefined;
  /** What recovers its executions; undefined: nothing does. */
  readonly recovery?: ExploredMachine | undefined;
  /** Recovery is among what can happen. Absent: every recovery is lost, until everything has ended. */
  readonly recovers?: true;
  /** What delivers events again whose step has failed; undefined: nothing does. */
  readonly redelivery?: ExploredMachine | undefined;
  /** It is among what can happen. Absent: every redelivery is lost. */
  readonly redelivers?: true;
  /** What answers requests by HTTP; undefined: nothing does. */
  readonly frontDoor?: ExploredMachine | undefined;
  /** Deliveries can come by HTTP, too. Absent: none does. */
  readonly answers?: true;
  /** The definition that the first deliveries begin with; all others begin with `workflow`. Undefined: the same. */
  readonly former?: ExploredMachine;
  /** How many deliveries begin with `former`, before the other definition is deployed; undefined: one. */
  readonly formerDeliveries?: number;
  /** Another order than the one that is explored by default: another key. */
  readonly orderId?: string;
  /** The names of invariants that are not looked at, to see what the others find; undefined: all are. */
  readonly unchecked?: readonly string[];
  /** What is not assumed, to see what breaks then; undefined: all is. */
  readonly without?: Assumption;
}

/** A machine and what can be said of its definition without running it. */
export interface ExploredMachine {
  readonly machine: Machine;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly traits: Traits;
  /** The definition as it was written, of which mutations are made. */
  readonly json: JsonObject;
  /** Variables that may still be read from a state on, by the state's name. */
  readonly liveVariables: ReadonlyMap<string, ReadonlySet<string>>;
  /** The states with an expression that asks when they were entered. */
  readonly readsEnteredTime: ReadonlySet<string>;
  /** Whether an expression can read when an execution began: false for recovery. */
  readonly readsStartTime: boolean;
  /** Whether an expression asks how often its state has been tried again. */
  readonly readsRetryCount: boolean;
  /**
   * For how many milliseconds the business step may work, as it was deployed: the timeout of its Task. What a chain has
   * begun may work on for so long, whatever its states say: its `stepTimeout`.
   */
  readonly stepMs: number;
  /** The machine as it is deployed, of which this one is a mutant; undefined if it is that machine. */
  readonly deployed?: ExploredMachine;
  /** The timeout of the Task that calls the function, milliseconds: the same, but for a mutation and in a chain. */
  readonly taskMs: number;
}

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
    exploredMachine(definitionText, { arn, name, type, roleArn }),
  );
  const machines = explored.flatMap(result => (result.kind === 'machine' ? [result.machine] : []));
  const workflow = machines.find(({ json }) => hasState(json, 'Claim record'));
  if (!workflow) {
    const reasons = explored.flatMap(result => (result.kind === 'problem' ? [result.message] : []));
    return problem(['no state machine with a state `Claim record`', ...reasons].join('\n'));
  }
  const dispatcher = machines.find(({ json }) => hasState(json, 'Start by key'));
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

/** A workflow and its recovery. The definition of recovery says how often an owner is redriven. */
function withRecovery(workflow: ExploredMachine, recovery: ExploredMachine | undefined) {
  if (!recovery) return { workflow };
  const traits = { ...workflow.traits, maxRedrives: maxRedrivesIn(statesOf(recovery.json)) };
  return { workflow: { ...workflow, traits }, recovery };
}

/** A state that recovery alone has. */
const RECOVERY_ONLY_STATE = 'Release the record';
/** A state that `redeliverFailed` alone has. */
const REDELIVERY_ONLY_STATE = 'Has its step failed?';
/** A state that a front door alone has. */
const FRONT_DOOR_ONLY_STATE = 'Start the request';

/**
 * The subject of a workflow's definition, started directly, and of its recovery's definition, if there is one. If its
 * claims have a lease, the workflow is an Express workflow.
 */
export function subjectOfText(text: string, recoveryText?: string): LoadedSubject {
  const name = 'Explored';
  const arn = `arn:aws:states:us-east-1:111111111111:stateMachine:${name}`;
  const { isExpress } = traitsOf(statesOf(JSON.parse(text) as JsonObject));
  const type = isExpress ? ('EXPRESS' as const) : ('STANDARD' as const);
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

interface Identity {
  readonly arn: string;
  readonly name: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly roleArn: string;
}

type Explored =
  | { readonly kind: 'machine'; readonly machine: ExploredMachine }
  | { readonly kind: 'problem'; readonly message: string };

/** Reads a definition. A problem if the text is not one, or uses what the exploration does not know. */
function exploredMachine(asWritten: string, { type, ...identity }: Identity): Explored {
  const text = withoutPrefix(asWritten);
  const parsed = parseDefinition(text, { type, knows: integration => KNOWN.has(integration) });
  if (parsed.kind === 'problems') {
    return problem(
      parsed.problems.map(({ location, message }) => `${location ?? ''}: ${inOwnName(message)}`).join('\n'),
    );
  }
  const { definition } = parsed;
  const json = JSON.parse(text) as JsonObject;
  const traits = traitsOf(statesOf(json));
  const message = whyUnknown(definition, json, traits);
  if (message !== undefined) return problem(message);
  const machine = {
    machine: { ...identity, definition },
    type,
    traits,
    json,
    liveVariables: liveVariablesOf(definition, json),
    ...timesReadIn(json, text),
    ...stepTimesOf(json),
  };
  return { kind: 'machine', machine };
}

/** What the exploration does not know of a definition; undefined if it knows all. */
function whyUnknown(definition: Definition, json: JsonObject, traits: Traits): string | undefined {
  if (traits.isPart && !isMapAlone(json)) return PART_ELSEWHERE;
  // Recovery has a Map for what a search has found, which is taken to hand on one execution at a time.
  const mayHaveMap = traits.isPart || hasState(json, RECOVERY_ONLY_STATE);
  const unknown = [...definition.states.values()].find(state => isUnknown(state, mayHaveMap));
  if (unknown) return `state \`${unknown.name}\`: the exploration knows ${notKnown(unknown)}`;
  const calls = functionsOfChain(json);
  if (calls === undefined || calls === 1) return undefined;
  return `state \`Business step\`: the exploration takes one function for the step, and it calls ${calls}`;
}

/** Which times and counts of an execution the expressions of a definition read. */
function timesReadIn(json: JsonObject, text: string) {
  const states = Object.entries(statesOf(json));
  const asking = states.filter(([, state]) => JSON.stringify(state).includes('EnteredTime'));
  const isRecovery = hasState(json, RECOVERY_ONLY_STATE) || hasState(json, REDELIVERY_ONLY_STATE);
  return {
    readsEnteredTime: new Set(asking.map(([name]) => name)),
    readsStartTime: !isRecovery || /StartTime|"TimeoutSeconds"/.test(text),
    readsRetryCount: text.includes('State.RetryCount'),
  };
}

/** What is before the names of a fragment's states says nothing. */
function withoutPrefix(text: string): string {
  const [, prefix] = /"([^"]*: )Claim record":/.exec(text) ?? [];
  return prefix === undefined ? text : text.replaceAll(`"${prefix}`, '"');
}

const PART_ELSEWHERE = 'a fragment is explored in a Map that is all of its machine';

function isMapAlone({ States: states }: JsonObject): boolean {
  const [only, ...others] = isJsonObject(states) ? Object.values(states) : [];
  return others.length === 0 && isJsonObject(only) && only['Type'] === 'Map';
}

/** Of an execution one thing goes on at a time; in a fragment, one for each item. */
function isUnknown(state: State, mayHaveMap: boolean): boolean {
  return (state.kind === 'map' && !mayHaveMap) || (state.kind === 'parallel' && state.branches.length > 1);
}

function notKnown({ kind }: State): string {
  return kind === 'map' ? 'no map states' : 'parallel states of one branch only';
}

// The engine may know what the exploration does not.
function inOwnName(message: string): string {
  return message.replace('is not supported by the local engine yet', 'is not known to the exploration');
}

/** The same machine with a changed definition. @throws Error if that is not a definition: then the change is wrong */
export function withDefinition(explored: ExploredMachine, json: Json): ExploredMachine {
  const { arn, name, roleArn } = explored.machine;
  const read = exploredMachine(JSON.stringify(json), { arn, name, roleArn, type: explored.type });
  if (read.kind === 'problem') throw new Error(read.message);
  // What was promised stays what is checked, whatever the change has taken away.
  const { stepMs, traits, deployed = explored } = explored;
  return { ...read.machine, stepMs, traits, deployed };
}

const KNOWN = new Set([
  'dynamodb:putItem',
  'dynamodb:getItem',
  'dynamodb:updateItem',
  'dynamodb:deleteItem',
  'lambda:invoke',
  'aws-sdk:sfn:describeExecution',
  'aws-sdk:sfn:redriveExecution',
  'aws-sdk:sfn:startExecution',
  'aws-sdk:sfn:getExecutionHistory',
  'aws-sdk:s3:putObject',
  'aws-sdk:s3:getObject',
  'states:startExecution',
  'sqs:sendMessage',
]);

function problem(message: string): { readonly kind: 'problem'; readonly message: string } {
  return { kind: 'problem', message };
}

function hasState(json: JsonObject, name: string): boolean {
  return statesOf(json)[name] !== undefined;
}

const WILDCARDS = ['States.ALL', 'States.TaskFailed'];

/** The machine without the retriers and catchers for errors of any name. */
export function withoutWildcards(machine: Machine): Machine {
  const isNamed = ({ errorEquals }: { readonly errorEquals: readonly string[] }) =>
    !errorEquals.some(name => WILDCARDS.includes(name));
  const states = [...machine.definition.states].map(([name, state]): [string, State] => {
    if (!('catch' in state)) return [name, state];
    return [name, { ...state, retry: state.retry.filter(isNamed), catch: state.catch.filter(isNamed) }];
  });
  return { ...machine, definition: { ...machine.definition, states: new Map(states) } };
}
