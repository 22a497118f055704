import fc from 'fast-check';
import { evaluate, type Facts, toJsonata } from '../../../state-machine/contract/condition';
import { ERROR } from '../../../state-machine/contract/error-names';
import { expression } from '../../../state-machine/contract/jsonata';
import type { JudgedOwner, JudgedRecord } from '../../../state-machine/contract/judged';
import {
  dispatchRules,
  judge,
  OTHERWISE,
  ownerRules,
  REJECTIONS_MAX,
  type Rule,
  recordRules,
  recoveryRules,
} from '../../../state-machine/contract/judgement';
import type { EpochMs, EpochSeconds } from '../../../state-machine/contract/time';
import type { Variant } from '../../../state-machine/contract/variant';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const NOW = Date.parse('2026-11-20T09:00:00Z') as EpochMs;
const STEP_TIMEOUT_SECONDS = 40;
const ME = 'arn:aws:states:us-east-1:111111111111:execution:Pay:order-1';
const MACHINE = 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay';
const STARTED = '2026-11-20T08:59:59.000Z';

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** A time at, just before, just after, or far from a boundary that lies so many milliseconds before now. */
const about = (...boundariesMs: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...boundariesMs), fc.constantFrom(0, -1, 1, -1000, 1000, 86_400_000, -86_400_000))
    .map(([boundary, offset]) => (NOW - boundary + offset) as EpochMs);
const isoAbout = (...boundariesMs: readonly number[]) =>
  about(...boundariesMs).map(time => new Date(time).toISOString());

const record: fc.Arbitrary<JudgedRecord> = fc.record({
  status: optional(fc.constantFrom('IN_PROGRESS', 'COMPLETED', 'FAILED', 'RELEASED', 'HELD', 'RELEASING')),
  owner: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(ME, `${ME}-2`, ME.replace('Pay', 'PayBefore')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `${ME.replace('execution', 'express')}:0e4b`,
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

const owner: fc.Arbitrary<JudgedOwner> = fc.record({
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

const known: fc.Arbitrary<Facts> = fc.record({
  record: optional(record),
  owner,
  // Between two seconds, and on the boundary of one.
  now: fc.constantFrom(0, 1, 999).map(ms => (NOW + ms) as EpochMs),
  delivery: fc.record({
    executionArn: fc.constant(ME),
    claimId: fc.constant(STARTED),
    payloadHash: optional(fc.constantFrom('one', 'other')),
    rejections: fc.constantFrom(0, 1, REJECTIONS_MAX - 1, REJECTIONS_MAX, REJECTIONS_MAX + 1),
  }),
});

const variant: fc.Arbitrary<Variant> = fc
  .record({
    hasPayload: fc.boolean(),
    isAtMostOnce: fc.boolean(),
    returnsStoredFailure: fc.boolean(),
    returnedErrors: fc.constantFrom(undefined, ['CardDeclined'], ["It's", 'Lambda.Unknown', 'CardDeclined']),
    storesResults: fc.boolean(),
    formerStateMachines: fc.constantFrom<readonly string[]>([], ['PayBefore'], ["It's", 'PayBefore']),
    // A plain name, one that a path has in backticks, and one that is a word of JSONata's.
    timeToLiveAttribute: fc.constantFrom('expiry', 'time-to-live', 'in'),
    kind: fc.constantFrom('standard', 'recovered', 'express', 'part'),
  })
  .map(({ kind, ...rest }) => {
    const isExpress = kind === 'express';
    return {
      ...rest,
      isExpress,
      isPart: kind === 'part',
      hasRecovery: kind === 'recovered',
      stepTimeoutSeconds: STEP_TIMEOUT_SECONDS,
      maxRedrives: 3,
    };
  });

/** The record as DynamoDB gives it: typed attributes. */
function attributesOf(seen: JudgedRecord | undefined, timeToLiveAttribute: string): object {
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
function variablesOf(facts: Facts, of: Variant): Record<string, unknown> {
  const { owner: seen, delivery } = facts;
  const stopDate = seen?.stopDate === undefined ? undefined : new Date(seen.stopDate).toISOString();
  return JSON.parse(
    JSON.stringify({
      record: attributesOf(facts.record, of.timeToLiveAttribute),
      owner: { ...seen, stopDate },
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

async function holdsInWorkflow({ when }: Rule<string>, facts: Facts, of: Variant): Promise<boolean> {
  const evaluation = await evaluate206(expression(toJsonata(when)), variablesOf(facts, of), facts.now);
  if ('thrown' in evaluation) throw new Error(`${toJsonata(when)} threw ${evaluation.thrown}`);
  // A condition of a Choice must be a boolean.
  if (typeof evaluation.value !== 'boolean') throw new Error(`${toJsonata(when)} gave ${evaluation.value}`);
  return evaluation.value;
}

/** The record as it can have been written: what has no status has nothing, and a failure has an error. */
function asWritten(given: Facts): Facts {
  if (given.record?.status === undefined) return { ...given, record: undefined };
  const { error = JSON.stringify({ Error: 'CardDeclined', Cause: '' }) } = given.record;
  return given.record.status === 'FAILED' ? { ...given, record: { ...given.record, error } } : given;
}

describe('the rules of the judgement', () => {
  const lists = (of: Variant) => [
    recordRules(of),
    ownerRules(of),
    recoveryRules(of),
    dispatchRules({ ...of, stateMachineArn: MACHINE }),
  ];

  test('any record, owner, time and variant: each rule says the same in TypeScript and in JSONata', async () => {
    await fc.assert(
      fc.asyncProperty(variant, known, async (of, given) => {
        const asked = asWritten(given);
        for (const rule of lists(of).flat()) {
          const expected = { name: rule.name, holds: evaluate(rule.when, asked) };
          expect({ name: rule.name, holds: await holdsInWorkflow(rule, asked, of) }).toEqual(expected);
        }
      }),
      { numRuns: runs(50, 100_000) },
    );
  });

  test('any variant: each name once, and one rule that always holds, the last', () => {
    fc.assert(
      fc.property(variant, of => {
        for (const rules of lists(of)) {
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
      fc.property(variant, known, (of, given) => {
        const named = {
          record: recordRules(of),
          owner: ownerRules(of),
          recovery: recoveryRules(of),
          dispatcher: dispatchRules({ ...of, stateMachineArn: MACHINE }),
        };
        for (const [list, rules] of Object.entries(named)) {
          for (const { name } of rules) all.add(`${list}: ${name}`);
          decided.add(`${list}: ${judge<string>(rules, asWritten(given)).name}`);
        }
      }),
      { numRuns: 20_000, seed: 1 },
    );

    expect([...all].filter(name => !decided.has(name))).toEqual([]);
    expect(all.size).toBe(40);
  });

  test('recovery releases nothing for an answer without a RedriveStatus', () => {
    const [of] = fc.sample(variant, { numRuns: 1, seed: 1 });
    const rules = recoveryRules({ ...(of as Variant), isAtMostOnce: false, maxRedrives: 3 });
    const verdictOf = (owner: JudgedOwner) => judge(rules, { record: undefined, owner, now: NOW }).verdict;

    expect(verdictOf({ status: 'ABORTED' })).toBe('redrive');
    expect(verdictOf({ status: 'ABORTED', redriveCount: 3 })).toBe('holdExhausted');
    expect(verdictOf({ status: 'ABORTED', redriveCount: 3, redriveStatus: 'NOT_REDRIVABLE' })).toBe(
      'release',
    );
  });
});
