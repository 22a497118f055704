import type { Effect } from '../../engine/effects';
import { type Execution, type Machine, newExecution } from '../../engine/execution';
import type { HistoryEvent } from '../../engine/history';
import type { Signal } from '../../engine/signals';
import { transition } from '../../engine/transition';
import type { Json, JsonObject } from '../../json/json';
import { dataOf } from '../../language/asl/data';
import { parseDefinition } from '../../language/asl/parse';
import { describeProblems } from '../../language/asl/problems';
import { EvaluationThreads } from '../../runtime/evaluation/thread-pool';
import { RuntimeTransitionContext } from '../../runtime/executor/transition-context';
import type { Ids } from '../../runtime/ids';
import type { Clock } from '../../runtime/time/clock';

/** When every played execution starts: 2026-01-01T00:00:00Z. */
export const START = Date.UTC(2026, 0, 1);

export const ROLE = 'arn:aws:iam::111111111111:role/r';

/** What a called integration does: an output, a failure, or no answer at all. */
export type Answer =
  | { readonly output: Json; readonly afterMs?: number }
  | { readonly error?: string; readonly cause?: string; readonly afterMs?: number }
  | 'never';

/** How an execution is played. */
export interface Script {
  readonly input?: Json;
  /** One for each call, in order. */
  readonly answers?: readonly Answer[];
  readonly random?: number;
  /** Stops the execution at this many milliseconds after its start. */
  readonly stop?: { readonly atMs: number; readonly error?: string; readonly cause?: string };
  /** The signals from outside, at so many milliseconds after the start. `task` counts the calls from 0. */
  readonly signals?: readonly OutsideSignal[];
  /** Redrives at these milliseconds after the start. */
  readonly redriveAtMs?: readonly number[];
}

/** What the holder of a task's token does. */
export type OutsideSignal = { readonly atMs: number; readonly task: number } & (
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'succeed'; readonly output: Json }
  | { readonly kind: 'fail'; readonly error?: string; readonly cause?: string }
);

/** How an execution went. */
export interface Played {
  readonly execution: Execution;
  readonly events: readonly HistoryEvent[];
  readonly effects: readonly Effect[];
  /** One line for each event: id, predecessor, type and details. */
  readonly history: readonly string[];
}

/** A JSONata machine of these states that starts at the first one. */
export function machineOf(states: { readonly [name: string]: Json }, more: JsonObject = {}): Machine {
  const definition = {
    QueryLanguage: 'JSONata',
    StartAt: Object.keys(states)[0] ?? '',
    States: states,
    ...more,
  };
  const parsed = parseDefinition(JSON.stringify(definition));
  if (parsed.kind === 'problems') throw new Error(describeProblems(parsed.problems));
  const arn = 'arn:aws:states:eu-west-1:111111111111:stateMachine:m';
  return { definition: parsed.definition, arn, name: 'm', roleArn: ROLE };
}

/**
 * Plays an execution to its end, or until nothing is left that could happen: time passes as fast as it can.
 */
export function play(machine: Machine, script: Script = {}): Played {
  const arn = 'arn:aws:states:eu-west-1:111111111111:execution:m:e';
  let execution = newExecution({ arn, name: 'e', input: dataOf(script.input ?? {}), startedAt: START });
  const events: HistoryEvent[] = [];
  const effects: Effect[] = [];
  const answers = [...(script.answers ?? [])];
  const calls: string[] = [];
  let pending: Pending[] = [{ at: START, signal: { kind: 'started' } }];
  if (script.stop) {
    const { atMs, ...reason } = script.stop;
    pending.push({ at: START + atMs, signal: { kind: 'stopped', ...reason } });
  }
  for (const atMs of script.redriveAtMs ?? []) {
    pending.push({ at: START + atMs, signal: { kind: 'redriven' } });
  }
  for (const outside of script.signals ?? []) {
    pending.push({ at: START + outside.atMs, signal: { kind: 'timerDue', timerId: '' }, outside });
  }
  pending.sort((a, b) => a.at - b.at);
  for (let next = pending.shift(); next; next = pending.shift()) {
    const now = next.at;
    const context = contextAt(now, script.random);
    const signal = next.outside ? signalOf(next.outside, calls) : next.signal;
    const step = transition(machine, execution, signal, context);
    execution = step.execution;
    events.push(...step.events);
    effects.push(...step.effects);
    for (const effect of step.effects) {
      if (effect.kind === 'call') {
        calls.push(effect.taskId);
        pending.push(...answerTo(effect, answers.shift() ?? 'never', now));
      }
      if (effect.kind === 'cancelTimer') {
        const { timerId } = effect;
        pending = pending.filter(({ signal }) => signal.kind !== 'timerDue' || signal.timerId !== timerId);
      }
      if (effect.kind === 'pause') {
        pending.push({ at: now, signal: { kind: 'pauseEnded', pauseId: effect.pauseId } });
      }
      if (effect.kind === 'setTimer') {
        pending.push({ at: effect.due, signal: { kind: 'timerDue', timerId: effect.timerId } });
      }
    }
    pending.sort((a, b) => a.at - b.at);
  }
  return { execution, events, effects, history: events.map(line) };
}

/** The UUID of {@link contextAt}. */
export const UUID = '11111111-2222-4333-8444-555555555555';

/** What a transition draws on at a time: one random number and one UUID. */
export function contextAt(now: number, random = 0.5): RuntimeTransitionContext {
  const ids: Ids = { random: () => random, uuid: () => UUID, fork: () => ids };
  const clock: Clock = { now: () => now, at: () => () => undefined };
  return new RuntimeTransitionContext({ clock, ids, evaluator: EVALUATOR }, () => '');
}

const EVALUATOR = new EvaluationThreads();

/** The lines of the events from the first state on. */
export function afterStart({ history }: Played): readonly string[] {
  return history.slice(1);
}

interface Pending {
  readonly at: number;
  readonly signal: Signal;
  readonly outside?: OutsideSignal;
}

function answerTo({ taskId, isCallback }: Effect & { kind: 'call' }, answer: Answer, now: number): Pending[] {
  if (answer === 'never') return [];
  const { afterMs = 0, ...rest } = answer;
  return [{ at: now + afterMs, signal: answered(taskId, isCallback, rest) }];
}

function answered(taskId: string, isCallback: boolean, answer: Exclude<Answer, 'never'>): Signal {
  if (!('output' in answer)) return { kind: 'taskFailed', taskId, ...answer };
  return { kind: isCallback ? 'taskSubmitted' : 'taskSucceeded', taskId, output: answer.output };
}

function signalOf(outside: OutsideSignal, calls: readonly string[]): Signal {
  const taskId = calls[outside.task] ?? '';
  if (outside.kind === 'heartbeat') return { kind: 'taskHeartbeat', taskId };
  if (outside.kind === 'succeed') return { kind: 'taskSucceeded', taskId, output: outside.output };
  const { error, cause } = outside;
  return { kind: 'taskFailed', taskId, ...(error && { error }), ...(cause && { cause }) };
}

function line({ id, previousEventId, type, timestamp: _, ...details }: HistoryEvent): string {
  return `${id}<-${previousEventId} ${type} ${JSON.stringify(details)}`;
}
