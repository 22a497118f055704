import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import { ORIGIN } from '../model/execution-state';
import { directName, inputOf } from '../model/inputs';
import { StateSpace } from '../model/state-space';
import { type LoadedSubject, type Subject, statesOf, subjectOfText } from '../model/subject';

/** The subject in an ASL file, and one of its recovery, or why it is not one whose invariants are explored. */
export function readDefinition(file: string, recoverys?: string): LoadedSubject {
  try {
    const loaded = subjectOfText(
      readFileSync(file, 'utf8'),
      recoverys === undefined ? undefined : readFileSync(recoverys, 'utf8'),
    );
    if (loaded.kind === 'problem') return loaded;
    const message = shapeProblem(loaded.subject.workflow.json) ?? eventProblem(loaded.subject);
    return message === undefined ? loaded : { kind: 'problem', message };
  } catch (error) {
    return { kind: 'problem', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Why a definition is not one whose invariants are explored; undefined where it is. */
function shapeProblem(definition: JsonObject): string | undefined {
  const states = statesOf(definition);
  const claim = states['Claim record']?.['Arguments'];
  if (!isJsonObject(claim) || !isJsonObject(claim['Item']))
    return 'no state `Claim record` that puts an item: this is not the definition of an idempotent workflow';
  return undefined;
}

/** Why the event that is explored says nothing about a definition; undefined where it begins to work with it. */
function eventProblem(subject: Subject): string | undefined {
  const { workflow } = new StateSpace(subject);
  const input = inputOf(0);
  const started = workflow.started({ name: directName(1), input, now: ORIGIN });
  const { status, end } = workflow.get(started).execution;
  if (status === 'RUNNING') return undefined;
  const how = `the execution ends with ${end?.error ?? status} before its claim`;
  return `${how}; key and payload have to be found in the input that is explored, ${JSON.stringify(input)}`;
}
