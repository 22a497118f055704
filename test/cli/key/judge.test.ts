import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Workflow } from '../../../cli/aws/workflow';
import { visitsIn } from '../../../cli/key/history';
import {
  judgeNextDelivery,
  judgeOwner,
  type NextDelivery,
  type Owner,
  type StoppedAt,
  stoppedAt,
} from '../../../cli/key/judge';
import { isParked, type KeyRecord } from '../../../cli/key/record';
import { IS_IN_DOUBT } from '../../../state-machine/contract/conditions';
import {
  type EpochMs,
  type EpochSeconds,
  ERROR,
  isAnswer,
  RECORD_SCHEMA,
} from '../../../state-machine/contract/index';
import { evaluate206 } from '../../support/evaluate';

const NOW = Date.parse('2026-11-20T09:00:00Z') as EpochMs;
const NOW_SECONDS = (NOW / 1000) as EpochSeconds;

const AT_LEAST_ONCE: Workflow = {
  stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:M',
  name: 'M',
  type: 'STANDARD',
  table: 'T',
  schema: RECORD_SCHEMA,
  scope: 'S',
  keyParts: 'one',
  keyExpression: undefined,
  keyPaths: undefined,
  prefix: '',
  formerStateMachines: [],
  stepTimeoutMs: 40_000,
  maxRedrives: 3,
  isStepTimeoutGiven: false,
  failedRetentionSeconds: 1,
  isAtMostOnce: false,
  storesResults: false,
  sendsResults: false,
  returnsStoredFailure: false,
};
const AT_MOST_ONCE: Workflow = { ...AT_LEAST_ONCE, isAtMostOnce: true };
const EXPRESS: Workflow = { ...AT_LEAST_ONCE, type: 'EXPRESS' };
const RECORD: KeyRecord = {
  recordKey: 'S#k',
  status: 'IN_PROGRESS',
  owner: 'arn:aws:states:us-east-1:111111111111:execution:M:k',
  attempt: 1,
  payloadHash: undefined,
  payload: undefined,
  claimedAt: undefined,
  finishedAt: undefined,
  result: undefined,
  error: undefined,
  stepTimeout: undefined,
  leaseExpiry: undefined,
  expiry: undefined,
};
const DEAD: Owner = {
  kind: 'dead',
  status: 'ABORTED',
  error: undefined,
  redriveCount: 0,
  isRedrivable: true,
  hasGivenUp: false,
};
const TOO_OLD: Owner = { ...DEAD, isRedrivable: false };
const EXHAUSTED: Owner = { ...DEAD, redriveCount: 3 };
const GIVEN_UP: Owner = { ...DEAD, status: 'FAILED', error: ERROR.inProgress, hasGivenUp: true };
const failed = (error: string) => ({ status: 'FAILED', error: JSON.stringify({ Error: error, Cause: '' }) });

interface Given {
  readonly workflow?: Workflow;
  readonly record?: Partial<KeyRecord>;
  readonly owner?: Owner;
  readonly stoppedAt?: StoppedAt;
}

describe('the next delivery', () => {
  test.each<[string, Given, NextDelivery]>([
    ['expired this second', { record: { ...failed('E'), expiry: NOW_SECONDS } }, 'claims'],
    ['finished', { record: { status: 'COMPLETED', result: '1' } }, 'returnsResult'],
    ["finished, with the result in the owner's output", { record: { status: 'COMPLETED' } }, 'returnsResult'],
    ['the same, Express', { record: { status: 'COMPLETED' }, workflow: EXPRESS }, 'lacksResult'],
    ['failed', { record: failed('E') }, 'takesOver'],
    ['released', { record: failed('Idempotency.Released'), workflow: AT_MOST_ONCE }, 'takesOver'],
    [
      'failed, and failures are answers',
      { record: failed('E'), workflow: { ...AT_LEAST_ONCE, returnsStoredFailure: true } },
      'returnsFailure',
    ],
    ['parked', { record: failed(ERROR.inDoubt), workflow: AT_MOST_ONCE }, 'isRefused'],
    ['parked before it was at least once', { record: failed(ERROR.inDoubt) }, 'takesOver'],
    [
      'failed without an answer before it was at most once',
      { record: failed('Lambda.Unknown'), workflow: AT_MOST_ONCE },
      'isRefused',
    ],
    ['reserved by a release', { record: { status: 'RELEASING' }, owner: DEAD }, 'isRefused'],
    ['a status of another version', { record: { status: 'PAUSED' }, owner: DEAD }, 'isRefused'],
    ['the owner runs', { owner: { kind: 'alive', status: 'RUNNING' } }, 'isRefused'],
    ['its step may be working', { owner: { kind: 'mayStillWork', status: 'FAILED', until: 0 } }, 'isRefused'],
    ['the owner is not visible yet', { owner: { kind: 'notVisibleYet', until: 0 } }, 'isRefused'],
    ['the owner has succeeded', { owner: { kind: 'succeeded' } }, 'finishes'],
    ['nobody knows the owner', { owner: { kind: 'unknown' } }, 'takesOver'],
    [
      'the same, at most once',
      { owner: { kind: 'unknown' }, workflow: AT_MOST_ONCE, stoppedAt: 'before' },
      'parks',
    ],
    ['dead', { owner: DEAD, stoppedAt: 'within' }, 'redrives'],
    [
      "dead, by a person's word, within the time that the record gives its step",
      {
        owner: DEAD,
        stoppedAt: 'within',
        record: { claimedAt: new Date(NOW).toISOString(), stepTimeout: 900 },
      },
      'redrives',
    ],
    ['dead, redriven as often as it may be', { owner: EXHAUSTED, stoppedAt: 'within' }, 'redrivesExhausted'],
    ['dead and too old', { owner: TOO_OLD, stoppedAt: 'within' }, 'takesOver'],
    ['given up', { owner: GIVEN_UP, stoppedAt: 'before' }, 'takesOver'],
    ['at most once, given up', { owner: GIVEN_UP, stoppedAt: 'before', workflow: AT_MOST_ONCE }, 'takesOver'],
    ['at most once, in the step', { owner: DEAD, stoppedAt: 'within', workflow: AT_MOST_ONCE }, 'parks'],
    ['at most once, after it', { owner: DEAD, stoppedAt: 'after', workflow: AT_MOST_ONCE }, 'redrives'],
    ['the same, too old', { owner: TOO_OLD, stoppedAt: 'after', workflow: AT_MOST_ONCE }, 'parks'],
    [
      'the same, redriven as often as it may be',
      { owner: EXHAUSTED, stoppedAt: 'after', workflow: AT_MOST_ONCE },
      'redrivesExhausted',
    ],
    [
      'in the step, after as many',
      { owner: EXHAUSTED, stoppedAt: 'within', workflow: AT_MOST_ONCE },
      'parks',
    ],
    [
      'before it, after as many',
      { owner: EXHAUSTED, stoppedAt: 'before', workflow: AT_MOST_ONCE },
      'takesOver',
    ],
    ['at most once, before it', { owner: DEAD, stoppedAt: 'before', workflow: AT_MOST_ONCE }, 'redrives'],
    ['the same, too old', { owner: TOO_OLD, stoppedAt: 'before', workflow: AT_MOST_ONCE }, 'takesOver'],
    ['a lease that ends now', { owner: { kind: 'express' }, record: { leaseExpiry: NOW } }, 'isRefused'],
    [
      'a lease that is over',
      { owner: { kind: 'express' }, record: { leaseExpiry: (NOW - 1) as EpochMs } },
      'takesOver',
    ],
    [
      'the same, at most once',
      { owner: { kind: 'express' }, record: { leaseExpiry: (NOW - 1) as EpochMs }, workflow: AT_MOST_ONCE },
      'parks',
    ],
    [
      'no lease, in an Express workflow',
      { owner: DEAD, stoppedAt: 'within', workflow: EXPRESS },
      'isRefused',
    ],
  ])('%s', (_, { workflow = AT_LEAST_ONCE, record = {}, owner = DEAD, stoppedAt: stop }, expected) => {
    const seen = { ...RECORD, ...record };

    expect(judgeNextDelivery({ workflow, record: seen, owner, stoppedAt: stop, now: NOW })).toBe(expected);
  });

  test('no record: claims', () => {
    const nobody = { kind: 'unknown' } as const;

    expect(
      judgeNextDelivery({
        workflow: AT_LEAST_ONCE,
        record: undefined,
        owner: nobody,
        stoppedAt: undefined,
        now: NOW,
      }),
    ).toBe('claims');
  });
});

describe('what the workflow and the command decide alike', () => {
  const states = (golden: string) => {
    const file = path.join(__dirname, `../../golden/${golden}.asl.json`);
    return JSON.parse(readFileSync(file, 'utf8')).States as Record<string, { readonly Choices?: never[] }>;
  };
  const stopOf = (state: string) =>
    stoppedAt(visitsIn([{ ...AT, stateEnteredEventDetails: { name: state } }], ''));
  const AT = { id: 1, timestamp: new Date(), type: 'TaskStateEntered' } as const;

  test('where a dead owner stopped: before its step, or after it', () => {
    const choices = (states('waits-at-most-once')['Cut off in the step?']?.Choices ?? []) as {
      readonly Condition: string;
      readonly Comment: string;
    }[];
    const ruleOf = (name: string) => choices.find(({ Comment }) => Comment === name);
    const [outside, before] = [ruleOf('Elsewhere, and redrivable'), ruleOf('Before the step')];
    const namesIn = (condition = '') =>
      (/\$place\.state in \[(.*?)\]/.exec(condition)?.[1] ?? '')
        .split(', ')
        .map(name => name.slice(1, -1).replace('\\u0027', "'"));
    const namesBefore = namesIn(before?.Condition);
    const namesAfter = namesIn(outside?.Condition).filter(name => !namesBefore.includes(name));

    expect(namesBefore.length).toBeGreaterThan(10);
    expect(namesBefore.filter(name => stopOf(name) !== 'before')).toEqual([]);
    expect(namesAfter.length).toBeGreaterThan(4);
    expect(namesAfter.filter(name => stopOf(name) !== 'after')).toEqual([]);
    expect(stopOf('Business step')).toBe('within');
    expect(stopOf("One of the step's own")).toBe('within');
  });

  test.each(['minimal', 'chain', 'express', 'payload-and-retention', 'waits-at-most-once'])(
    'every state of the workflow "%s" is known by its name',
    golden => {
      const names = Object.keys(states(golden));
      const isKnown = (name: string) =>
        visitsIn([{ ...AT, stateEnteredEventDetails: { name } }], '')[0]?.isOurs;

      expect(names.filter(name => !isKnown(name))).toEqual([]);
    },
  );

  test.each([
    'CardDeclined',
    'Lambda.Unknown',
    'Lambda.TooManyRequestsException',
    'Sandbox.Timedout',
    'States.Timeout',
    'States.Permissions',
    'My.Lambda.Error',
    'LambdaError',
    ERROR.inDoubt,
    'Idempotency.Released',
  ])('whether %s leaves a key in doubt', async error => {
    const record = { ...RECORD, ...failed(error) };
    const { value } = (await evaluate206(`{% ${IS_IN_DOUBT.jsonata} %}`, {
      record: { error: { S: record.error } },
    })) as { readonly value: unknown };

    expect(isParked(record, AT_MOST_ONCE)).toBe(value);
    expect(isParked(record, AT_LEAST_ONCE)).toBe(false);
  });

  test('an answer of the step, and an invocation that was cut off', () => {
    expect(isAnswer('CardDeclined')).toBe(true);
    expect(isAnswer('Runtime.ExitError')).toBe(false);
  });

  test.each([
    ERROR.claimContended,
    ERROR.tableRefused,
    ERROR.missingKey,
    ERROR.invalidPayload,
    ERROR.payloadMismatch,
    ERROR.inProgress,
    ERROR.resultUnavailable,
  ])('an owner that ended with %s: it has given its claim up', error => {
    const seen = { status: 'FAILED', error, stopDate: new Date(0), redriveStatus: 'REDRIVABLE' } as const;
    const description = { ...seen, executionArn: '', stateMachineArn: '', startDate: new Date(0) };
    const owner = judgeOwner({
      workflow: AT_LEAST_ONCE,
      record: RECORD,
      owner: { isExpress: false, description, history: undefined },
      now: NOW,
    });

    expect(owner).toMatchObject({ kind: 'dead', hasGivenUp: true });
  });
});
