import type { Machine } from '../../../packages/local/engine/index';
import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';
import { type Definition, parseDefinition, type State } from '../../../packages/local/language/index';
import { functionsOfChain, liveVariablesOf, statesOf, stepTimesOf } from './definition-states';
import type { ExploredMachine } from './subject';
import { settingsIn, type Traits, traitsOf } from './traits';

/** A state that recovery alone has. */
export const RECOVERY_ONLY_STATE = 'Release the record';

/** A state that `redeliverFailed` alone has. */
export const REDELIVERY_ONLY_STATE = 'Has its step failed?';

/** The machine that a definition is of. */
interface Identity {
  readonly arn: string;
  readonly name: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly roleArn: string;
}

/** A machine that was read, or why it cannot be explored. */
type ReadMachine =
  | { readonly kind: 'machine'; readonly machine: ExploredMachine }
  | { readonly kind: 'problem'; readonly message: string };

/** Reads a definition. A problem if the text is not one, or uses what the exploration does not know. */
export function exploredMachine(asWritten: string, { type, ...identity }: Identity): ReadMachine {
  const text = withoutPrefix(asWritten);
  const parsed = parseDefinition(text, { type, knows: integration => KNOWN.has(integration) });
  if (parsed.kind === 'problems') {
    return problem(
      parsed.problems.map(({ location, message }) => `${location ?? ''}: ${inOwnName(message)}`).join('\n'),
    );
  }
  const { definition } = parsed;
  const json = JSON.parse(text) as JsonObject;
  const read = settingsIn(json);
  if (read.kind === 'problem') return read;
  const traits = traitsOf(statesOf(json), read.settings);
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
  if (traits.isFragment && !isMapAlone(json)) return PART_ELSEWHERE;
  // Recovery has a Map for what a search has found, which is taken to hand on one execution at a time.
  const mayHaveMap = traits.isFragment || hasState(json, RECOVERY_ONLY_STATE);
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
    retryCountMax: Math.max(0, ...retryCountsReadIn(text)),
  };
}

/** Each read of the retry count, as the number from which on it tells no difference. */
function retryCountsReadIn(text: string): readonly number[] {
  const reads = [...text.matchAll(/State\.RetryCount(?: > (\d+))?/g)];
  return reads.map(([, bound]) => (bound === undefined ? Number.POSITIVE_INFINITY : Number(bound) + 1));
}

/** The prefix of the names of a fragment's states has no meaning. */
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
  // A promise stays checked, even if a change has removed its mechanism.
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

/** Why something cannot be explored. */
export function problem(message: string): { readonly kind: 'problem'; readonly message: string } {
  return { kind: 'problem', message };
}

/** Whether a definition has a state of this name. */
export function hasState(json: JsonObject, name: string): boolean {
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
