import type { HistoryEvent } from '../../views';
import { detailsOf, textIn } from './details';
import type { VisitStart } from './visits';

/** What a Task has called. */
export interface Called {
  /** `dynamodb:putItem`; undefined where its history does not say, as of a function that is its resource. */
  readonly resource: string | undefined;
  /** The executions that its requests and answers name: started, redriven, asked about, or the owner of a record. */
  readonly executions: readonly string[];
}

const EXECUTION = /arn:aws[\w-]*:states:[\w-]+:\d+:execution:[\w-]+:[^"\\\s,/]+/g;
/** Of long texts the beginning is looked at: those that name executions are short. */
const LOOKED_AT = 10_000;

/** What a visit of a Task has called in the first `count` events of its history. */
export function calledBy(visit: VisitStart, events: readonly HistoryEvent[], count: number): Called {
  if (visit.type !== 'Task') return { resource: undefined, executions: [] };
  // Each event of the visit says which one it comes after.
  const own = new Set([visit.id]);
  const executions = new Set<string>();
  let called: string | undefined;
  for (let index = 0; index < count; index += 1) {
    const event = events[index];
    if (event === undefined || event.id <= visit.id || !own.has(event.previousEventId ?? 0)) continue;
    if (/StateExited$/.test(event.type)) break;
    own.add(event.id);
    const details = detailsOf(event);
    const [resourceType, resource] = [textIn(details['resourceType']), textIn(details['resource'])];
    if (resourceType === undefined || resource === undefined) continue;
    called = `${resourceType}:${resource}`;
    for (const text of [textIn(details['parameters']), textIn(details['output'])])
      for (const [arn] of (text ?? '').slice(0, LOOKED_AT).matchAll(EXECUTION)) executions.add(arn);
  }
  return { resource: called, executions: [...executions] };
}

/** The execution that has started this one, as the input says that a machine passes on to what it starts. */
export function startedBy(input: string | undefined): string | undefined {
  return /"AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID"\s*:\s*"([^"]+)"/.exec(input ?? '')?.[1];
}
