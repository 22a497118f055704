import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../../packages/local/json/json';
import { nameOfEntry } from '../model/entries';
import type { ModelState } from '../model/model-state';
import { executionAt, KEY_NAME, type StateSpace } from '../model/state-space';
import { type FactOf, found, type Invariant, ofKind } from './invariant';
import { isStored } from './remembered';

type Sent = FactOf<'sent'>;

/** The word of a notice for the end that a record says. */
const WORDS: Readonly<Record<string, string>> = {
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  HELD: 'IN_DOUBT',
};

/** The invariants of notices to a destination. */
export const NOTICE_INVARIANTS: readonly Invariant[] = [
  {
    name: 'noticeIsWhole',
    says: [
      'A notice says the key, the execution, and its input or its result.',
      'Of an end it says what the record said when its sender wrote it: the status, the attempt and the error.',
      'No other execution sends an end.',
      'A delivery reports its own rejection, and a recovery that it abandons its execution.',
    ].join(' '),
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'sent'), sent => {
        const wrong = wrongWith(space, before, sent);
        const who = sent.recovery ? 'recovery' : `execution ${nameOfEntry(sent.by)}`;
        return wrong === undefined ? undefined : `${who} sends a notice with ${wrong}`;
      }),
  },
];

function wrongWith(space: StateSpace, before: ModelState, sent: Sent): string | undefined {
  const { notice, recovery } = sent;
  const { arn, input } = executionAt(space, before, recovery?.execution ?? sent.by).execution;
  const key = space.claim?.[KEY_NAME]?.['S']?.toString();
  const isKeyKnown = recovery
    ? notice[KEY_NAME] !== undefined || !recovery.knows.isUnread
    : notice['error'] !== 'Idempotency.InvalidEvent';
  const saysInput = notice['status'] !== 'COMPLETED' && notice['inputOmitted'] !== true;
  return (
    wrongMember(notice, 'executionArn', arn) ??
    (isKeyKnown ? wrongMember(notice, KEY_NAME, key) : undefined) ??
    (saysInput ? wrongMember(notice, 'input', input.value) : undefined) ??
    (recovery ? wrongMember(notice, 'status', 'GIVEN_UP') : wrongEnd(space, before, sent))
  );
}

function noCause({ cause }: JsonObject): string | undefined {
  return typeof cause === 'string' && cause.startsWith('{"message":')
    ? undefined
    : `the cause ${JSON.stringify(cause)}`;
}

function wrongMember(notice: JsonObject, name: string, expected: Json | undefined): string | undefined {
  if (isDeepStrictEqual(notice[name], expected)) return undefined;
  return `the ${name} ${JSON.stringify(notice[name])}, not ${JSON.stringify(expected)}`;
}

/** The fault in the notice of an end, compared with the record; undefined if there is none. */
function wrongEnd(space: StateSpace, before: ModelState, { by, notice }: Sent): string | undefined {
  const { past } = before;
  const heard = past.heard?.find(({ execution }) => execution === by);
  // An ended execution sent the late notice once before its end.
  if (!heard && executionAt(space, before, by).execution.status !== 'RUNNING') return undefined;
  if (!heard) return wrongMember(notice, 'status', 'REJECTED') ?? noCause(notice);
  if (heard.status === undefined) return `the status ${notice['status']}, which no record has said`;
  const wrong =
    wrongMember(notice, 'status', WORDS[heard.status]) ?? wrongMember(notice, 'attempt', heard.attempt);
  if (wrong !== undefined) return wrong;
  if (heard.status === 'COMPLETED')
    return notice['resultOmitted'] === true || isStored(JSON.stringify(notice['result'] ?? null), past)
      ? undefined
      : `the result ${JSON.stringify(notice['result'])}`;
  return wrongMember(notice, 'error', heard.status === 'HELD' ? 'Idempotency.InDoubt' : heard.error);
}
