import { ERROR_TOLD, HAS_INPUT, IS_INPUT_ASKED } from './begin-rules';
import {
  all,
  any,
  type Condition,
  exists,
  holds,
  isIn,
  known,
  negated,
  notAfter,
  type Value,
} from './condition';
import { IS_FAILED, IS_IN_DOUBT, IS_IN_PROGRESS } from './conditions';
import { ERROR, NOTHING_TO_RECOVER, RELEASED } from './error-names';
import { SUFFIX_LENGTH } from './execution-name';
import { OTHERWISE, type Row, type Rule, rulesOf } from './judgement';

// By which rules an event whose step has failed is delivered again.

/** What a redelivery does with what it was started with. */
export type RedeliveryBeginVerdict = 'nothingLeft' | 'read' | 'giveUpUnreadable' | 'readInput';

const BEGIN_RULES: readonly Rule<RedeliveryBeginVerdict>[] = [
  {
    name: 'Answered, or rejected for good',
    when: isIn(ERROR_TOLD, [...NOTHING_TO_RECOVER, ERROR.invalidEvent]),
    verdict: 'nothingLeft',
  },
  {
    name: 'Delivered by a redelivery',
    when: holds(
      'isOfRedelivery',
      `$contains($states.input.detail.executionArn, /-redelivery-[0-9]+-[0-9a-f]{${SUFFIX_LENGTH}}$/)`,
    ),
    verdict: 'nothingLeft',
  },
  { name: 'Its input is known', when: HAS_INPUT, verdict: 'read' },
  { name: 'Its input cannot be read', when: IS_INPUT_ASKED, verdict: 'giveUpUnreadable' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'readInput' },
];

/** The rules by which a redelivery begins; the last one always holds. */
export function redeliveryBeginRules(): readonly Rule<RedeliveryBeginVerdict>[] {
  return BEGIN_RULES;
}

/** What a redelivery does by the record of the key. */
export type RedeliveryVerdict =
  | 'giveUpTooOften'
  /** Waits for the first time. */
  | 'waitFirst'
  | 'deliver'
  /** An execution works on the key: checks later. */
  | 'checkLater'
  | 'giveUpGone'
  | 'nothingLeft';

/** What distinguishes redeliveries. */
export interface RedeliveryVariant {
  /** How often at most an event is delivered again. */
  readonly maxAttempts: number;
  /** Whether a failure is left alone after which the step may have run. */
  readonly isAtMostOnce: boolean;
}

const IS_OURS = holds('isOurs');
const STORED: Value = { is: 'error' };

/** True if the event has been delivered again so often, or more. */
export const hasDelivered = (times: number) => notAfter(times, known('deliveries'));

/** True if the record says that its step has failed, and a later delivery runs it again. */
function hasFailed({ isAtMostOnce }: RedeliveryVariant): Condition {
  const isLeft = isIn(STORED, [ERROR.inDoubt, RELEASED]);
  return all(IS_OURS, IS_FAILED, exists(STORED), negated(isAtMostOnce ? any(isLeft, IS_IN_DOUBT) : isLeft));
}

const REDELIVERY_ROWS: readonly Row<RedeliveryVerdict, RedeliveryVariant>[] = [
  {
    name: 'Failed too often',
    when: v => all(hasFailed(v), hasDelivered(v.maxAttempts)),
    verdict: 'giveUpTooOften',
  },
  {
    name: 'Failed, looked at for the first time',
    when: v => all(hasFailed(v), negated(holds('hasWaited'))),
    verdict: 'waitFirst',
  },
  { name: 'Failed', when: hasFailed, verdict: 'deliver' },
  { name: 'At work', when: all(IS_OURS, IS_IN_PROGRESS), verdict: 'checkLater' },
  {
    name: 'The record is gone',
    when: all(holds('hasWaited'), negated(exists({ is: 'record', name: 'status', as: 'text' }))),
    verdict: 'giveUpGone',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'nothingLeft' },
];

/** The rules by which a redelivery decides by the record; the last one always holds. */
export function redeliveryRules(variant: RedeliveryVariant): readonly Rule<RedeliveryVerdict>[] {
  return rulesOf(REDELIVERY_ROWS, variant);
}
