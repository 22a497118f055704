import type { HistoryEvent } from '@aws-sdk/client-sfn';
import type { RecordVersion } from '@onceflow/console';
import { STATUS } from '../../../state-machine/contract/index';
import { STATE } from '../../../state-machine/contract/state-names';
import { executionNameIn } from '../../arns';
import { type StateVisit, visitsIn } from '../../key/history';
import { wasLeftByAnError, wasRefused } from '../../timeline/words';

/** The status that each writing state writes. */
const WRITTEN: Readonly<Record<string, string>> = {
  [STATE.claim]: STATUS.inProgress,
  [STATE.takeOver]: STATUS.inProgress,
  [STATE.completed]: STATUS.completed,
  [STATE.resultStored]: STATUS.completed,
  [STATE.resultElsewhere]: STATUS.completed,
  [STATE.failed]: STATUS.failed,
  [STATE.inDoubt]: STATUS.held,
  [STATE.ownerInDoubt]: STATUS.held,
};

/**
 * The versions of a key's record, as its executions' histories tell of writes that took effect; oldest first. What
 * recovery or an operator has written, and what DynamoDB has deleted, is in none of these histories.
 */
export function recordVersions(
  executions: readonly { readonly executionArn: string; readonly events: readonly HistoryEvent[] }[],
  prefix: string,
): readonly RecordVersion[] {
  const versions = executions.flatMap(({ executionArn, events }) =>
    visitsIn(events, prefix).flatMap(visit => {
      const status = WRITTEN[visit.name];
      if (status === undefined || !hasWritten(visit)) return [];
      return [{ at: visit.exitedAt.getTime(), status, by: executionNameIn(executionArn) }];
    }),
  );
  return versions.sort((one, other) => one.at - other.at);
}

function hasWritten(visit: StateVisit): visit is StateVisit & { readonly exitedAt: Date } {
  return visit.isOurs && visit.exitedAt !== undefined && !wasRefused(visit) && !wasLeftByAnError(visit);
}
