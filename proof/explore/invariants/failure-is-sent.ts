import { isJsonObject } from '../../../packages/local/json/json';
import { redriveProblem } from '../../../packages/local/runtime/redrivability';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import { withExecution } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { isQuiet } from '../transition/effects';
import { indexOfArn } from '../transition/step-functions';
import { ordinarySteps } from '../transition/steps';
import { recordText, textOf } from './invariant';
import type { Violation } from './invariants';
import { counts, remembered } from './past';

/** What is checked where everything has ended, of a definition that sends its failures somewhere. */
export const FAILURE_IS_SENT = {
  name: 'failureIsSent',
  says: 'Where a record that counts says FAILED, its failure has been sent; or it can be seen by how the execution ended that wrote it that it was not, and a redrive of that one sends it.',
} as const;

/** More steps than a redriven execution takes to its end. */
const STEPS_MAX = 100;

/** What is wrong with a failure that has not been sent; undefined where it has, or nobody promised it. */
export function unsentAt(space: StateSpace, quiet: ModelState): Violation | undefined {
  const record = space.recordOf(quiet);
  const isOwed = counts(record, quiet.now) && record['status']?.['S'] === 'FAILED';
  if (!space.subject.workflow.traits.sendsFailures || !isOwed || quiet.past.isFailureSent) return undefined;
  const { Error: error, parkedBy } = storedIn(record);
  // What a person has freed, is not sent.
  if (error === 'Idempotency.Released' || isOfAnotherWorkflow(record)) return undefined;
  const index = indexOfArn(space, quiet, parkedBy ?? record['owner']?.['S']);
  if (index === undefined) return undefined;
  const number = quiet.executions[index] ?? -1;
  const { execution } = space.workflow.get(number);
  const who = `execution ${index + 1}`;
  if (execution.status === 'SUCCEEDED' || execution.end?.error === error)
    return unsent(`the record is ${recordText(record)}, and ${who} ended as if it had sent that`);
  // A redrive is possible for a fortnight: for so long somebody may notice.
  if (redriveProblem(execution, quiet.now) !== undefined) return undefined;
  const redriven = space.workflow.signalled(number, { kind: 'redriven' }, quiet.now);
  if (isSentBy(space, withExecution({ ...quiet, faults: 0 }, index, redriven))) return undefined;
  return unsent(`the record is ${recordText(record)}, and a redrive of ${who} does not send that`);
}

function isSentBy(space: StateSpace, from: ModelState): boolean {
  let model = from;
  for (let count = 0; count < STEPS_MAX && !model.past.isFailureSent && !isQuiet(space, model); count += 1) {
    const steps = ordinarySteps(space, { ...model, deliveries: model.delivered }, ['direct']);
    const step = steps.find(({ name }) => !['pass', 'near', 'ttl'].includes(name)) ?? steps[0];
    if (!step) break;
    model = remembered(model, step).after;
  }
  return model.past.isFailureSent === true;
}

/** The error that a record holds, and who has parked it, where that was not its owner. */
function storedIn(record: Item): { readonly Error?: unknown; readonly parkedBy?: unknown } {
  const stored: unknown = JSON.parse(textOf(record, 'error') || '{}');
  const { Error: error, Cause: cause } = isJsonObject(stored) ? stored : {};
  if (error !== 'Idempotency.InDoubt' || typeof cause !== 'string') return { Error: error };
  const facts: unknown = JSON.parse(cause);
  return { Error: error, parkedBy: isJsonObject(facts) ? facts['parkedBy'] : undefined };
}

function unsent(seen: string): Violation {
  return { invariant: FAILURE_IS_SENT.name, says: FAILURE_IS_SENT.says, seen };
}
