import { isJsonObject } from '../../../packages/local/json/json';
import { redriveProblem } from '../../../packages/local/runtime/executions/redrivability';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import { withExecution } from '../model/model-state';
import { counts, recordText, statusOf, textOf } from '../model/record';
import type { StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { isQuiet } from '../transition/effects';
import { indexOfArn } from '../transition/step-functions';
import { firstStep, ordinarySteps } from '../transition/steps';
import { type Violation, violationOf } from './invariants';
import { remembered } from './remembered';

/** Checked of final states, in which everything has ended, if the definition sends failures to a destination. */
export const FAILURE_IS_SENT = {
  name: 'failureIsSent',
  says: 'If a record that counts says FAILED or HELD, its failure has been sent; or a redrive of the execution that must send it does so.',
} as const;

/** Checked of final states, in which everything has ended, if the definition sends results to a destination. */
export const RESULT_IS_SENT = {
  name: 'resultIsSent',
  says: 'If a record that counts says COMPLETED, its result has been sent; or a redrive of its owner sends it.',
} as const;

/** More steps than a redriven execution takes to its end. */
const STEPS_MAX = 100;

/** The fault of an end that was not sent; undefined if the end was sent, or need not be. */
export function missingNotice(space: StateSpace, quiet: ModelState): Violation | undefined {
  return unsentResult(space, quiet) ?? unsentFailure(space, quiet);
}

function unsentResult(space: StateSpace, quiet: ModelState): Violation | undefined {
  const record = space.recordOf(quiet);
  const isOwed = counts(record, quiet.now) && statusOf(record) === 'COMPLETED';
  if (!space.subject.workflow.traits.sendsResults || !isOwed || quiet.past.isResultSent) return undefined;
  const index = indexOfArn(space, quiet, record['owner']?.['S']);
  if (index === undefined || isOfAnotherWorkflow(record)) return undefined;
  const seen = seenUnsent(space, quiet, index);
  return seen === undefined ? undefined : violationOf(RESULT_IS_SENT, seen);
}

function unsentFailure(space: StateSpace, quiet: ModelState): Violation | undefined {
  const record = space.recordOf(quiet);
  const isOwed = counts(record, quiet.now) && ['FAILED', 'HELD'].includes(String(statusOf(record)));
  if (!space.subject.workflow.traits.sendsFailures || !isOwed || quiet.past.isFailureSent) return undefined;
  const heldBy = heldByIn(record);
  // What recovery has held, it has told of itself: `final-recovery.ts` checks that.
  if (heldBy === 'recovery' || isOfAnotherWorkflow(record)) return undefined;
  const index = indexOfArn(space, quiet, heldBy ?? record['owner']?.['S']);
  if (index === undefined) return undefined;
  const seen = seenUnsent(space, quiet, index);
  return seen === undefined ? undefined : violationOf(FAILURE_IS_SENT, seen);
}

/** The observation if a redrive of the execution that must send, by its index, does not send; undefined if it sends. */
function seenUnsent(space: StateSpace, quiet: ModelState, index: number): string | undefined {
  const number = quiet.executions[index] ?? -1;
  const { execution } = space.workflow.get(number);
  const [who, says] = [`execution ${index + 1}`, `the record is ${recordText(space.recordOf(quiet))}`];
  // A redrive is possible for a fortnight, so an operator has that long to notice.
  if (redriveProblem(execution, quiet.now) !== undefined) return undefined;
  const redriven = space.workflow.signalled(number, { kind: 'redriven' }, quiet.now);
  if (isSentBy(space, withExecution({ ...quiet, faults: 0 }, index, redriven))) return undefined;
  return `${says}, and a redrive of ${who} does not send that`;
}

function isSentBy(space: StateSpace, from: ModelState): boolean {
  let model = from;
  const isSent = () => model.past.isFailureSent === true || model.past.isResultSent === true;
  for (let count = 0; count < STEPS_MAX && !isSent() && !isQuiet(space, model); count += 1) {
    const still = { ...model, deliveries: model.delivered };
    const step = firstStep(ordinarySteps(space, still, ['direct']), /^(ttl|near)$/);
    if (!step) break;
    model = remembered(model, step).after;
  }
  return isSent();
}

/** The entry that has held a record, if that was not its owner. */
function heldByIn(record: Item): unknown {
  const stored: unknown = JSON.parse(textOf(record, 'error') || '{}');
  const { Cause: cause } = isJsonObject(stored) ? stored : {};
  if (textOf(record, 'status') !== 'HELD' || typeof cause !== 'string') return undefined;
  const facts: unknown = JSON.parse(cause);
  return isJsonObject(facts) ? facts['heldBy'] : undefined;
}
