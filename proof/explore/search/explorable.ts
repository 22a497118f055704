import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import { whenEvaluated } from '../model/execution-states';
import { directName, inputOf } from '../model/inputs';
import { ORIGIN } from '../model/model-state';
import { StateSpace } from '../model/state-space';
import { type Subject, statesOf } from '../model/subject';

/** Why a definition is not one whose invariants are explored; undefined where it is. */
export function shapeProblem(definition: JsonObject): string | undefined {
  const states = statesOf(definition);
  const claim = states['Claim record']?.['Arguments'];
  if (!isJsonObject(claim) || !isJsonObject(claim['Item']))
    return 'no state `Claim record` that puts an item: this is not the definition of an idempotent workflow';
  if (claim['Item']['leaseExpiry'] !== undefined)
    return 'this is an Express workflow; the exploration is about Standard ones, whose owners can be asked and redriven';
  if (states['Return stored failure'])
    return 'the workflow answers with a stored failure (`onFailedBefore`); the invariants are of one that tries again';
  return undefined;
}

/** Why the event that is explored says nothing about a definition; undefined where it begins to work with it. */
export async function eventProblem(subject: Subject): Promise<string | undefined> {
  const { workflow } = new StateSpace(subject);
  const input = inputOf(0);
  const started = await whenEvaluated(() => workflow.started({ name: directName(1), input, now: ORIGIN }));
  const { status, end } = workflow.get(started).execution;
  if (status === 'RUNNING') return undefined;
  const how = `the execution ends with ${end?.error ?? status} before its claim`;
  return `${how}; key and payload have to be found in the input that is explored, ${JSON.stringify(input)}`;
}
