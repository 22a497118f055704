import { ERROR, NOTHING_TO_RECOVER } from '../contract/error-names';
import { isFreedIn, isNoticeUnsentIn, isSenderIn } from '../contract/failure-notice';
import { and, expression, fieldName, literal, literals, not, or } from '../contract/jsonata';
import { RECORD, RESULT_ELSEWHERE, STATUS } from '../contract/record';
import { attributeIn } from '../contract/table-schema';
import type { Variant } from '../contract/variant';
import type { FailureDestination } from '../options/failure-destination';
import type { SuccessDestination } from '../options/success-destination';
import type { ResolvedTime } from '../template/resolved-time';
import { type RecordSettings, THIS_RECOVERY } from './record-writes';
import { REPLACED } from './recovery-input';

export interface RecordJudgeSettings extends RecordSettings {
  readonly variant: Variant;
  /** For how long the business step may still be running after its execution has ended. */
  readonly stepTimeout: ResolvedTime;
  /** For how long the record of a key is kept when it is finished, by each outcome: completed, failed. */
  readonly retentionSeconds: readonly [number, number];
  /** The destinations of failures and of abandoned events; undefined: none. */
  readonly onFailure: FailureDestination | undefined;
  /** Where results are sent; undefined: nowhere. */
  readonly onSuccess: SuccessDestination | undefined;
}

// What the record says of the execution that has ended, found out when it is read: the rules are short by it.

const ITEM = '$states.result.Item';
const IS_OWN = `${ITEM}.${RECORD.owner}.S = $owner.executionArn`;

/** The variables behind a read of the record. */
export function factsOfTheRecord(settings: RecordJudgeSettings): Readonly<Record<string, string>> {
  return {
    isUnclaimed: expression(isUnclaimed(settings)),
    hasNothingToRecover: expression(
      `$owner.error in ${literals([...NOTHING_TO_RECOVER, ERROR.invalidEvent])}`,
    ),
    hasOnlyResult: expression(hasOnlyResult(settings)),
    isHeldByThis: expression(IS_HELD_BY_THIS),
    ...(settings.onSuccess && { isCompletedByIt: expression(IS_COMPLETED_BY_IT) }),
    ...(settings.onFailure && {
      isSender: expression(isSenderIn(ITEM)),
      isNoticeUnsent: expression(isNoticeUnsentIn(ITEM)),
      isFreed: expression(isFreedIn(ITEM)),
    }),
  };
}

/** How JSON text is written as a member of JSON text. */
function textInText(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

/** True if this recovery has held the record, or the one that was interrupted and in place of which it runs. */
const IS_HELD_BY_THIS =
  `$exists($filter($append([${THIS_RECOVERY}], ${REPLACED}), function($one) { ` +
  `$contains(${ITEM}.${RECORD.error}.S, ${literal(textInText('"recovery":"'))} & $one & ${literal(textInText('"'))}) }))`;

const IS_COMPLETED_BY_IT = and(IS_OWN, `${ITEM}.${RECORD.status}.S = ${literal(STATUS.completed)}`);

/**
 * True if the execution has ended before its claim, and no other execution has the key: there is no record that counts,
 * or another execution's was released. A record of its own that is gone was finished, and so was one of another
 * execution that was there when this one ended, or was finished while it ran. A rejected event is terminal.
 */
function isUnclaimed({ table }: RecordJudgeSettings): string {
  const expiry = fieldName(attributeIn(table.schema, RECORD.expiry));
  const finishedAt = `$item.${RECORD.finishedAt}`;
  const isFree = or(
    not('$exists($item.status)'),
    '$expiry > 0 and $expiry <= $floor($millis() / 1000)',
    `$item.status.S = ${literal(STATUS.released)}`,
  );
  const isOwn = `$item.${RECORD.owner}.S = $owner.executionArn`;
  const wasFinishedMeanwhile = `$exists(${finishedAt}) and $toMillis(${finishedAt}.S) >= $owner.startDate`;
  const isIt = and(isFree, not(isOwn), not('$expiry * 1000 > $endedAt'), not(wasFinishedMeanwhile));
  return `( $item := ${ITEM}; $expiry := $max([0, $number($item.${expiry}.N)]); ${isIt} )`;
}

/** True if the record is completed, and its result is nowhere but in the output of the execution. */
function hasOnlyResult({ variant }: RecordJudgeSettings): string {
  const result = `${ITEM}.${RECORD.result}`;
  const isElsewhere = or(not(`$exists(${result})`), `${result}.S = ${literal(RESULT_ELSEWHERE)}`);
  const isInBucket = `$exists(${ITEM}.${RECORD.resultLocation})`;
  return variant.storesResults
    ? and(IS_COMPLETED_BY_IT, isElsewhere, not(isInBucket))
    : and(IS_COMPLETED_BY_IT, isElsewhere);
}
