import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Workflow } from '../../../cli/aws/workflow';
import { historyIn } from '../../../cli/key/history';
import {
  judgeNextDelivery,
  judgeNextRecovery,
  type NextDelivery,
  type NextRecovery,
} from '../../../cli/key/judge';
import { judgeOwner, type Owner, type StoppedAt, stoppedAt } from '../../../cli/key/judge-owner';
import { isHeld, type KeyRecord } from '../../../cli/key/record';
import { FailureDestination, IdempotentWorkflow } from '../../../infra/index';
import { toJsonata } from '../../../state-machine/contract/condition-text';
import { IS_IN_DOUBT } from '../../../state-machine/contract/conditions';
import {
  type EpochMs,
  type EpochSeconds,
  ERROR,
  isAnswer,
  RECORD_SCHEMA,
} from '../../../state-machine/contract/index';
import { evaluate206 } from '../../support/evaluate';
import { definitionIn, someFunction, synthesized } from '../../support/synthesize';

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
  recoveryArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:R',
  maxRedrives: 3,
  executionNames: 'readable',
  isStepTimeoutGiven: false,
  retentionSeconds: 1,
  failedRetentionSeconds: 1,
  isAtMostOnce: false,
  storesResults: false,
  sendsResults: false,
  returnsStoredFailure: false,
};
const AT_MOST_ONCE: Workflow = { ...AT_LEAST_ONCE, isAtMostOnce: true };
const WITHOUT_RECOVERY: Workflow = { ...AT_LEAST_ONCE, recoveryArn: undefined };
const EXPRESS: Workflow = { ...WITHOUT_RECOVERY, type: 'EXPRESS' };
const PART: Workflow = { ...WITHOUT_RECOVERY, prefix: 'Pay: ' };
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
const DEAD = {
  kind: 'ended',
  status: 'ABORTED',
  error: undefined,
  redriveCount: 0,
  isRedrivable: true,
  hasGivenUp: false,
  until: NOW - 60_000,
} as const satisfies Owner;
const TOO_OLD: Owner = { ...DEAD, isRedrivable: false };
const EXHAUSTED: Owner = { ...DEAD, redriveCount: 3 };
const GIVEN_UP: Owner = { ...DEAD, status: 'FAILED', error: ERROR.inProgress, hasGivenUp: true };
const ENDED_JUST_NOW: Owner = { ...DEAD, kind: 'mayStillWork', until: NOW + 30_000 };
const NEW = { claimedAt: new Date(NOW - 1000).toISOString() };
const OLD = { claimedAt: new Date(NOW - 3_600_000).toISOString() };
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
    [
      "finished, with the result in the owner's output",
      { record: { status: 'COMPLETED', result: null }, owner: { kind: 'succeeded' } },
      'returnsResult',
    ],
    ['the same, Express', { record: { status: 'COMPLETED' }, workflow: EXPRESS }, 'resultUnavailable'],
    ['failed', { record: failed('E') }, 'takesOver'],
    ['released', { record: { status: 'RELEASED' }, workflow: AT_MOST_ONCE }, 'takesOver'],
    [
      'released, and failures are answers',
      { record: { status: 'RELEASED' }, workflow: { ...AT_LEAST_ONCE, returnsStoredFailure: true } },
      'takesOver',
    ],
    [
      'failed, and failures are answers',
      { record: failed('E'), workflow: { ...AT_LEAST_ONCE, returnsStoredFailure: true } },
      'returnsFailure',
    ],
    [
      'failed with an error that is an answer',
      {
        record: failed('E'),
        workflow: { ...AT_LEAST_ONCE, returnsStoredFailure: true, returnedErrors: ['E'] },
      },
      'returnsFailure',
    ],
    [
      'failed with another error',
      {
        record: failed('F'),
        workflow: { ...AT_LEAST_ONCE, returnsStoredFailure: true, returnedErrors: ['E'] },
      },
      'takesOver',
    ],
    ['held', { record: { ...failed(ERROR.redrivesExhausted), status: 'HELD' } }, 'heldForReview'],
    [
      'failed in doubt, at most once',
      { record: failed(ERROR.inDoubt), workflow: AT_MOST_ONCE },
      'heldForReview',
    ],
    ['failed in doubt before it was at least once', { record: failed(ERROR.inDoubt) }, 'takesOver'],
    [
      'failed without an answer before it was at most once',
      { record: failed('Lambda.Unknown'), workflow: AT_MOST_ONCE },
      'heldForReview',
    ],
    ['reserved by a release', { record: { status: 'RELEASING' }, owner: DEAD }, 'inProgress'],
    ['a status of another version', { record: { status: 'PAUSED' }, owner: DEAD }, 'inProgress'],
    ["within the step's time, its owner has ended", { record: NEW, owner: DEAD }, 'inProgress'],
    [
      'overdue, its owner runs',
      { record: OLD, owner: { kind: 'running', status: 'RUNNING' } },
      'callsRecovery',
    ],
    ['overdue, its owner has ended', { record: OLD, owner: DEAD }, 'callsRecovery'],
    ['overdue, at most once', { record: OLD, owner: DEAD, workflow: AT_MOST_ONCE }, 'callsRecovery'],
    ['overdue, without recovery', { record: OLD, owner: DEAD, workflow: WITHOUT_RECOVERY }, 'inProgress'],
    [
      'completed, its result in the output of an owner that ended without one',
      { record: { status: 'COMPLETED', result: null }, owner: DEAD },
      'callsRecovery',
    ],
    ['a lease that ends now', { owner: { kind: 'express' }, record: { leaseExpiry: NOW } }, 'inProgress'],
    [
      'a lease that is over',
      { owner: { kind: 'express' }, record: { leaseExpiry: (NOW - 1) as EpochMs } },
      'takesOver',
    ],
    [
      'the same, at most once',
      { owner: { kind: 'express' }, record: { leaseExpiry: (NOW - 1) as EpochMs }, workflow: AT_MOST_ONCE },
      'holds',
    ],
    ['no lease, in an Express workflow', { owner: DEAD, workflow: EXPRESS }, 'inProgress'],
    [
      "in a team's machine, the owner runs",
      { owner: { kind: 'running', status: 'RUNNING' }, workflow: PART },
      'inProgress',
    ],
    ['the same, its step may be running', { owner: ENDED_JUST_NOW, workflow: PART }, 'inProgress'],
    [
      'the same, not visible yet',
      { owner: { kind: 'notVisibleYet', until: 0 }, workflow: PART },
      'inProgress',
    ],
    ['the same, unknown', { owner: { kind: 'unknown' }, workflow: PART }, 'takesOver'],
    ['the same, ended', { owner: DEAD, workflow: PART }, 'redrives'],
    [
      "the same, by an operator's word, within the time that the record gives its step",
      { owner: DEAD, record: { ...NEW, stepTimeout: 900 }, workflow: PART },
      'redrives',
    ],
    ['the same, redriven as often as it may be', { owner: EXHAUSTED, workflow: PART }, 'redrivesExhausted'],
    ['the same, too old', { owner: TOO_OLD, workflow: PART }, 'takesOver'],
    ['the same, ended before its step', { owner: GIVEN_UP, workflow: PART }, 'takesOver'],
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

describe('what recovery does', () => {
  type Does = NextRecovery['does'] | undefined;
  test.each<[string, Given, Does]>([
    ['the owner runs', { owner: { kind: 'running', status: 'RUNNING' } }, undefined],
    ['it has ended', { owner: DEAD, stoppedAt: 'within' }, 'redrives'],
    ['it has just ended', { owner: ENDED_JUST_NOW, stoppedAt: 'within' }, 'redrives'],
    ['no recovery', { owner: DEAD, workflow: WITHOUT_RECOVERY }, undefined],
    [
      'a record of another workflow',
      { owner: DEAD, record: { owner: 'arn:aws:states:::execution:O:k' } },
      undefined,
    ],
    ['reserved by a release', { owner: DEAD, record: { status: 'RELEASING' } }, undefined],
    ['released', { owner: DEAD, record: { status: 'RELEASED' } }, undefined],
    ['held', { owner: DEAD, record: { ...failed(ERROR.inDoubt), status: 'HELD' } }, undefined],
    ['redriven as often as it may be', { owner: EXHAUSTED }, 'holdsExhausted'],
    ['too old', { owner: TOO_OLD }, 'releases'],
    ['ended before its step', { owner: GIVEN_UP }, 'releases'],
    ['it succeeded', { owner: { kind: 'succeeded' } }, 'completes'],
    ['unknown', { owner: { kind: 'unknown' } }, 'releases'],
    ['not visible yet', { owner: { kind: 'notVisibleYet', until: NOW } }, 'releases'],
    ['at most once, unknown', { owner: { kind: 'unknown' }, workflow: AT_MOST_ONCE }, 'holdsInDoubt'],
    ['at most once, in the step', { stoppedAt: 'within', workflow: AT_MOST_ONCE }, 'holdsInDoubt'],
    ['at most once, before it', { stoppedAt: 'before', workflow: AT_MOST_ONCE }, 'redrives'],
    ['at most once, after it', { stoppedAt: 'after', workflow: AT_MOST_ONCE }, 'redrives'],
    ['the same, too old', { owner: TOO_OLD, stoppedAt: 'after', workflow: AT_MOST_ONCE }, 'holdsInDoubt'],
    ['the same, before it', { owner: TOO_OLD, stoppedAt: 'before', workflow: AT_MOST_ONCE }, 'releases'],
    [
      'at most once, after it, redriven as often as it may be',
      { owner: EXHAUSTED, stoppedAt: 'after', workflow: AT_MOST_ONCE },
      'holdsExhausted',
    ],
    ['the same, in it', { owner: EXHAUSTED, stoppedAt: 'within', workflow: AT_MOST_ONCE }, 'holdsInDoubt'],
    ['the same, before it', { owner: EXHAUSTED, stoppedAt: 'before', workflow: AT_MOST_ONCE }, 'releases'],
    ['completed', { record: { status: 'COMPLETED', result: '1' } }, undefined],
    [
      'completed, its result in the output alone',
      { record: { status: 'COMPLETED', result: null } },
      'redrives',
    ],
    ['the same, too old', { owner: TOO_OLD, record: { status: 'COMPLETED', result: null } }, 'holdsLost'],
    [
      'the same, redriven as often as recovery does',
      { owner: { ...DEAD, redriveCount: 8 }, record: { status: 'COMPLETED', result: null } },
      'holdsLost',
    ],
    [
      'completed, and not sent',
      { record: { status: 'COMPLETED', result: '1' }, workflow: { ...AT_LEAST_ONCE, sendsResults: true } },
      'redrives',
    ],
    [
      'the same, redriven as often as recovery does',
      {
        owner: { ...DEAD, redriveCount: 8 },
        record: { status: 'COMPLETED', result: '1' },
        workflow: { ...AT_LEAST_ONCE, sendsResults: true },
      },
      undefined,
    ],
    [
      'delivered again as often as recovery does',
      { record: { owner: `${RECORD.owner}-recovery-8-0123456789abcdef` } },
      undefined,
    ],
  ])('%s', (_, { workflow = AT_LEAST_ONCE, record = {}, owner = DEAD, stoppedAt: stop }, expected) => {
    const seen = { ...RECORD, ...record };
    const next = judgeNextRecovery({ workflow, record: seen, owner, stoppedAt: stop, now: NOW });

    expect(next?.does).toBe(expected);
  });

  test.each<[string, Partial<KeyRecord>, Owner, Omit<NextRecovery, 'does'>]>([
    ['ten seconds after the step', {}, ENDED_JUST_NOW, { from: NOW + 40_000, isAutomatic: true }],
    ['a minute, redriven once', {}, { ...DEAD, redriveCount: 1 }, { from: NOW, isAutomatic: true }],
    [
      'two minutes, delivered again twice',
      { owner: `${RECORD.owner}-recovery-2-0123456789abcdef` },
      DEAD,
      { from: NOW + 60_000, isAutomatic: true },
    ],
    ['stopped for good', {}, { ...DEAD, error: ERROR.stopped }, { from: NOW - 50_000, isAutomatic: false }],
    ['unknown: a delivery starts it', {}, { kind: 'unknown' }, { from: undefined, isAutomatic: false }],
  ])('when: %s', (_, record, owner, expected) => {
    const seen = { ...RECORD, ...record };
    const key = { workflow: AT_LEAST_ONCE, record: seen, owner, stoppedAt: undefined, now: NOW };

    expect(judgeNextRecovery(key)).toMatchObject(expected);
  });
});

describe('what the workflow and the command decide alike', () => {
  const states = (golden: string) => {
    const file = path.join(__dirname, `../../golden/${golden}.asl.json`);
    return JSON.parse(readFileSync(file, 'utf8')).States as Record<string, { readonly Choices?: never[] }>;
  };
  const stopOf = (state: string) =>
    stoppedAt(historyIn([{ ...AT, stateEnteredEventDetails: { name: state } }], '').visits);
  const AT = { id: 1, timestamp: new Date(), type: 'TaskStateEntered' } as const;

  test('where an ended owner stopped: before its step, or after it', () => {
    const template = synthesized(stack => {
      const step = someFunction(stack);
      new IdempotentWorkflow(stack, 'Pay', {
        idempotencyKey: '{% $states.input.id %}',
        step,
        delivery: 'at-most-once',
        onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
      });
    });
    const { States } = definitionIn(template, /^PayRecoveryStateMachine/);
    const choices = (States['Where did it stop?']?.['Choices'] ?? []) as {
      readonly Condition: string;
      readonly Comment: string;
    }[];
    const ruleOf = (name: string) => choices.find(({ Comment }) => Comment === name);
    const [outside, before] = [ruleOf('Outside of its step, and redrivable'), ruleOf('Before its step')];
    const namesIn = (condition = '') =>
      (/\$lastState\.name in \[(.*?)\]/.exec(condition)?.[1] ?? '')
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
        historyIn([{ ...AT, stateEnteredEventDetails: { name } }], '').visits[0]?.isOurs;

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
    const { value } = (await evaluate206(`{% ${toJsonata(IS_IN_DOUBT)} %}`, {
      record: { error: { S: record.error } },
    })) as { readonly value: unknown };

    expect(isHeld(record, AT_MOST_ONCE)).toBe(value);
    expect(isHeld(record, AT_LEAST_ONCE)).toBe(false);
  });

  test('an answer of the step, and an invocation that was cut off', () => {
    expect(isAnswer('CardDeclined')).toBe(true);
    expect(isAnswer('Runtime.ExitError')).toBe(false);
  });

  test.each([
    ERROR.invalidEvent,
    ERROR.redrivesExhausted,
    ERROR.payloadMismatch,
    ERROR.inProgress,
    ERROR.resultUnavailable,
  ])('an owner that ended with %s ended before its step', error => {
    const seen = { status: 'FAILED', error, stopDate: new Date(0), redriveStatus: 'REDRIVABLE' } as const;
    const description = { ...seen, executionArn: '', stateMachineArn: '', startDate: new Date(0) };
    const owner = judgeOwner({
      workflow: AT_LEAST_ONCE,
      record: RECORD,
      owner: { isExpress: false, description, history: undefined },
      now: NOW,
    });

    expect(owner).toMatchObject({ kind: 'ended', hasGivenUp: true });
  });
});
