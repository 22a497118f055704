import fc from 'fast-check';
import { beginRules, STATUS_TOLD } from '../../../state-machine/contract/begin-rules';
import { eq, evaluate, type Facts } from '../../../state-machine/contract/condition';
import { ERROR, NOTHING_TO_RECOVER, RELEASED_BY_RECOVERY } from '../../../state-machine/contract/error-names';
import type { JudgedOwner, JudgedRecord, Known } from '../../../state-machine/contract/judged';
import {
  judge,
  OTHERWISE,
  outcomeRules,
  RECOVERY_WAS_CALLED,
  type Rule,
  waitRules,
} from '../../../state-machine/contract/judgement';
import { deliveryRules, failedStateRules, machineRules } from '../../../state-machine/contract/machine-rules';
import { messageRecordRules, messageRules } from '../../../state-machine/contract/message-rules';
import { type DueVariant, dueRules, lastStateRules } from '../../../state-machine/contract/recovery-rules';
import { redeliveryBeginRules, redeliveryRules } from '../../../state-machine/contract/redelivery-rules';
import { runningRules, searchRules } from '../../../state-machine/contract/search-rules';
import { STATE } from '../../../state-machine/contract/state-names';
import type { EpochMs } from '../../../state-machine/contract/time';
import { runs } from '../../support/scale';
import {
  about,
  asWritten,
  attributesOf,
  holdsInWorkflow,
  ME,
  NOW,
  optional,
  owner,
  record,
  STEP_TIMEOUT_SECONDS,
  variant,
} from './facts';

const RETENTION_SECONDS = 3600;
const redrives = fc.integer({ min: 0, max: 9 });
/** Mostly none: beyond eight, recovery gives up. */
const acts = fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 10 }));
const STATES = ['Claim record', ...Object.values(STATE)];
const ENDED = ['FAILED', 'TIMED_OUT', 'ABORTED'];

/** An execution that ended, or seldom did not; its times are about the boundaries of the rules. */
const ended: fc.Arbitrary<JudgedOwner> = fc
  .tuple(
    owner,
    fc.constantFrom(...ENDED, ...ENDED, undefined),
    fc.boolean(),
    optional(redrives),
    optional(about(0, (RETENTION_SECONDS - STEP_TIMEOUT_SECONDS) * 1000, 86_400_000)),
  )
  .map(([one, status = one.status, isMe, redriveCount, startDate]) => {
    return { ...one, status, redriveCount, startDate, executionArn: isMe ? ME : `${ME}-2` };
  });

const ofRecovery: fc.Arbitrary<JudgedRecord> = fc
  .tuple(
    record,
    fc.constantFrom('IN_PROGRESS', 'IN_PROGRESS', 'RELEASED', 'RELEASING', 'HELD', undefined),
    fc.boolean(),
  )
  .map(([one, status = one.status, isReleased]) => {
    return { ...one, status, ...(isReleased && { error: RELEASED_BY_RECOVERY }) };
  });

/** Of a start of recovery, or of a redelivery. */
const told = {
  statusTold: optional(fc.constantFrom('FAILED', 'TIMED_OUT', 'ABORTED', 'SUCCEEDED', 'RUNNING')),
  errorTold: optional(fc.constantFrom(...Object.values(ERROR), 'CardDeclined')),
  hasInput: fc.boolean(),
  isInputAsked: fc.boolean(),
  isOfRecovery: fc.boolean(),
  isOfRedelivery: fc.boolean(),
  isCalled: fc.boolean(),
};

const seldom = fc.constantFrom(true, false, false, false, false, false);
const endsBy = fc.oneof(
  fc.constant(0),
  fc.constant(0),
  about(0, STEP_TIMEOUT_SECONDS * 1000, 50_000, 60_000),
);

/** Of what a check asks about. */
const executionStatus = fc.constantFrom(...ENDED, 'SUCCEEDED', 'RUNNING', 'PENDING_REDRIVE', 'NOT_FOUND');
const secondsAgo = fc.constantFrom(0, 32 * STEP_TIMEOUT_SECONDS, 32 * STEP_TIMEOUT_SECONDS + 1);

const known: fc.Arbitrary<Known> = fc
  .record({
    ...told,
    listed: fc.constantFrom(undefined, undefined, undefined, 0, 2),
    hasNoKey: seldom,
    isAsked: fc.boolean(),
    acts,
    earlier: acts,
    actedAt: endsBy,
    endedAt: endsBy,
    unknownAt: endsBy,
    redrivesBefore: redrives,
    isUnclaimed: fc.boolean(),
    hasNothingToRecover: fc.boolean(),
    hasOnlyResult: fc.boolean(),
    isCompletedByIt: fc.boolean(),
    isSender: fc.boolean(),
    isNoticeUnsent: fc.boolean(),
    isFreed: fc.boolean(),
    isHeldByThis: fc.boolean(),
    lastState: optional(fc.constantFrom(...STATES)),
    isLastStateLeft: optional(fc.boolean()),
    isOfThisEnd: optional(fc.boolean()),
    hasNextPage: fc.boolean(),
    hasNoFailedState: fc.boolean(),
    isInRequest: fc.boolean(),
    pages: fc.constantFrom(1, 999, 1000),
    delivery: fc.constantFrom('NONE', 'STARTED', 'RUNNING', 'LEFT', 'HAS IT'),
    checks: fc.constantFrom(0, 6, 7, 29, 30),
    started: fc.constantFrom(ME, `${ME}-2`),
    startedStatus: optional(executionStatus),
    startedEndedAgo: optional(secondsAgo),
    ownerStatus: optional(executionStatus),
    ownerEndedAgo: optional(secondsAgo),
    isOurs: fc.boolean(),
    deliveries: fc.integer({ min: 0, max: 3 }),
    hasWaited: fc.boolean(),
    found: fc.integer({ min: 0, max: 2 }),
    at: fc.integer({ min: 0, max: 2 }),
    searches: fc.integer({ min: 0, max: 2 }),
    runningAt: fc.integer({ min: 0, max: 2 }),
    running: fc.integer({ min: 0, max: 2 }),
    runningPages: fc.constantFrom(0, 399, 400),
    waitUntil: optional(about(0)),
    failure: fc
      .tuple(
        fc.constantFrom('CardDeclined', 'Lambda.Unknown', 'Lambda.ServiceException', 'States.Timeout'),
        fc.constantFrom('', '(Error Code: AccessDeniedException; Proxy: null)'),
      )
      .map(texts => texts.join(' ')),
    redriveCount: optional(fc.integer({ min: 0, max: 2 })),
    redrives: fc.integer({ min: 0, max: 2 }),
    calledFor: optional(fc.constantFrom('2026-11-20T08:59:59.000Z', 'another')),
    calledAt: about(15 * 60 * 1000),
  })
  .map(({ listed, ...one }) => {
    // If the last event is not a state, there is no name of one.
    const cleared = one.hasNoFailedState && {
      lastState: undefined,
      isLastStateLeft: undefined,
      isOfThisEnd: undefined,
    };
    const called = one.calledFor === undefined && { calledAt: undefined };
    return { ...one, ...cleared, ...called, isList: listed !== undefined, hasSeveral: (listed ?? 0) > 0 };
  });

const facts: fc.Arbitrary<Facts> = fc
  .record({
    record: optional(ofRecovery),
    owner: ended,
    now: fc.constantFrom(0, 1, 999).map(ms => (NOW + ms) as EpochMs),
    known,
  })
  .map(asWritten);

const dueVariant: fc.Arbitrary<DueVariant> = fc
  .tuple(variant, fc.boolean(), fc.boolean())
  .map(([of, sendsResults, sendsFailures]) => {
    const retentionSeconds = [RETENTION_SECONDS, 2 * RETENTION_SECONDS] as const;
    return { ...of, sendsResults, sendsFailures, retentionSeconds };
  });

/** Every list of rules but those that `judgement.test.ts` has. */
function listsOf(of: DueVariant): Readonly<Record<string, readonly Rule<string>[]>> {
  const special = { name: 'Failed by another error', when: eq(STATUS_TOLD, 'FAILED') };
  return {
    begin: beginRules({ nothingToRecover: NOTHING_TO_RECOVER, needsError: of.sendsFailures, special }),
    due: dueRules(of),
    lastState: lastStateRules(of),
    machine: machineRules(of),
    delivery: deliveryRules(),
    failedState: failedStateRules('$isInRequest'),
    redeliveryBegin: redeliveryBeginRules(),
    redelivery: redeliveryRules({ maxAttempts: 3, isAtMostOnce: of.isAtMostOnce }),
    messageRecord: messageRecordRules(),
    message: messageRules({ stepSeconds: STEP_TIMEOUT_SECONDS }),
    search: searchRules(),
    running: runningRules(),
    wait: waitRules(),
    outcome: outcomeRules(),
    called: [RECOVERY_WAS_CALLED, { name: 'Otherwise', when: OTHERWISE, verdict: 'callRecovery' }],
  };
}

const RECOVERY = 'arn:aws:states:us-east-1:111111111111:stateMachine:Recovery';
const nothings = (length: number | undefined) => Array.from({ length: length ?? 0 }, () => ({}));

/** The variables of an execution that has found these facts out. */
function variablesOf(
  { record: its, owner: seen, known: of = {} }: Facts,
  { timeToLiveAttribute }: DueVariant,
) {
  const [error, ...cause] = (of.failure ?? '').split(' ');
  const executions = of.isList ? { executions: nothings(of.hasSeveral ? 2 : 0) } : {};
  const redelivered = of.isOfRedelivery ? '-redelivery-1-0123456789abcdef' : '';
  const variables = {
    ...of,
    record: attributesOf(its, timeToLiveAttribute),
    owner: seen,
    lastState: { name: of.lastState, isLeft: of.isLastStateLeft, isOfThisEnd: of.isOfThisEnd },
    failedState: of.hasNoFailedState ? 7 : '',
    pageToken: of.hasNextPage ? 'next' : '',
    found: nothings(of.found),
    searches: nothings(of.searches),
    running: nothings(of.running),
    failure: { Error: error, Cause: cause.join(' ') },
    recoveryCalled: of.calledFor === undefined ? undefined : { claimId: of.calledFor, at: of.calledAt },
    states: {
      context: { Execution: { RedriveCount: of.redriveCount }, StateMachine: { Id: RECOVERY } },
      input: {
        ...executions,
        ...(of.isInputAsked && { isAsked: true }),
        ...(of.isCalled && { deliveryArn: ME }),
        detail: {
          executionArn: `${ME}${redelivered}`,
          stateMachineArn: of.isOfRecovery ? RECOVERY : RECOVERY.replace('Recovery', 'Pay'),
          status: of.statusTold,
          error: of.errorTold,
          input: of.hasInput ? '{}' : null,
        },
      },
    },
  };
  return JSON.parse(JSON.stringify(variables)) as Record<string, unknown>;
}

describe('the rules of recovery, redelivery, a message, the search, and a wait', () => {
  test('any facts: each rule says the same in TypeScript and in JSONata', async () => {
    await fc.assert(
      fc.asyncProperty(dueVariant, facts, async (of, given) => {
        for (const [list, rules] of Object.entries(listsOf(of))) {
          for (const { name, when } of rules) {
            const holds = await holdsInWorkflow(when, variablesOf(given, of), given.now);
            expect({ list, name, holds }).toEqual({ list, name, holds: evaluate(when, given) });
          }
        }
      }),
      { numRuns: runs(50, 20_000) },
    );
  });

  test('any variant: each name once, and one rule that always holds, the last', () => {
    fc.assert(
      fc.property(dueVariant, of => {
        for (const rules of Object.values(listsOf(of))) {
          const names = rules.map(({ name }) => name);
          expect(new Set(names).size).toBe(names.length);
          expect(rules.findIndex(({ when }) => when === OTHERWISE)).toBe(rules.length - 1);
        }
      }),
    );
  });

  test('every rule decides some case: none is hidden by those before it', () => {
    const decided = new Set<string>();
    const all = new Set<string>();
    fc.assert(
      fc.property(dueVariant, facts, (of, given) => {
        for (const [list, rules] of Object.entries(listsOf(of))) {
          for (const { name } of rules) all.add(`${list}: ${name}`);
          decided.add(`${list}: ${judge(rules, given).name}`);
        }
      }),
      { numRuns: 20_000, seed: 1 },
    );

    expect([...all].filter(name => !decided.has(name))).toEqual([]);
  });
});
