import type { Duration } from 'aws-cdk-lib';
import { Choice, type State, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../../choice';
import { expression } from '../../contract/jsonata';
import { STATE } from '../../contract/state-names';
import type { OnInProgress } from '../../options';
import { inProgress, inProgressAfterWaits } from './fail';
import { ASK_FOR_LITTLE } from './owner';

/** Where a delivery goes whose key another execution owns: to its end, or after a while to `read` again. */
export function whileInProgress(
  scope: Construct,
  onInProgress: OnInProgress,
  read: State,
  isPart: boolean,
): State {
  if (!onInProgress.total) return inProgress(scope, isPart);
  const refused = inProgressAfterWaits(scope, isPart);
  const hasWaited = Choice.jsonata(scope, STATE.hasWaited, {
    comment: 'Is there time left to read the record again?',
  });
  when(hasWaited, 'The time is over', HAS_WAITED, refused);
  hasWaited.otherwise(waitForTheOwner(scope, onInProgress.total, isPart).next(read));
  return hasWaited;
}

function waitForTheOwner(scope: Construct, total: Duration, isPart: boolean): Wait {
  return Wait.jsonata(scope, STATE.wait, {
    comment: 'Another execution owns the key: the record is read again, after delays that grow',
    time: WaitTime.seconds(secondsToWait(total.toMilliseconds())),
    assign: {
      waitUntil: waitUntil(total.toMilliseconds()),
      waits: WAITS_AFTER,
      serviceError: EMPTY,
      // What was learned of the owner before a wait is old after it: it is asked about anew.
      ...(isPart && { ...ASK_FOR_LITTLE, redriveError: EMPTY }),
    },
  });
}

/** The cause tells only what went wrong since the last wait: a variable cannot be deleted, so it becomes empty. */
const EMPTY = expression("''");

// The variable `waitUntil` is the time, in epoch milliseconds, at which a delivery gives up; `waits` counts its waits.

/** True where the time for waiting is over. Before the first wait it never is. */
const HAS_WAITED = '$exists($waitUntil) and $millis() >= $waitUntil';

/** How often a delivery reads the record at most, about: it bounds what a long wait costs, and its history. */
const READS = 120;

/**
 * Whole seconds until the next read: one, two, four, up to a bound; of each delay the second half is random, so that
 * deliveries which came together do not read together. Never beyond `waitUntil`.
 */
export function secondsToWait(totalMs: number): string {
  const longest = Math.max(MIN_LONGEST_SECONDS, Math.ceil(totalMs / 1000 / READS) * 2);
  return expression(
    `( ${[
      `$left := ($exists($waitUntil) ? $waitUntil - $millis() : ${totalMs}) / 1000`,
      `$grown := $min([$power(2, $min([${WAITS}, 20])), ${longest}])`,
      '$ceil($max([0.001, $min([$grown * (1 + $random()) / 2, $left])]))',
    ].join('; ')} )`,
  );
}

const MIN_LONGEST_SECONDS = 30;

/** When to give up: what was decided before the first wait. */
function waitUntil(totalMs: number): string {
  return expression(
    `$exists($waitUntil) ? $waitUntil : $toMillis($states.context.State.EnteredTime) + ${totalMs}`,
  );
}

const WAITS = '($exists($waits) ? $waits : 0)';

/** One wait more. */
const WAITS_AFTER = expression(`${WAITS} + 1`);
