import {
  all,
  any,
  before,
  type Condition,
  eq,
  exists,
  holds,
  isIn,
  known,
  max,
  min,
  negated,
  notAfter,
  power,
  sum,
  times,
  type Value,
} from './condition';
import { HAS_ENDED_BADLY } from './conditions';
import { NOTHING_TO_RECOVER_IN_A_MACHINE } from './error-names';
import { OTHERWISE, type Row, type Rule, rulesOf } from './judgement';
import { EARLIER, isTooEarly, TRIES } from './recovery-rules';
import { ACTS_MAX } from './recovery-timing';

// By which rules recovery decides about an execution of a team's own state machine, whose records it cannot read.

/** What recovery of a team's state machine does with an execution that ended. */
export type MachineVerdict =
  | 'nothingLeft'
  | 'askAboutDelivery'
  | 'giveUp'
  | 'giveUpForgotten'
  | 'wait'
  | 'deliver';

/** What distinguishes recoveries of teams' state machines. */
export interface MachineVariant {
  readonly stepTimeoutSeconds: number;
  /** For how long the records of its fragments are kept when they are finished, by each outcome, in seconds. */
  readonly retentionSeconds: readonly number[];
}

const OWNERS_ERROR: Value = { is: 'owner', name: 'error', as: 'text' };
const OWNERS_REDRIVES = max(0, { is: 'owner', name: 'redriveCount', as: 'number' });

const MACHINE_ROWS: readonly Row<MachineVerdict, MachineVariant>[] = [
  { name: 'It resumed, or has finished', when: negated(HAS_ENDED_BADLY), verdict: 'nothingLeft' },
  {
    name: 'Answered, rejected, or stopped for good',
    when: isIn(OWNERS_ERROR, NOTHING_TO_RECOVER_IN_A_MACHINE),
    verdict: 'nothingLeft',
  },
  {
    name: 'Its later end has a recovery of its own',
    when: before(known('redrivesBefore'), OWNERS_REDRIVES),
    verdict: 'nothingLeft',
  },
  {
    name: 'It is delivered',
    when: isIn(known('delivery'), ['STARTED', 'RUNNING']),
    verdict: 'askAboutDelivery',
  },
  // Each redrive of an owner in a team's machine follows a delivery.
  { name: 'Tried too often', when: notAfter(ACTS_MAX, TRIES), verdict: 'giveUp' },
  { name: 'Its records may be gone', when: mayBeForgotten, verdict: 'giveUpForgotten' },
  { name: 'Too early', when: v => isTooEarly(v.stepTimeoutSeconds), verdict: 'wait' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'deliver' },
];

/**
 * True if a record that the execution had finished may have been deleted: its step would run again. The first execution
 * is delivered again within half of the retention, and each execution that recovery has started within half of the time
 * of the one before. So all of them stay within the retention that began with the first.
 */
function mayBeForgotten({ retentionSeconds }: MachineVariant): Condition {
  const shortestMs = times(min(...new Set(retentionSeconds)), 1000);
  const within = times(shortestMs, power(0.5, sum(1, EARLIER)));
  const start: Value = { is: 'owner', name: 'startDate', as: 'number' };
  // Of an execution whose start is not known nothing can be excluded.
  return any(negated(exists(start)), notAfter(sum(start, within), { is: 'now', in: 'ms' }));
}

/** The rules by which recovery of a team's state machine decides; the last one always holds. */
export function machineRules(variant: MachineVariant): readonly Rule<MachineVerdict>[] {
  return rulesOf(MACHINE_ROWS, variant);
}

/** What recovery does when it knows what has become of its last delivery. */
export type DeliveryVerdict = 'decide' | 'letItWork' | 'nothingLeft';

/** How often a running delivery is checked: for a day. */
const CHECKS_MAX = 30;

const DELIVERY_RULES: readonly Rule<DeliveryVerdict>[] = [
  { name: 'It has left the event to the owner', when: eq(known('delivery'), 'LEFT'), verdict: 'decide' },
  {
    name: 'It is running',
    when: all(eq(known('delivery'), 'RUNNING'), before(known('checks'), CHECKS_MAX)),
    verdict: 'letItWork',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'nothingLeft' },
];

/** The rules over what has become of the last delivery; the last one always holds. */
export function deliveryRules(): readonly Rule<DeliveryVerdict>[] {
  return DELIVERY_RULES;
}

/** What recovery does by the state in which an execution failed. */
export type FailedStateVerdict = 'wait' | 'giveUpNoHistory' | 'readOn' | 'nothingLeft';

/** So many pages of a history are read at most: the history of a recovery has room for them. */
const PAGES_MAX = 1000;

/**
 * The rules over the state in which an execution failed; the last one always holds. `isInRequest` is JSONata that is
 * true if that is a request of a fragment.
 */
export function failedStateRules(isInRequest: string): readonly Rule<FailedStateVerdict>[] {
  const hasOlderEvents = all(
    holds('hasNoFailedState', "$type($failedState) = 'number'"),
    holds('hasNextPage', "$not($pageToken = '')"),
  );
  return [
    { name: 'In a request of a fragment', when: holds('isInRequest', isInRequest), verdict: 'wait' },
    {
      name: 'Not known',
      when: all(hasOlderEvents, notAfter(PAGES_MAX, known('pages'))),
      verdict: 'giveUpNoHistory',
    },
    { name: 'Further back', when: hasOlderEvents, verdict: 'readOn' },
    { name: 'Otherwise', when: OTHERWISE, verdict: 'nothingLeft' },
  ];
}
