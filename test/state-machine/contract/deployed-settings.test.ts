import {
  commentWith,
  type DeployedWorkflow,
  readSettings,
} from '../../../state-machine/contract/deployed-settings';

const PAY: DeployedWorkflow = {
  machine: 'workflow',
  scope: 'Pay "once"',
  key: ['$states.input.shop', "$states.input.'order id'"],
  payload: "$states.input.{'amount': amount}",
  retentionSeconds: 7_776_000,
  failedRetentionSeconds: 3600,
  waitSeconds: 30,
  returnedErrors: ['CardDeclined'],
  formerStateMachines: ['Pay-Old'],
  executionNames: 'hash',
};

describe('settings in a comment', () => {
  test.each([
    PAY,
    { ...PAY, key: '$states.input.id' },
    { ...PAY, key: { payload: '$states.input' } },
    { ...PAY, key: "'a' & $states.input.id", uncheckedKey: 'our ids have no slash' },
    { machine: 'fragment', scope: 'Pay', key: '$states.input.id', retentionSeconds: 1, maxRedrives: 0 },
    { machine: 'recovery', maxRedrives: 3 },
    { machine: 'frontDoor' },
  ] as const)('%j is read as it was written', settings => {
    expect(readSettings(commentWith('Some words', settings))).toEqual({ kind: 'settings', settings });
  });

  test('words come first, and the settings are one line', () => {
    expect(commentWith('Answers requests', { machine: 'frontDoor' })).toBe(
      'Answers requests\n{"onceflow":1,"machine":"frontDoor"}',
    );
  });

  test.each([undefined, 5, '', 'Runs a step', 'Runs\n{"other":1}', '{"onceflow":1}\nmore words'])(
    '%j has no settings',
    comment => {
      expect(readSettings(comment)).toEqual({ kind: 'absent' });
    },
  );

  test.each([0, 2, 17])('of version %i: the version is said', version => {
    expect(readSettings(`Words\n{"onceflow":${version},"anything":"else"}`)).toEqual({
      kind: 'otherVersion',
      version,
    });
  });

  test.each([
    '{"onceflow":',
    '{"onceflow":1',
    '{"onceflow":"1","machine":"search"}',
    '{"onceflow":1}',
    '{"onceflow":1,"machine":"toString"}',
    '{"onceflow":1,"machine":"search","scope":"Pay"}',
    '{"onceflow":1,"machine":"workflow","scope":"Pay","key":"$states.input.id"}',
    '{"onceflow":1,"machine":"workflow","scope":"Pay","key":[],"retentionSeconds":1}',
    '{"onceflow":1,"machine":"workflow","scope":5,"key":"x","retentionSeconds":1}',
    '{"onceflow":1,"machine":"workflow","scope":"Pay","key":"x","retentionSeconds":"1"}',
    '{"onceflow":1,"machine":"workflow","scope":"Pay","key":"x","retentionSeconds":1,"waitSecond":2}',
    '{"onceflow":1,"machine":"workflow","scope":"Pay","key":"x","retentionSeconds":1,"executionNames":"x"}',
  ])('%s cannot be read', line => {
    expect(readSettings(`Words\n${line}`)).toEqual({ kind: 'unreadable' });
  });
});
