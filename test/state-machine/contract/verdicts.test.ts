import { dispatchRules } from '../../../state-machine/contract/dispatch-rules';
import type { JudgedOwner, JudgedRecord, Known } from '../../../state-machine/contract/judged';
import { judge, recordRules } from '../../../state-machine/contract/judgement';
import { type DueVariant, dueRules } from '../../../state-machine/contract/recovery-rules';
import { MACHINE, ME, NOW } from './facts';

// The properties compare two interpreters of one row: these tests hold the row itself, if no scenario reaches it.

const VARIANT: DueVariant = {
  hasPayload: false,
  isAtMostOnce: false,
  returnsStoredFailure: false,
  returnedErrors: undefined,
  isExpress: false,
  isFragment: false,
  hasRecovery: true,
  storesResults: false,
  stepTimeoutSeconds: 40,
  maxRedrives: 3,
  formerStateMachines: [],
  timeToLiveAttribute: 'expiry',
  sendsResults: false,
  sendsFailures: false,
  retentionSeconds: [3600, 3600],
};

describe('whose record it is', () => {
  const BEFORE = ME.replace('Pay', 'PayBefore');
  const cases: [string, string, readonly string[], boolean][] = [
    ['its own', ME, [], false],
    ['of another execution of its machine', `${ME}-2`, [], false],
    ['of an Express execution', `${ME.replace('execution', 'express')}:0e4b`, [], false],
    ['of another machine', ME.replace('Pay', 'Refund'), [], true],
    ['of that name in another account', ME.replace('111111111111', '222222222222'), [], true],
    ['of that name in another region', ME.replace('us-east-1', 'eu-west-1'), [], true],
    ['of a former name', BEFORE, ['PayBefore'], false],
    ['of a name that is no longer listed', BEFORE, [], true],
    [
      'of a former name in another account',
      BEFORE.replace('111111111111', '222222222222'),
      ['PayBefore'],
      true,
    ],
    ['of a former name in another region', BEFORE.replace('us-east-1', 'eu-west-1'), ['PayBefore'], true],
  ];

  test.each(cases)('%s', (_name, owner, formerStateMachines, isForeign) => {
    const facts = {
      record: { status: 'COMPLETED', owner, result: '{}' },
      now: NOW,
      delivery: { executionArn: ME, rejections: 0 },
    };
    const variant = { ...VARIANT, formerStateMachines };
    const dispatcher = { ...variant, stateMachineArn: MACHINE };

    expect(judge(recordRules(variant), facts).verdict).toBe(isForeign ? 'rejectForeign' : 'returnResult');
    expect(judge(dispatchRules(dispatcher), facts).verdict).toBe(isForeign ? 'startAgain' : 'duplicate');
  });
});

describe('what recovery does', () => {
  const OWNER: JudgedOwner = { executionArn: ME, status: 'ABORTED', redriveCount: 0 };
  const RECORD: JudgedRecord = { status: 'IN_PROGRESS', owner: ME };
  const KNOWN: Known = { isAsked: true, acts: 0, earlier: 0, redrivesBefore: 0, actedAt: 0, endedAt: 1 };
  const due = (record: JudgedRecord, known: Known) =>
    judge(dueRules(VARIANT), { record, owner: OWNER, now: NOW, known: { ...KNOWN, ...known } }).verdict;

  test.each([
    ['seven acts', { acts: 7 }, 'redrive'],
    ['eight acts', { acts: 8 }, 'giveUp'],
    ['seven deliveries by recoveries before', { earlier: 7 }, 'redrive'],
    ['eight deliveries by recoveries before', { earlier: 8 }, 'giveUp'],
  ] as const)('an unfinished record, after %s', (_name, known, expected) => {
    expect(due(RECORD, { ...known, actedAt: 1 })).toBe(expected);
  });

  // A takeover of the execution that has ended may be on its way: it was asked about too early to tell.
  test.each([
    ['IN_PROGRESS', false, 'wait'],
    ['FAILED', false, 'wait'],
    ['RELEASED', false, 'wait'],
    ['COMPLETED', false, 'nothingLeft'],
    ['IN_PROGRESS', true, 'nothingLeft'],
    ['FAILED', true, 'nothingLeft'],
  ])('a record of another execution, %s, asked about: %s', (status, isAsked, expected) => {
    expect(due({ status, owner: `${ME}-2` }, { isAsked })).toBe(expected);
  });
});
