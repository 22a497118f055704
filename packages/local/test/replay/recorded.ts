import type { Json, JsonObject } from '../../json/json';
import { type ReplayOptions, type ReplayReport, replayHistory } from '../../replay/replay-history';
import { toApiEvent } from '../../runtime/executions/execution-history';
import { machineOf, type Played, play, type Script } from '../engine/play';

/** States by their names, the first one first. */
export type States = { readonly [name: string]: Json };

/** A definition of these states as text. */
export function definitionOf(states: States, more: JsonObject = {}): string {
  return JSON.stringify({
    QueryLanguage: 'JSONata',
    StartAt: Object.keys(states)[0],
    States: states,
    ...more,
  });
}

/** What get-execution-history prints of an execution of these states. */
export function recorded(states: States, script: Script = {}, more: JsonObject = {}): string {
  return historyOf(play(machineOf(states, more), script));
}

/** The same of an execution that was played. */
function historyOf({ events }: Pick<Played, 'events'>): string {
  return JSON.stringify({
    events: events.map(event => {
      const { timestamp, ...rest } = toApiEvent(event, true);
      return { ...rest, timestamp: new Date(timestamp).toISOString().replace('Z', '000+00:00') };
    }),
  });
}

/** How a history comes out when it is replayed against these states. */
export function replayed(states: States, history: string, more: Partial<ReplayOptions> = {}): ReplayReport {
  return replayHistory({ definition: definitionOf(states), history, ...more });
}

/** The divergence in short: `event 4, "A": next: enters "B" / enters "C"`; else what kind of report it is. */
export function inShort(report: ReplayReport): string {
  if (report.kind === 'notReplayed') return report.reason;
  if (report.kind === 'same') return 'same';
  const { eventId, state, aspect, path, recorded: was, replayed: would } = report.divergence;
  return `event ${eventId}, "${state}": ${aspect}${path === '' ? '' : ` ${path}`}: ${was} / ${would}`;
}
