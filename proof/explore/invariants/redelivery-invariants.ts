import { statesOf } from '../model/definition-states';
import { nameOfEntry } from '../model/entries';
import type { Recovery } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import type { ExploredMachine } from '../model/subject';
import { redeliveryOf } from '../transition/redelivery';
import { found, type Invariant, numberIn, ofKind } from './invariant';

/** How often an event is delivered again, and when, as it was deployed. */
interface Promised {
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly maxDelayMs: number;
}

function readPromised({ deployed, json }: ExploredMachine): Promised {
  const state = statesOf((deployed ?? { json }).json)['Has its step failed?'];
  return {
    maxAttempts: numberIn(state, /\$deliveries >= (\d+)/),
    delayMs: numberIn(state, /\$min\(\[(\d+) \* \$power\(2, /) * 1000,
    maxDelayMs: numberIn(state, /, 25\]\)\), (\d+)\]\)/) * 1000,
  };
}

const PROMISED = new WeakMap<ExploredMachine, Promised>();

/** What `redeliverFailed` promises, as it was deployed. @throws Error if it is not among what can happen */
export function promised({ subject: { redelivery } }: StateSpace): Promised {
  if (!redelivery) throw new Error('a redelivery is under way, and there is none');
  const known = PROMISED.get(redelivery) ?? readPromised(redelivery);
  PROMISED.set(redelivery, known);
  return known;
}

/** A redelivery in a few words. */
export function nameOfRedelivery({ execution }: Recovery): string {
  return `the redelivery of execution ${nameOfEntry(execution)}`;
}

/** What holds of each delivery of an event whose step has failed. */
export const REDELIVERY_INVARIANTS: readonly Invariant[] = [
  {
    name: 'redeliversTheFailed',
    says: [
      'A redelivery delivers only if the record, at its last read, said that the step of its execution had failed.',
      'It may also be the step of an execution that was delivered for it. Its execution is not a redelivery itself.',
      'It delivers nothing that is in doubt, completed, released, in progress, or owned by another execution.',
      'It delivers the input of its execution, unchanged.',
    ].join(' '),
    brokenBy: (space, before, { facts, after }) =>
      found(ofKind(facts, 'redelivered'), ({ recovery }) => {
        if (recovery.redelivery?.saw !== 'failed')
          return `${nameOfRedelivery(recovery)} delivers, and did not see that its step has failed`;
        if (redeliveryOf(before, recovery.execution).of !== recovery.execution)
          return `${nameOfRedelivery(recovery)} delivers, which another one has delivered and goes on with`;
        const { input } = executionAt(space, before, recovery.execution).execution;
        const isAnother = after.executions
          .slice(before.executions.length)
          .some(number => space.workflow.get(number).execution.input.text !== input.text);
        return isAnother ? `${nameOfRedelivery(recovery)} delivers another input` : undefined;
      }),
  },
  {
    name: 'redeliveriesAreBounded',
    says: 'An event whose step fails is delivered again no more often than was deployed, also if one of these deliveries ended early and recovery delivers it.',
    brokenBy: (space, before, { facts, after }) =>
      found(ofKind(facts, 'redelivered'), ({ recovery }) => {
        const { maxAttempts } = promised(space);
        const fresh = after.executions.length - 1;
        const { times } = redeliveryOf(after, fresh);
        return fresh >= before.executions.length && times > maxAttempts
          ? `${nameOfRedelivery(recovery)} delivers for time ${times} of ${maxAttempts}`
          : undefined;
      }),
  },
  {
    name: 'redeliversInTime',
    says: 'Before each delivery as much time has passed as was deployed: twice as much as before the last one, up to the longest delay.',
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'redelivered'), ({ recovery }) => {
        const { delayMs, maxDelayMs } = promised(space);
        const { last = -1, at = 0 } = recovery.redelivery ?? {};
        const delay = Math.min(delayMs * 2 ** redeliveryOf(before, last).times, maxDelayMs);
        return before.now < at + delay
          ? `${nameOfRedelivery(recovery)} delivers after ${before.now - at} ms of ${delay}`
          : undefined;
      }),
  },
];
