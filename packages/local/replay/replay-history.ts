import type { Machine } from '../engine/index';
import { type Definition, type Problem, parseDefinition } from '../language/index';
import { EvaluationThreads } from '../runtime/evaluation/thread-pool';
import type { Divergence } from './divergence';
import { type Deployment, deploymentOf, identityIn, UNKNOWN } from './identity';
import { NameBindings } from './name-bindings';
import { type Recording, readRecording } from './recording';
import { Replayer } from './replayer';

/**
 * What a history is replayed against.
 *
 * @example
 * const options: ReplayOptions = { definition, history };
 */
export interface ReplayOptions {
  /** The text of the definition, in the States Language. */
  readonly definition: string;
  /** What `aws stepfunctions get-execution-history` has printed. */
  readonly history: string;
  /**
   * Texts within the definition that stand for what only the deployment knows, such as names that CloudFormation makes:
   * the recorded text in their place is used. @default none
   */
  readonly openNames?: readonly string[];
  /** The region and account in the definition. The recorded ones replace them. @default - none are replaced */
  readonly environment?: { readonly region: string; readonly account: string };
}

/**
 * How a replay came out.
 *
 * @example
 * const report: ReplayReport = replayHistory({ history, definition });
 * if (report.kind === 'notReplayed') throw new Error(report.reason);
 */
export type ReplayReport =
  /** The definition takes the recorded path, to the end of the recording. */
  | (ReplayFacts & { readonly kind: 'same' })
  | (ReplayFacts & { readonly kind: 'diverged'; readonly divergence: Divergence })
  /** It could not be replayed, or not to its end: the reason, and what to do. */
  | { readonly kind: 'notReplayed'; readonly subject: Subject; readonly reason: string };

/** Why a history was not replayed: the history, the definition, or that they do not belong together. */
export type Subject = 'history' | 'definition' | 'match';

/**
 * The facts about a replayed history.
 *
 * @example
 * const report = replayHistory({ history, definition });
 * if (report.kind !== 'notReplayed') console.log(report.events, report.status);
 */
export interface ReplayFacts {
  readonly events: number;
  /** How the execution has ended; `RUNNING` where the recording stops before that. */
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'RUNNING';
  /** States that the execution has entered and the definition does not have. */
  readonly unknownStates: readonly string[];
  /** What differs and decides nothing: waits, wording. */
  readonly notes: readonly string[];
  /** Names that the recording gave, because the definition does not contain them. */
  readonly taken: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Replays a recorded history of a Standard execution against a definition: the results of calls, the times, and what is
 * random come from the recording, all transitions from the definition. Says the first event at which the definition
 * would have gone another way: another state, other arguments, outputs, variables, errors, retries, another end.
 *
 * @example
 * const report = replayHistory({ history, definition });
 */
export function replayHistory(options: ReplayOptions): ReplayReport {
  const read = readRecording(options.history);
  if (read.kind === 'unreadable') return { kind: 'notReplayed', subject: 'history', reason: read.reason };
  const { recording } = read;
  const deployment = deploymentOf(recording.events);
  const names = new NameBindings([...(options.openNames ?? []), ...Object.values(UNKNOWN)]);
  const { environment } = options;
  if (environment) {
    names.bind(environment.region, deployment.region);
    names.bind(environment.account, deployment.account);
  }
  const parsed = parseDefinition(names.substitute(options.definition));
  if (parsed.kind === 'problems') {
    return { kind: 'notReplayed', subject: 'definition', reason: reasonOf(parsed.problems) };
  }
  const distributed = distributedReason(parsed.definition);
  if (distributed !== undefined) return { kind: 'notReplayed', subject: 'definition', reason: distributed };
  const unrelated = unrelatedReason(recording, parsed.definition);
  if (unrelated !== undefined) return { kind: 'notReplayed', subject: 'match', reason: unrelated };
  return replayOn(recording, { ...options, names, deployment, first: parsed.definition });
}

/** Why a definition with a Distributed Map is not replayed: a history says nothing of the executions of a Map Run. */
function distributedReason({ states }: Definition): string | undefined {
  const map = [...states.values()].find(one => one.kind === 'map' && one.distributed);
  if (!map) return undefined;
  return (
    `the definition cannot be replayed: '${map.name}' is a Distributed Map, ` +
    'and a history does not contain what its executions did'
  );
}

/** How many problems a reason lists; one mistake often has many. */
const LISTED = 3;

function reasonOf(problems: readonly Problem[]): string {
  const listed = problems
    .slice(0, LISTED)
    .map(({ code, message, location }) => `${code}: ${message}${location === null ? '' : ` at ${location}`}`);
  const more = problems.length > LISTED ? `; and ${problems.length - LISTED} more` : '';
  return `the definition cannot be used: ${listed.join('; ')}${more}`;
}

interface Prepared extends ReplayOptions {
  readonly names: NameBindings;
  readonly deployment: Deployment;
  readonly first: Definition;
}

function replayOn(
  recording: Recording,
  { definition: text, openNames = [], names, deployment, first }: Prepared,
): ReplayReport {
  const roleArn = String(recording.events[0]?.details['roleArn'] ?? '');
  let [filled, definition] = [names.substitute(text), first];
  const machine = (): Machine => {
    const now = names.substitute(text);
    if (now !== filled) {
      const parsed = parseDefinition(now);
      // A name that makes no definition of it, such as an ARN of another form, stays open.
      if (parsed.kind === 'definition') definition = parsed.definition;
      filled = now;
    }
    const { machineArn, machineName } = identityIn(deployment, UNKNOWN);
    return { definition, arn: names.substitute(machineArn), name: names.substitute(machineName), roleArn };
  };
  const evaluator = new EvaluationThreads();
  try {
    const replayer = new Replayer({ recording, names, evaluator, machine });
    const replayed = replayer.replay();
    if (replayed.kind === 'stopped') {
      const reason = `it cannot be replayed beyond event ${replayed.eventId}: ${replayed.reason}`;
      return { kind: 'notReplayed', subject: 'history', reason };
    }
    const facts = {
      events: recording.events.length,
      status: statusOf(recording),
      unknownStates: statesIn(recording).filter(name => !first.states.has(name)),
      notes: replayer.notes,
      taken: names.known.filter(({ name }) => openNames.includes(name)),
    };
    return replayed.kind === 'same' ? { kind: 'same', ...facts } : { ...replayed, ...facts };
  } finally {
    evaluator.close();
  }
}

function statusOf({ end }: Recording): ReplayFacts['status'] {
  switch (end?.type) {
    case 'ExecutionSucceeded':
      return 'SUCCEEDED';
    case 'ExecutionFailed':
      return 'FAILED';
    case 'ExecutionTimedOut':
      return 'TIMED_OUT';
    case 'ExecutionAborted':
      return 'ABORTED';
    default:
      return 'RUNNING';
  }
}

/** The states that a history has entered, by their names. */
function statesIn({ events }: Recording): readonly string[] {
  const entered = events.filter(({ type }) => type.endsWith('StateEntered'));
  return [...new Set(entered.map(({ details }) => String(details['name'])))];
}

/** Why a history is not one of this definition: none of its states are there. */
function unrelatedReason(recording: Recording, { states }: Definition): string | undefined {
  const entered = statesIn(recording);
  const [first] = entered;
  if (first === undefined || entered.some(name => states.has(name))) return undefined;
  const known = [...states.keys()].slice(0, 3).join('", "');
  return (
    `none of its states are in the definition: it begins with "${first}", and the definition has "${known}"; ` +
    'is it the history of another state machine?'
  );
}
