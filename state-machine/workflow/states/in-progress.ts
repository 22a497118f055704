import type { Duration } from 'aws-cdk-lib';
import { Choice, type State, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { decide } from '../../choice';
import { expression } from '../../contract/jsonata';
import { waitRules } from '../../contract/judgement';
import { STATE } from '../../contract/state-names';
import type { OnInProgress } from '../../options/on-in-progress';
import { inProgress, inProgressAfterWaits } from './fail';
import { ASK_FOR_LITTLE } from './owner';

/** The next state of a delivery whose key another execution owns: its end, or after a while `read` again. */
export function whileInProgress(
  scope: Construct,
  onInProgress: OnInProgress,
  read: State,
  isFragment: boolean,
): State {
  if (!onInProgress.total) return inProgress(scope, isFragment);
  const rejected = inProgressAfterWaits(scope, isFragment);
  const hasWaited = Choice.jsonata(scope, STATE.hasWaited, {
    comment: 'Is there time left to read the record again?',
  });
  const wait = waitForTheOwner(scope, onInProgress.total, isFragment);
  wait.next(read);
  decide(hasWaited, waitRules(), { reject: () => rejected, wait: () => wait });
  return hasWaited;
}

function waitForTheOwner(scope: Construct, total: Duration, isFragment: boolean): Wait {
  return Wait.jsonata(scope, STATE.wait, {
    comment: 'Another execution owns the key: the record is read again, after delays that grow',
    time: WaitTime.seconds(secondsToWait(total.toMilliseconds())),
    assign: {
      waitUntil: waitUntil(total.toMilliseconds()),
      waits: WAITS_AFTER,
      serviceError: EMPTY,
      // A fact about the owner from before a wait is old after it: the delivery asks again.
      ...(isFragment && { ...ASK_FOR_LITTLE, redriveError: EMPTY }),
    },
  });
}

/** The cause tells only what went wrong since the last wait: a variable cannot be deleted, so it becomes empty. */
const EMPTY = expression("''");

// The variable `waitUntil` is the time, in epoch milliseconds, at which a delivery gives up; `waits` counts its waits.

/** A wait of an hour or less reads the record about this often at its longest delay; a longer wait up to 60 times. */
const [READS_WITHIN_AN_HOUR, READS_MAX] = [12, 60];
const [MIN_LONGEST_SECONDS, USUAL_LONGEST_SECONDS] = [30, 300];

/**
 * Whole seconds until the next read. In a wait of minutes one, two, four, up to half a minute. In a longer one one,
 * four, sixteen, up to five minutes in a wait of an hour. The last twentieth of each delay is random, so that
 * deliveries that came together do not read together; a larger part would read more often. Never beyond `waitUntil`.
 */
export function secondsToWait(totalMs: number): string {
  const seconds = totalMs / 1000;
  const usual = Math.min(USUAL_LONGEST_SECONDS, Math.ceil(seconds / READS_WITHIN_AN_HOUR));
  const longest = Math.max(MIN_LONGEST_SECONDS, usual, Math.ceil(seconds / READS_MAX));
  const growth = longest > MIN_LONGEST_SECONDS ? 4 : 2;
  return expression(
    `( ${[
      `$left := ($exists($waitUntil) ? $waitUntil - $millis() : ${totalMs}) / 1000`,
      `$grown := $min([$power(${growth}, $min([${WAITS}, 10])), ${longest}])`,
      '$ceil($max([0.001, $min([$grown * (19 + $random()) / 20, $left])]))',
    ].join('; ')} )`,
  );
}

/** When to give up: what was decided before the first wait. */
function waitUntil(totalMs: number): string {
  return expression(
    `$exists($waitUntil) ? $waitUntil : $toMillis($states.context.State.EnteredTime) + ${totalMs}`,
  );
}

const WAITS = '($exists($waits) ? $waits : 0)';

/** One wait more. */
const WAITS_AFTER = expression(`${WAITS} + 1`);
