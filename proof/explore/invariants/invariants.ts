import { canonical, type Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { payloadOf } from '../model/inputs';
import type { ModelState } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import type { Fact, Step } from '../transition/step';
import { isParkedFor, variantViolationIn } from './of-variants';
import { counts, isStored } from './past';

/** What must hold, and a sentence that says it. */
export interface Invariant {
  readonly name: string;
  readonly says: string;
  /** How a step breaks it; undefined where it does not. The step is already {@link remembered}. */
  readonly brokenBy: (space: StateSpace, before: ModelState, step: Step) => string | undefined;
}

/** A broken invariant. */
export interface Violation {
  readonly invariant: string;
  readonly says: string;
  /** What was seen. */
  readonly seen: string;
}

/** The first invariant that a step breaks; undefined where all hold. */
export function violationIn(space: StateSpace, before: ModelState, step: Step): Violation | undefined {
  for (const { name, says, brokenBy } of INVARIANTS) {
    const seen = brokenBy(space, before, step);
    if (seen !== undefined) return { invariant: name, says, seen };
  }
  return variantViolationIn(space, before, step);
}

/** All invariants of single steps. That nothing is ever stuck is checked where everything has ended. */
export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'oneStepAtATime',
    says: 'Never two runs of the business step for one key at the same time.',
    brokenBy: (_, __, { after: { lambdas } }) =>
      lambdas.length > 1 ? `${lambdas.length} runs of the step are under way` : undefined,
  },
  {
    name: 'succeedsOnce',
    says: 'Of the runs of the business step that were not cut off one succeeds; another one only if for a fortnight nobody could say so.',
    brokenBy: (_, __, { after: { past } }) =>
      past.successes > past.allowed
        ? `the step has succeeded ${past.successes} times, where ${past.allowed} were to be expected`
        : undefined,
  },
  {
    name: 'completedStays',
    says: 'A COMPLETED record never changes until it expires.',
    brokenBy: (_, { now, skewMs }, { facts }) =>
      found(writes(facts), ({ before, after }) => {
        if (!counts(before, now + skewMs) || statusOf(before) !== 'COMPLETED' || isSame(before, after))
          return undefined;
        return `the COMPLETED record became ${recordText(after)}`;
      }),
  },
  {
    name: 'onlyTheOwnerWrites',
    says: 'An execution that does not own the record writes nothing, unless it becomes the owner with a higher attempt, or ends the record of an owner that has succeeded, or leaves one in doubt whose owner is dead.',
    brokenBy: (space, model, { facts }) =>
      found(writes(facts), ({ by, before, after }) => {
        if (before && isSame(before, after)) return undefined;
        const writer = executionAt(space, model, by).execution.arn;
        if (!counts(before, model.now + model.skewMs)) {
          const isClaimed = !after || (statusOf(after) === 'IN_PROGRESS' && after['owner']?.['S'] === writer);
          return isClaimed
            ? undefined
            : `execution ${by + 1} wrote ${recordText(after)} where no record counts`;
        }
        if (before['owner']?.['S'] === writer) {
          const isAgain = statusOf(after) === 'IN_PROGRESS' && attemptOf(after) > attemptOf(before);
          return isAgain || attemptOf(after) === attemptOf(before)
            ? undefined
            : `the owner changed ${recordText(before)} to ${recordText(after)}`;
        }
        const isTakenOver = after?.['owner']?.['S'] === writer && attemptOf(after) > attemptOf(before);
        return isTakenOver ||
          isEndedFor(space, model, before, after) ||
          isParkedFor(space, model, before, after)
          ? undefined
          : `execution ${by + 1} changed ${recordText(before)} to ${recordText(after)}`;
      }),
  },
  {
    name: 'fencingRises',
    says: 'No two executions run the step with the same attempt, and no run has a lower one than a run before it.',
    brokenBy: (_, { past }, { facts }) =>
      found(invocations(facts), ({ by, attempt }) => {
        const isFresh = attempt > past.attempt || (attempt === past.attempt && by === past.runner);
        return isFresh
          ? undefined
          : `execution ${by + 1} runs the step with attempt ${attempt} after ${past.attempt}`;
      }),
  },
  {
    name: 'oneResult',
    says: 'Whoever succeeds returns the result that the record stores.',
    brokenBy: (space, _, { facts, after }) =>
      found(ends(facts), ({ execution }) => {
        const { end, status } = executionAt(space, after, execution).execution;
        if (status !== 'SUCCEEDED') return undefined;
        const output = end?.output?.text ?? '';
        if (isStored(output, after.past)) return undefined;
        return `execution ${execution + 1} answers ${output}; stored: ${after.past.results.join(', ') || 'nothing'}`;
      }),
  },
  {
    name: 'refusedPayloadNeverRuns',
    says: 'Another payload than the one that its key was claimed with neither reaches the step nor gets its result.',
    brokenBy: (space, { past }, { facts, after }) =>
      found(invocations(facts), ({ by, payload }) =>
        past.payload === null || past.payload === payload
          ? undefined
          : `execution ${by + 1} runs the step with another payload`,
      ) ??
      found(ends(facts), ({ execution }) => {
        const { status, input } = executionAt(space, after, execution).execution;
        const { payload, finishers } = after.past;
        // Whoever ran the step itself has its own payload's result; so may one whose record has expired meanwhile.
        if (status !== 'SUCCEEDED' || payload === null || finishers.includes(execution)) return undefined;
        if (payloadOf(input.value) === payload) return undefined;
        return `execution ${execution + 1} succeeds with another payload`;
      }),
  },
  {
    name: 'samePayloadIsNotRefused',
    says: 'An execution with the payload that its key was claimed with is not refused for its payload.',
    brokenBy: (space, _, { facts, after }) =>
      found(ends(facts), ({ execution }) => {
        const { end, input } = executionAt(space, after, execution).execution;
        if (end?.error !== 'Idempotency.PayloadMismatch' || payloadOf(input.value) !== after.past.payload)
          return undefined;
        return `execution ${execution + 1} is refused as one with another payload`;
      }),
  },
  {
    name: 'noDeliveryIsDropped',
    says: 'A dispatcher ends without a start only if the record is COMPLETED, with the same payload, or if it has failed and the event is in the dead-letter queue.',
    brokenBy: (space, before, { facts }) =>
      found(dispatches(facts), fact => {
        if (fact.isStarted || (fact.isDeadLettered && !fact.hasSucceeded)) return undefined;
        const record = space.recordOf(before);
        const isDone =
          fact.hasSucceeded && counts(record, before.now - before.skewMs) && statusOf(record) === 'COMPLETED';
        if (isDone && isSamePayload(space, before, fact.delivery)) return undefined;
        return `delivery ${fact.delivery} has ended without a start, while the record is ${recordText(record)}`;
      }),
  },
  {
    name: 'unfinishedNeverExpires',
    says: 'An IN_PROGRESS record has no expiry: an unfinished claim is never forgotten.',
    brokenBy: (_, __, { facts }) =>
      found(writes(facts), ({ after }) =>
        statusOf(after) === 'IN_PROGRESS' && after?.['expiry']
          ? `the record is ${recordText(after)}, and expires`
          : undefined,
      ),
  },
  {
    name: 'judgesTheRecord',
    says: 'What is read of the record is the record, and one that is absent or has expired neither answers nor refuses anybody.',
    brokenBy: (space, { now, skewMs }, { facts, after }) =>
      found(reads(facts), ({ seen, actual }) => {
        if (seen !== actual) return `${recordText(seen)} was read when the record was ${recordText(actual)}`;
        const [ended] = ends(facts);
        if (!ended || counts(actual, now - skewMs)) return undefined;
        const { status, end } = executionAt(space, after, ended.execution).execution;
        if (end?.error === 'Idempotency.ClaimContended') return undefined;
        const how = status === 'SUCCEEDED' ? 'answers' : `ends with ${end?.error}`;
        return `execution ${ended.execution + 1} ${how}, by a record that is absent or has expired`;
      }),
  },
  {
    name: 'lostAnswersAreHarmless',
    says: 'No execution fails because one answer of DynamoDB was lost.',
    brokenBy: (space, _, { facts, after }) =>
      found(losses(facts), ({ execution }) =>
        executionAt(space, after, execution).execution.end?.error === 'DynamoDB.SdkClientException'
          ? `execution ${execution + 1} has failed`
          : undefined,
      ),
  },
  {
    name: 'noResultIsLost',
    says: "No execution learns after its step that the record is another one's, before the record has held its result.",
    brokenBy: (space, _, { facts, after }) =>
      found(ends(facts), ({ execution }) => {
        const { end } = executionAt(space, after, execution).execution;
        if (end?.error !== 'Idempotency.ClaimLost' || after.past.finishers.includes(execution))
          return undefined;
        return `execution ${execution + 1} has run the step and lost its claim`;
      }),
  },
];

function found<Of>(facts: readonly Of[], brokenBy: (fact: Of) => string | undefined): string | undefined {
  for (const fact of facts) {
    const seen = brokenBy(fact);
    if (seen !== undefined) return seen;
  }
  return undefined;
}

function ofKind<Kind extends Fact['kind']>(facts: readonly Fact[], kind: Kind) {
  return facts.filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind);
}

const writes = (facts: readonly Fact[]) => ofKind(facts, 'wrote');
const ends = (facts: readonly Fact[]) => ofKind(facts, 'ended');
const reads = (facts: readonly Fact[]) => ofKind(facts, 'read');
const losses = (facts: readonly Fact[]) => ofKind(facts, 'lost');
const invocations = (facts: readonly Fact[]) => ofKind(facts, 'invoked');
const dispatches = (facts: readonly Fact[]) => ofKind(facts, 'dispatched');

function statusOf(record: Item | undefined): unknown {
  return record?.['status']?.['S'];
}

/** Whether the write finishes the record for an owner that has succeeded: with its output as the result. */
function isEndedFor(space: StateSpace, model: ModelState, before: Item, after: Item | undefined): boolean {
  const owner = model.executions
    .map(number => space.workflow.get(number).execution)
    .find(({ arn }) => arn === before['owner']?.['S']);
  const isSameOwner = after?.['owner']?.['S'] === before['owner']?.['S'];
  return (
    owner?.status === 'SUCCEEDED' &&
    isSameOwner &&
    attemptOf(after) === attemptOf(before) &&
    statusOf(after) === 'COMPLETED' &&
    after?.['result']?.['NULL'] === true
  );
}

function attemptOf(record: Item | undefined): number {
  return Number(record?.['attempt']?.['N'] ?? 0);
}

function isSame(a: Item, b: Item | undefined): boolean {
  return a === b || (b !== undefined && canonical({ M: a }) === canonical({ M: b }));
}

// A COMPLETED record has the payload that the step has run with.
function isSamePayload(space: StateSpace, { dispatchers, past }: ModelState, delivery: number): boolean {
  const state = dispatchers.find(dispatcher => dispatcher.delivery === delivery)?.state;
  const input = state === undefined ? undefined : space.dispatcher?.get(state).execution.input.value;
  return input !== undefined && payloadOf(input) === past.payload;
}

/** A record in a few words. */
export function recordText(record: Item | undefined): string {
  if (!record) return 'absent';
  const [, , , , , , , owner = '?'] = String(record['owner']?.['S']).split(':');
  const result = record['result']?.['S'];
  const stored = result === undefined ? '' : `, result ${result}`;
  return `${statusOf(record)} of ${owner}, attempt ${attemptOf(record)}${stored}`;
}
