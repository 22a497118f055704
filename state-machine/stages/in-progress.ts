import type { Duration } from 'aws-cdk-lib';
import { Choice, type State, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { HAS_WAITED, secondsToWait, WAITS_AFTER, waitUntil } from '../expressions/waiting';
import { when } from '../flow/conditions';
import type { OnInProgress } from '../options';
import { inProgress } from './fail';

/** Where a delivery goes whose key another execution owns: to its end, or after a while to `read` again. */
export function whileInProgress(scope: Construct, onInProgress: OnInProgress, read: State): State {
  const refused = inProgress(scope);
  if (!onInProgress.total) return refused;
  const hasWaited = Choice.jsonata(scope, 'Waited long enough?', {
    comment: 'Whether there is time for another look at the record',
  });
  when(hasWaited, HAS_WAITED, refused);
  hasWaited.otherwise(waitForTheOwner(scope, onInProgress.total).next(read));
  return hasWaited;
}

function waitForTheOwner(scope: Construct, total: Duration): Wait {
  return Wait.jsonata(scope, 'Wait for the owner', {
    comment: 'Another execution owns the key; each look at the record comes later than the last',
    time: WaitTime.seconds(secondsToWait(total.toMilliseconds())),
    assign: { waitUntil: waitUntil(total.toMilliseconds()), waits: WAITS_AFTER },
  });
}
