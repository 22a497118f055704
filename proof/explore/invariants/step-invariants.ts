import { isDeepStrictEqual } from 'node:util';
import { nameOfEntry } from '../model/entries';
import { currentState, leafOf } from '../model/execution-state';
import { attemptOf } from '../model/record';
import { executionAt } from '../model/state-space';
import { found, type Invariant, ofKind } from './invariant';
import { isClaimant, retriesBefore } from './remembered';

/** What holds of the runs of the business step. */
export const STEP_INVARIANTS: readonly Invariant[] = [
  {
    name: 'oneStepAtATime',
    says: 'Never two runs of the business step for one key at the same time.',
    brokenBy: (_, __, { after: { lambdas } }) =>
      lambdas.length > 1 ? `${lambdas.length} runs of the step are under way` : undefined,
  },
  {
    name: 'succeedsOnce',
    says: 'Of the runs of the business step that were not interrupted one succeeds. Another one succeeds only if the first could not be recorded for a fortnight.',
    brokenBy: (_, __, { after: { past } }) =>
      past.successes.length > past.allowed
        ? `the step has succeeded ${past.successes.length} times, where ${past.allowed} were to be expected`
        : undefined,
  },
  {
    name: 'fencingRises',
    says: 'No two executions run the step with the same attempt, and no run has a lower one than a run before it.',
    brokenBy: (_, { past: { lastRun } }, { facts }) =>
      found(ofKind(facts, 'invoked'), ({ by, attempt }) => {
        if (!lastRun || attempt > lastRun.attempt) return undefined;
        if (attempt === lastRun.attempt && by === lastRun.execution) return undefined;
        return `execution ${nameOfEntry(by)} runs the step with attempt ${attempt} after ${lastRun.attempt}`;
      }),
  },
  {
    name: 'oneRunPerAttempt',
    says: [
      'An execution runs the step once with an attempt, and once more each time that it was interrupted and redriven.',
      'If it is retried, it also runs again after a failure, as often as the retries allow.',
      'It never runs again after its execution has received another end.',
      'A chain that is retried runs again however it has ended, when what it has begun is over.',
    ].join(' '),
    brokenBy: (space, { past, lambdas }, { facts }) =>
      found(ofKind(facts, 'invoked'), fact => {
        const { by, attempt, redrives } = fact;
        const { lastRun } = past;
        if (lastRun?.execution !== by || lastRun.attempt !== attempt) return undefined;
        const retries = retriesBefore(past, fact);
        const { stepRetries, chainRetries } = space.subject.workflow.traits;
        const isRedriven = lastRun.redrives < redrives;
        const isOver = lambdas.every(({ execution }) => execution !== by);
        if (chainRetries > 0 && isOver && (isRedriven || retries <= chainRetries)) return undefined;
        const isRetry = retries > 0 && retries <= stepRetries;
        if (!lastRun.isTold && (isRedriven || isRetry)) return undefined;
        return `execution ${nameOfEntry(by)} runs the step again with attempt ${attempt}, and was not interrupted`;
      }),
  },
  {
    name: 'rejectionIsNoDoubt',
    says: 'If the service rejects the step by name, its execution waits for no grace and is in no doubt; at most once by any error, unless it had been redriven.',
    brokenBy: (space, before, { facts, after }) =>
      found(ofKind(facts, 'rejected'), ({ execution, isByName }) => {
        if (!isByName && !space.subject.workflow.traits.isAtMostOnce) return undefined;
        const [was, is] = [before, after].map(model => executionAt(space, model, execution));
        // A rejected call in one branch of a chain says nothing of its siblings.
        if (!was || !is || currentState(was) !== 'Business step') return undefined;
        const isRedriven = was.execution.redriveCount !== leafOf(was.execution)?.variables['redrives'];
        if (isRedriven && space.subject.workflow.traits.isAtMostOnce) return undefined;
        const next = currentState(is);
        if (!['Let the step end', 'Hold the key for review'].includes(next)) return undefined;
        return `execution ${nameOfEntry(execution)} got no run of its step, and goes on in "${next}"`;
      }),
  },
  {
    name: 'stepIsToldWhatIs',
    says: 'The execution that runs the step owns the record, and gives the step the key and the attempt of that record, its own input, and the number of retries if it is retried.',
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'invoked'), fact => {
        const { by, given } = fact;
        const record = space.recordOf(before);
        const { arn, input } = executionAt(space, before, by).execution;
        const isOwner = record?.['owner']?.['S'] === arn && isClaimant(before, by);
        if (!isOwner) return `execution ${nameOfEntry(by)} runs the step and owns no record`;
        const isRetried = space.subject.workflow.traits.stepRetries > 0;
        const told = {
          idempotencyKey: record['idempotencyKey']?.['S'],
          attempt: attemptOf(record),
          ...(isRetried && { retryCount: retriesBefore(before.past, fact) }),
        };
        const wrong = Object.entries(told).find(([name, value]) => given[name] !== value);
        if (wrong)
          return `the step is given the ${wrong[0]} ${JSON.stringify(given[wrong[0]])}, not ${wrong[1]}`;
        return isDeepStrictEqual(given['input'], input.value) ? undefined : 'the step is given another input';
      }),
  },
];
