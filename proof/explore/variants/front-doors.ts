import { ALWAYS, sum } from '../../../state-machine/contract/condition';
import {
  changeValue,
  type DraftObject,
  dropRetries,
  dropRules,
  listOf,
  objectAt,
  replaceIn,
  rulesOf,
  setRules,
  shortenLease,
  stateOf,
} from '../mutations/edit';
import type { Mutation } from '../mutations/mutation';
import { EXPIRY } from '../mutations/parts';
import { of, type VariantMutation } from './mutation';

const START = 'Start the request';
const ANEW = 'Start anew';
const READ = 'Read its record';
const JUDGE = 'What became of it?';
const ACCEPTED = 'Answer: accepted';
const UNKNOWN = 'Answer: outcome unknown';

/** A schedule that misses each: some searches take half a minute. */
const SCHEDULES: Readonly<Record<string, string>> = {
  'front-door-another-input': 'request1 serve1',
  'front-door-name-taken-fails': 'request1 lose-request1 do1 do1 works1.1 do1 end1 serve1',
  'front-door-anew-same-name':
    'request1 serve1 serve1 serve1 serve1 request2* serve2 serve2 serve2 serve2 pass wake-request1 wake-request2 serve1 serve2 pass wake-request2 serve2',
  'front-door-anew-twice':
    'request1 serve1 request2* serve2 serve2 lose-request2 do2 do2 works2.1 do2 end2 serve2',
  'front-door-not-started-is-accepted': 'request1 throttle-request1',
  'front-door-unread-is-accepted':
    'request1 request2 serve1 do1 do1 works1.1 do1 end1 serve2 throttle-request2',
  'front-door-at-work-is-accepted': 'request1 request2 serve1 limit1 serve2 serve2',
  'front-door-any-payload': 'request1 serve1 do1 request2* serve2 serve2',
  'front-door-any-workflow': 'request1 serve1 another serve1 serve1',
  'front-door-expired-counts':
    'start1 do1 do1 works1.1 do1 end1 retention pass request2 serve2 serve2 serve2',
  'front-door-completed-is-at-work': 'request1 serve1 do1 do1 works1.1 do1 serve1',
  'front-door-another-text': 'request1 serve1 do1 do1 works1.1 do1 serve1',
  'front-door-replay-unmarked': 'request1 lose-request1 do1 do1 works1.1 do1 end1 serve1 serve1',
  'front-door-joined-is-own':
    'request1 serve1 do1 do1 serve1 serve1 serve1 works1.1 do1 pass request2 serve2 serve2',
  'front-door-old-is-believed': 'request1 serve1 another serve1',
  'front-door-old-of-anybody': 'request1 serve1 another serve1',
  'front-door-old-failure':
    'start1 do1 throttle1 do1 end1 pass request2 serve2 serve2 serve2 serve2 pass wake-request2 serve2',
  'front-door-waits-for-ever': `request1 serve1 serve1 serve1 serve1${' pass wake-request1 serve1'.repeat(27)} pass over-request1`,
  'front-door-no-wait': 'request1 serve1 serve1 serve1 serve1',
  'front-door-old-record': 'request1 serve1 another serve1 serve1',
  'front-door-deletes': 'request1 serve1 serve1',
  'front-door-question-not-known':
    'request1 serve1 serve1 serve1 serve1 pass wake-request1 serve1 pass wake-request1 serve1 ask1 serve1',
  'front-door-question-of-anybody':
    'start1 request2* serve2 serve2 serve2 serve2 pass wake-request2 serve2 pass wake-request2 serve2 do1 do1 ask2 works1.1 do1 serve2',
  'front-door-express-is-accepted': 'request1 serve1 do1 pass wake-request1 serve1',
  'front-door-express-own-in-progress': 'request1 serve1 do1 pass wake-request1 serve1',
  'front-door-express-old-record': 'request1 serve1 pass wake-request1 serve1',
  'front-door-express-without-a-name': 'request1 serve1 do1 pass wake-request1 serve1',
  'front-door-express-answer-decides': 'request1 serve1 pass wake-request1',
  'front-door-express-impatient': 'request1 serve1 pass wake-request1 throttle-request1',
  'front-door-express-any-payload': 'start1 do1 request2* serve2 pass wake-request2 serve2',
  'front-door-express-other-is-unknown': 'start1 request2 do1 serve2 pass wake-request2 serve2',
  'front-door-express-other-failure': 'start1 request2 do1 serve2 pass wake-request2 throttle1 do1 serve2',
  'front-door-express-too-early': 'request1 serve1 do1 pass wake-request1 serve1',
  'front-door-express-expired-counts':
    'start1 do1 do1 works1.1 do1 end1 retention request2 serve2 pass pass wake-request2 serve2',
  'front-door-express-replay-unmarked':
    'start1 do1 do1 works1.1 do1 end1 request2 serve2 pass wake-request2 serve2',
  'front-door-express-lease-too-short': 'start1 slow1 do1 pass over1 pass start2 do2 do2 do2 late1',
  'front-door-impatient-1': 'request1 throttle-request1',
  'front-door-impatient-2': 'request1 serve1 throttle-request1',
  'front-door-impatient-3': 'request1 serve1 request2* serve2 serve2 throttle-request2',
};

/** A mutant of the definition of the front door. */
function frontDoor(name: string, says: string, change: Mutation['change']): VariantMutation {
  const mutation = of('front-door', name, says, change);
  const schedule = SCHEDULES[mutation.name];
  return { ...mutation, of: 'frontDoor', kind: 'http', ...(schedule !== undefined && { schedule }) };
}

/** Drops the catcher of a state that goes by the name of an error. */
function dropCatch(draft: DraftObject, state: string, error: string): void {
  const task = stateOf(draft, state);
  task['Catch'] = listOf(task, 'Catch').filter(
    ({ ErrorEquals: errors }) => !(errors as string[]).includes(error),
  );
}

/** Changes the text of the front door's own rules, which are no rows. @throws Error where it stays as it is */
function changeRules(
  draft: DraftObject,
  choice: string,
  names: readonly string[],
  change: (condition: string) => string,
): void {
  for (const rule of rulesOf(draft, choice, names)) {
    const before = String(rule['Condition']);
    rule['Condition'] = change(before);
    if (rule['Condition'] === before) throw new Error(`${choice} has another rule "${rule['Comment']}"`);
  }
}

/** A rule that never holds: it may be the only way to its next state. */
function never(draft: DraftObject, choice: string, rule: string): void {
  setRules(draft, choice, [rule]);
}

const NEVER_EXPIRES = [EXPIRY, sum(9_999_999_999)] as const;
const NAME_TAKEN = 'StepFunctions.ExecutionAlreadyExistsException';

/** A mutant of the front door of an Express workflow. */
function called(name: string, says: string, change: Mutation['change']): VariantMutation {
  const mutation = of('front-door-express', name, says, change);
  const schedule = SCHEDULES[mutation.name];
  return { ...mutation, of: 'frontDoor', kind: 'http', ...(schedule !== undefined && { schedule }) };
}

/** The guards of the front door: what it starts, what it answers, and to whom. */
export const FRONT_DOOR_MUTATIONS: readonly VariantMutation[] = [
  frontDoor('another-input', 'starts the workflow with another input', draft => {
    const request = objectAt(stateOf(draft, START), 'Arguments');
    request['Input'] = "{% $merge([$states.input, {'amount': 1}]) %}";
  }),
  frontDoor('name-taken-fails', 'starts nothing for a key whose name is in use', draft =>
    dropCatch(draft, START, NAME_TAKEN),
  ),
  frontDoor('anew-same-name', 'starts anew under the name that is in use', draft => {
    objectAt(stateOf(draft, ANEW), 'Arguments')['Name'] = '{% $name %}';
  }),
  frontDoor('anew-twice', 'does not know the start whose answer was lost', draft =>
    dropCatch(draft, ANEW, NAME_TAKEN),
  ),
  frontDoor('not-started-is-accepted', 'accepts a request that it could not start', draft => {
    for (const catcher of listOf(stateOf(draft, START), 'Catch'))
      if (catcher['Next'] === 'Answer: not started') catcher['Next'] = ACCEPTED;
  }),
  frontDoor('unread-is-accepted', 'accepts a duplicate whose record it could not read', draft =>
    never(draft, 'Was it started?', 'Nothing was'),
  ),
  frontDoor('at-work-is-accepted', 'accepts a request although another one is at work', draft => {
    const judge = stateOf(draft, JUDGE);
    // A state that nothing leads to would be rejected.
    listOf(judge, 'Choices').push({ Condition: '{% false %}', Next: String(judge['Default']) });
    judge['Default'] = ACCEPTED;
  }),
  frontDoor('any-payload', 'does not compare the payload', draft => never(draft, JUDGE, 'Another payload')),
  frontDoor('any-workflow', "takes another workflow's record for its own", draft =>
    never(draft, JUDGE, 'Of another workflow'),
  ),
  frontDoor('expired-counts', 'answers by a record that has expired', draft =>
    changeValue(draft, JUDGE, ['Absent or expired', 'Absent or expired, nothing started'], NEVER_EXPIRES),
  ),
  frontDoor('completed-is-at-work', 'takes a completed record for one at work', draft => {
    for (const rule of ['Completed, with the result', 'Completed']) never(draft, JUDGE, rule);
  }),
  frontDoor('another-text', 'answers with the hash of the payload', draft => {
    for (const rule of rulesOf(draft, JUDGE, ['Completed, with the result']))
      objectAt(rule, 'Assign')['text'] = '{% $record.payloadHash.S %}';
  }),
  frontDoor('replay-unmarked', 'does not mark an answer that was given before', draft => {
    objectAt(stateOf(draft, READ), 'Assign')['replayed'] = false;
  }),
  frontDoor('joined-is-own', 'takes an execution that was running for its own', draft =>
    replaceIn(objectAt(stateOf(draft, START), 'Assign'), 'started', '$wasRunning ?', 'false ?'),
  ),
  frontDoor('old-is-believed', 'believes a read that may be old', draft =>
    never(draft, JUDGE, 'It may have been so before'),
  ),
  frontDoor('old-of-anybody', "believes another one's record in a read that may be old", draft =>
    changeRules(draft, JUDGE, ['It may have been so before'], text =>
      text.replace('$record.owner.S = $started.arn and', ''),
    ),
  ),
  frontDoor('old-failure', 'answers with the failure of an earlier attempt', draft =>
    changeRules(draft, JUDGE, ['Failed'], text => text.replace(/ and \(\$record\.owner.*\)/s, '')),
  ),
  frontDoor('waits-for-ever', 'waits as long as the step is at work', draft =>
    setRules(draft, 'Is there time left?', ['It may'], ALWAYS),
  ),
  frontDoor('no-wait', 'accepts at once, without a look at the record', draft => {
    never(draft, 'Is there time left?', 'It may');
  }),
  frontDoor('old-record', 'reads the record as it may have been before', draft => {
    objectAt(stateOf(draft, READ), 'Arguments')['ConsistentRead'] = false;
  }),
  frontDoor('deletes', 'deletes the record that it reads', draft => {
    const read = stateOf(draft, READ);
    read['Resource'] = String(read['Resource']).replace('getItem', 'deleteItem');
    delete objectAt(read, 'Arguments')['ConsistentRead'];
  }),
  frontDoor('question-not-known', 'does not know a request that it has just accepted', draft =>
    dropRules(draft, JUDGE, ['Asked for, and not known yet', 'Asked for, and of another request']),
  ),
  frontDoor('question-of-anybody', 'answers a question by the record of another payload', draft =>
    changeRules(draft, JUDGE, ['Asked for, and of another request', 'Asked for, and not known'], text =>
      text.replace(/\$not\(\$question\.check = .*'SHA-256'\), 0, 32\)\)/s, 'false'),
    ),
  ),
  ...[START, READ, ANEW].map((state, index) =>
    frontDoor(`impatient-${index + 1}`, `makes the request of "${state}" once`, draft =>
      dropRetries(draft, state),
    ),
  ),
  called('any-payload', 'does not compare the payload', draft => never(draft, JUDGE, 'Another payload')),
  called('is-accepted', 'accepts a request that only its sender continues', draft => {
    stateOf(draft, UNKNOWN)['Output'] = { status: 202, headers: { Location: './x' }, body: '{}' };
  }),
  called('own-in-progress', 'rejects a request because of itself', draft =>
    never(draft, JUDGE, 'At work, and its own'),
  ),
  called('other-is-unknown', "takes another one's claim for its own", draft =>
    changeRules(draft, JUDGE, ['At work, and its own'], text => text.replace(/ and \$split.*Name/, '')),
  ),
  called('other-failure', 'answers with the failure of another request', draft =>
    changeRules(draft, JUDGE, ['Failed'], text => text.replace(/ and \$split.*Name/, '')),
  ),
  called('too-early', 'lets a request come again before the lease is over', draft => {
    const headers = objectAt(stateOf(draft, UNKNOWN), 'Output', 'headers');
    headers['Retry-After'] = String(headers['Retry-After']).replace(' / 1000) + 1', ' / 1000)');
  }),
  called('old-record', 'reads the record as it may have been before', draft => {
    objectAt(stateOf(draft, READ), 'Arguments')['ConsistentRead'] = false;
  }),
  called('expired-counts', 'answers by a record that has expired', draft =>
    changeValue(draft, JUDGE, ['Absent or expired'], NEVER_EXPIRES),
  ),
  called('replay-unmarked', 'does not mark an answer that was given before', draft => {
    objectAt(stateOf(draft, READ), 'Assign')['replayed'] = false;
  }),
  called('without-a-name', 'does not know the execution that it has called', draft => {
    objectAt(stateOf(draft, START), 'Arguments')['Name'] = "{% 'other-' & $states.context.Execution.Name %}";
  }),
  called('answer-decides', 'says of a call whose answer is lost that nothing was started', draft => {
    for (const catcher of listOf(stateOf(draft, START), 'Catch')) catcher['Next'] = 'Answer: not started';
  }),
  called('impatient', 'reads the record once', draft => dropRetries(draft, READ)),
  {
    ...of(
      'front-door-express',
      'lease-too-short',
      'has a lease that ends a second before its step may',
      draft => shortenLease(draft, 1000),
    ),
    kind: 'http',
    schedule: SCHEDULES['front-door-express-lease-too-short'] ?? '',
  },
];
