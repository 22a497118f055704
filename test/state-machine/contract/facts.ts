import fc from 'fast-check';
import type { Condition, Facts } from '../../../state-machine/contract/condition';
import { toJsonata } from '../../../state-machine/contract/condition-text';
import { ERROR } from '../../../state-machine/contract/error-names';
import { expression } from '../../../state-machine/contract/jsonata';
import type { JudgedOwner, JudgedRecord } from '../../../state-machine/contract/judged';
import { REJECTIONS_MAX } from '../../../state-machine/contract/judgement';
import type { EpochMs, EpochSeconds } from '../../../state-machine/contract/time';
import type { Variant } from '../../../state-machine/contract/variant';
import { evaluate206 } from '../../support/evaluate';

// Random facts of a judgement, and the variables of an execution that knows them.

export const NOW = Date.parse('2026-11-20T09:00:00Z') as EpochMs;
export const STEP_TIMEOUT_SECONDS = 40;
export const ME = 'arn:aws:states:us-east-1:111111111111:execution:Pay:order-1';
const EXPRESS = `${ME.replace('execution', 'express')}:0e4b`;
export const MACHINE = 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay';
const STARTED = '2026-11-20T08:59:59.000Z';

/** The same, or a missing member. */
export const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** A time at, just before, just after, or far from a boundary that lies so many milliseconds before now. */
export const about = (...boundariesMs: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...boundariesMs), fc.constantFrom(0, -1, 1, -1000, 1000, 86_400_000, -86_400_000))
    .map(([boundary, offset]) => (NOW - boundary + offset) as EpochMs);
const isoAbout = (...boundariesMs: readonly number[]) =>
  about(...boundariesMs).map(time => new Date(time).toISOString());

export const record: fc.Arbitrary<JudgedRecord> = fc.record({
  status: optional(fc.constantFrom('IN_PROGRESS', 'COMPLETED', 'FAILED', 'RELEASED', 'HELD', 'RELEASING')),
  owner: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(ME, `${ME}-2`, ME.replace('Pay', 'PayBefore')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        EXPRESS,
        ME.replace('Pay', 'Refund'),
        ME.replace('us-east-1', 'eu-west-1'),
        ME.replace('111111111111', '222222222222'),
        'not an ARN',
        '',
      ),
    },
  ),
  claimId: optional(fc.constantFrom(STARTED, '2026-08-01T00:00:00.000Z')),
  payloadHash: optional(fc.constantFrom('one', 'other')),
  // Seldom, because it decides nearly everything.
  form: fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(1, 2) },
  ),
  claimedAt: optional(isoAbout(15 * 60 * 1000)),
  result: optional(fc.constantFrom(null, '{}', 'ELSEWHERE')),
  attempt: optional(fc.constantFrom(1, 2, 11)),
  resultLocation: optional(
    fc.constantFrom('s3://bucket/Pay/0e4b/1/ab', 's3://bucket/2/Pay/0e4b/11/ab', 's3://bucket', ''),
  ),
  resultHash: optional(fc.constant('5Yk=')),
  error: optional(
    fc
      .constantFrom(
        ERROR.inDoubt,
        'CardDeclined',
        'Lambda.Unknown',
        'Lambda.KMSDisabledException',
        'Lambda.ServiceException',
        'Lambda.AWSLambdaException',
        'States.Permissions',
        'Idempotency.Released',
      )
      .chain(name =>
        fc
          .constantFrom({}, { Cause: '' }, { Cause: '(Error Code: AccessDeniedException; Proxy: null)' })
          .map(cause => JSON.stringify({ Error: name, ...cause })),
      ),
  ),
  stepTimeout: optional(fc.constantFrom(STEP_TIMEOUT_SECONDS - 1, STEP_TIMEOUT_SECONDS, 50)),
  leaseExpiry: optional(about(0)),
  expiry: optional(fc.constantFrom(-1, 0, 1, 1000).map(offset => (NOW / 1000 + offset) as EpochSeconds)),
});

export const owner: fc.Arbitrary<JudgedOwner> = fc.record({
  status: fc.constantFrom(
    'RUNNING',
    'PENDING_REDRIVE',
    'SUCCEEDED',
    'FAILED',
    'ABORTED',
    'TIMED_OUT',
    'NOT_FOUND',
  ),
  stopDate: optional(about(STEP_TIMEOUT_SECONDS * 1000, 50_000)),
  error: optional(fc.constantFrom(...Object.values(ERROR), 'CardDeclined')),
  redriveCount: optional(fc.integer({ min: 0, max: 5 })),
  redriveStatus: optional(fc.constantFrom('REDRIVABLE', 'NOT_REDRIVABLE')),
});

/** What a delivery knows. */
export const seen: fc.Arbitrary<Facts> = fc.record({
  record: optional(record),
  owner,
  // Between two seconds, and on the boundary of one.
  now: fc.constantFrom(0, 1, 999).map(ms => (NOW + ms) as EpochMs),
  known: fc.record({
    joined: optional(fc.constantFrom(ME, `${ME}-2`)),
    joinedSince: optional(about(60_000)),
    callsAt: optional(about(60_000)),
    runStatus: optional(fc.constantFrom('SUCCEEDED', 'FAILED', 'TIMED_OUT', 'UNKNOWN')),
    runError: optional(fc.constantFrom(...Object.values(ERROR), 'CardDeclined')),
  }),
  delivery: fc.record({
    executionArn: fc.constant(ME),
    claimId: fc.constant(STARTED),
    payloadHash: optional(fc.constantFrom('one', 'other')),
    rejections: fc.constantFrom(0, 1, REJECTIONS_MAX - 1, REJECTIONS_MAX, REJECTIONS_MAX + 1),
  }),
});

/** Any variant of a workflow. */
export const variant: fc.Arbitrary<Variant> = fc
  .record({
    hasPayload: fc.boolean(),
    isAtMostOnce: fc.boolean(),
    returnsStoredFailure: fc.boolean(),
    returnedErrors: fc.constantFrom(undefined, ['CardDeclined'], ["It's", 'Lambda.Unknown', 'CardDeclined']),
    storesResults: fc.boolean(),
    formerStateMachines: fc.constantFrom<readonly string[]>([], ['PayBefore'], ["It's", 'PayBefore']),
    // A plain name, one that a path has in backticks, and one that is a word of JSONata's.
    timeToLiveAttribute: fc.constantFrom('expiry', 'time-to-live', 'in'),
    kind: fc.constantFrom('standard', 'recovered', 'express', 'fragment'),
  })
  .map(({ kind, ...rest }) => {
    const isExpress = kind === 'express';
    return {
      ...rest,
      isExpress,
      isFragment: kind === 'fragment',
      hasRecovery: kind === 'recovered',
      stepTimeoutSeconds: STEP_TIMEOUT_SECONDS,
      maxRedrives: 3,
    };
  });

/** The record as DynamoDB gives it: typed attributes. */
export function attributesOf(seen: JudgedRecord | undefined, timeToLiveAttribute: string): object {
  const attributes: Record<string, object> = {};
  for (const [own, value] of Object.entries(seen ?? {}) as [string, string | number | null | undefined][]) {
    const name = own === 'expiry' ? timeToLiveAttribute : own;
    if (value === null) attributes[name] = { NULL: true };
    if (typeof value === 'string') attributes[name] = { S: value };
    if (typeof value === 'number') attributes[name] = { N: String(value) };
  }
  return attributes;
}

/** The variables and the context of an execution that is in this case. */
export function variablesOf(facts: Facts, of: Variant): Record<string, unknown> {
  const { owner: its, delivery, known } = facts;
  const stopDate = its?.stopDate === undefined ? undefined : new Date(its.stopDate).toISOString();
  return JSON.parse(
    JSON.stringify({
      record: attributesOf(facts.record, of.timeToLiveAttribute),
      owner: { ...its, stopDate },
      joined: { executionArn: known?.joined, since: known?.joinedSince },
      callsAt: known?.callsAt,
      run: { status: known?.runStatus, error: known?.runError },
      claimId: delivery?.claimId,
      payloadHash: delivery?.payloadHash,
      rejections: delivery?.rejections,
      states: {
        context: {
          Execution: { Id: delivery?.executionArn, StartTime: delivery?.claimId },
          State: { EnteredTime: delivery?.claimId },
        },
      },
    }),
  );
}

/** Whether a condition holds in a state machine with these variables. @throws Error if it gives no boolean */
export async function holdsInWorkflow(
  when: Condition,
  variables: Readonly<Record<string, unknown>>,
  now: EpochMs,
): Promise<boolean> {
  const text = toJsonata(when);
  const evaluation = await evaluate206(expression(text), variables, now);
  if ('thrown' in evaluation) throw new Error(`${text} threw ${evaluation.thrown}`);
  // A condition of a Choice must be a boolean.
  if (typeof evaluation.value !== 'boolean') throw new Error(`${text} gave ${evaluation.value}`);
  return evaluation.value;
}

/** The record as it can have been written: what has no status has nothing, and a failure has an error. */
export function asWritten(given: Facts): Facts {
  if (given.record?.status === undefined) return { ...given, record: undefined };
  const { error = JSON.stringify({ Error: 'CardDeclined', Cause: '' }) } = given.record;
  return given.record.status === 'FAILED' ? { ...given, record: { ...given.record, error } } : given;
}
