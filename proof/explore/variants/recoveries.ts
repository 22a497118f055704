import { changeRules, dropRules, objectAt, stateOf } from '../mutations/edit';
import type { Mutation } from '../mutations/mutation';
import { of, type VariantMutation } from './mutation';
import type { VariantName } from './variants';

const LOOK = 'Is it to be looked at?';
const UNDONE = 'Is its work undone?';
const DUE = 'Is it to be delivered again?';
const FIRST = 'Undone, or it may be yet: looked at for the first time';
const ON_FAILURE = 'recovery-on-failure';

/** A schedule that misses each: tests replay it, as some searches take a minute. */
const SCHEDULES: Readonly<Record<string, string>> = {
  'recovery-the-living':
    'start1 do1 do1 lose-answer1.1:SdkClientException ends1.1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 do2 do2 do2 do2 end2 pass pass wake1 recover1 recover1 pass wake1 recover1 recover1 recover1',
  'recovery-ended-anew':
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 do2 do2 do2 do2 end2 abort1 pass pass wake1 recover1 recover1 pass wake1 recover1 recover1 recover1',
  'recovery-too-early':
    'start1 do1 abort1 tell1 recover1 pass start2 do2 do2 do2 do2 end2 abort1 pass wake1 recover1 recover1 recover1 recover1',
  'recovery-own': 'start1 abort1 tell1 pass another:claims pass recover1 recover1 recover1 recover1 recover1',
  'recovery-unclaimed': 'start1 throttle1 tell1 recover1',
  'recovery-finished':
    'start1 do1 do1 works1.1 do1 abort1 retention pass tell1 recover1 recover1 recover1 recover1 recover1',
  'recovery-delivered':
    'start1 deny1 tell1 recover1 pass wake1 recover1 recover1 recover1 outlasts wake1 recover1 recover1 recover1',
  'recovery-refused': 'start1 limit1:request do1 tell1 pass wake1 recover1 recover1 recover1',
  'recovery-not-its-own-yet':
    'start1 limit1 do1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 do2 do2 do2 abort2 tell2 recover2 late2 pass pass wake1 recover1',
  'recovery-refused-at-once': 'start1 delay1 limit1:request do1 tell1 recover1 late1',
  'recovery-cut-off': 'start1 throttle1 tell1 stop-recovery1 search1 recover2',
  'recovery-name-taken':
    'start1 deny1 tell1 recover1 pass wake1 recover1 recover1 lose-recovery1 do2 do2 works2.1 do2 end2 recover1',
  'recovery-unknown': 'start1 do1 delete1 tell1 pass pass recover1 recover1 recover1',
  'recovery-input': 'start1 throttle1 tell1:no-input recover1',
  'recovery-on-failure-nobody-told':
    'start1 do1 do1 fail1.1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1',
  'recovery-on-failure-sent':
    'start1 do1 do1 fail1.1 do1 do1 end1 tell1 recover1 pass pass wake1 recover1 recover1 recover1',
  'recovery-on-failure-sender':
    'start1 deny1 tell1 recover1 pass wake1 recover1 recover1 recover1 do2 throttle2 do2 do2 end2 pass pass wake1 recover1 recover1 recover1',
  'recovery-on-failure-once':
    'start1 do1 do1 too-long1.1:by-any do1 do1 end1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 tell1 recover2 pass pass pass wake2 recover2 recover2 recover2',
  'recovery-on-failure-given-up-untold': 'start1 do1 delete1 tell1 pass pass recover1 recover1 recover1',
  'recovery-redrives-too-often': [
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 do2 do2 do2 do2 end2 abort1',
    'tell1 recover2 pass pass wake1 recover1 recover1 pass wake2 recover2 recover2 recover2 recover2',
    ...[3, 4, 5, 6, 7, 8, 9, 10].map(n => `do${n} do${n} do${n} pass wake2 recover2 recover2 recover2`),
  ].join(' '),
};

/** Recovery begins with a fault. The step of an owner that dies anew, too early, takes two deliveries. */
const BUDGETS: VariantMutation['budgets'] = [
  [1, 1],
  [1, 2],
  [2, 2],
];

/** The guards of recovery's own definition. */
export const RECOVERY_MUTATIONS: readonly VariantMutation[] = [
  ...[
    ['the-living', 'It goes on, or has done so', 'delivers for an execution that goes on'],
    ['ended-anew', 'It has ended anew', 'delivers for an end that has a recovery of its own'],
    ['too-early', 'Too early', 'delivers while the step may be running on'],
  ].map(([name = '', rule = '', says = '']) =>
    recovery('recovery', name, says, draft => dropRules(draft, DUE, [rule])),
  ),
  recovery('recovery-redrives', 'too-often', 'delivers for ever', draft =>
    dropRules(draft, DUE, ['Delivered too often']),
  ),
  without('recovery', 'own', ' and ($record.owner.S = $execution.executionArn))', ')', {
    says: 'delivers for an owner that another execution has taken over from',
  }),
  without('recovery', 'unclaimed', '($deliveries = 0)', '(false)', {
    says: 'leaves an execution that has died before its claim',
  }),
  without(
    'recovery',
    'finished',
    / and \(\$not\(\$record\.owner\.S = \$execution\.executionArn\)\) and .*? and \(\$deliveries/,
    ' and ($deliveries',
    {
      says: 'delivers for an owner whose finished record has expired',
    },
  ),
  without('recovery', 'delivered', ' and ($deliveries = 0)', '', {
    says: 'delivers again while what it has delivered has not claimed yet',
  }),
  without('recovery', 'refused', ' and ($not($isRefused))', '', {
    says: 'delivers an event that was refused for its input',
  }),
  recovery('recovery', 'not-its-own-yet', 'does not wait for a takeover that is on its way', draft =>
    changeRules(draft, UNDONE, [FIRST], condition =>
      condition.replace(
        / or \(\(\$not\(\$record\.owner\.S = \$execution\.executionArn\)\) and \(\$exists\(\$record\.status\)\) and \(\$not\(\$record\.status\.S = 'COMPLETED'\)\)\)/,
        '',
      ),
    ),
  ),
  recovery('recovery', 'refused-at-once', 'does not wait for a claim of who was refused', draft =>
    dropRules(draft, LOOK, ['Refused for its input']),
  ),
  recovery('recovery', 'cut-off', 'does not take up what a recovery was at that was stopped', draft =>
    dropRules(draft, LOOK, ['A recovery that was cut off']),
  ),
  recovery('recovery', 'name-taken', 'fails where another recovery of the same end has delivered', draft => {
    delete stateOf(draft, 'Deliver again')['Catch'];
  }),
  recovery(
    'recovery',
    'unknown',
    'fails where Step Functions does not know the execution any more',
    draft => {
      delete stateOf(draft, 'Ask about the execution')['Catch'];
    },
  ),
  recovery('recovery', 'input', 'looks at nothing of which the event does not tell the input', draft => {
    stateOf(draft, 'Read the input')['Next'] = 'Nothing left to recover';
  }),

  recovery(ON_FAILURE, 'nobody-told', 'sends no notice', draft => {
    dropRules(draft, DUE, ['Nobody was told that it failed']);
    delete objectAt(draft, 'States')['Redrive for its notice'];
  }),
  ...[
    ['sender', 'and $isOfSender and', 'and true and', 'redrives whoever has not to tell of the failure'],
    ['once', '$max([0, $execution.redriveCount]) = 0', 'true', 'redrives for ever who may have told'],
  ].map(([name = '', part = '', by = '', says = '']) =>
    recovery(ON_FAILURE, name, says, draft => {
      const without = (condition: string) => condition.replaceAll(part, by);
      changeRules(draft, UNDONE, [FIRST, 'Undone'], without);
      changeRules(draft, DUE, ['Nobody was told that it failed'], without);
    }),
  ),
  recovery(ON_FAILURE, 'given-up-untold', 'gives up, and tells nobody', draft => {
    objectAt(draft, 'States')['Tell that it is given up'] = { Type: 'Pass', Next: 'Given up' };
  }),
  recovery(ON_FAILURE, 'sent', 'redrives whoever has sent its notice', draft => {
    const anyEnd = (condition: string) =>
      condition.replaceAll('($not($mayHaveSent) or $isOfSending)', '(true)');
    changeRules(draft, UNDONE, [FIRST, 'Undone'], anyEnd);
    changeRules(draft, DUE, ['Nobody was told that it failed'], anyEnd);
  }),
];

/** A mutant of recovery's definition, of the variant that has it. */
function recovery(
  variant: VariantName,
  name: string,
  says: string,
  change: Mutation['change'],
): VariantMutation {
  const mutation = of(variant, name, says, change);
  const { [mutation.name]: schedule = '' } = SCHEDULES;
  return { ...mutation, of: 'recovery', budgets: BUDGETS, schedule };
}

/** Takes a part out of what is undone, wherever that is asked. */
function without(
  variant: VariantName,
  name: string,
  part: string | RegExp,
  by: string,
  { says }: { readonly says: string },
): VariantMutation {
  return recovery(variant, name, says, draft =>
    changeRules(draft, UNDONE, [FIRST, 'Undone'], condition => condition.replace(part, by)),
  );
}
