import { changeRules, changeToken, dropRules, listOf, moveRules, objectAt, stateOf } from './edit';
import type { Mutation, SpareGuard } from './mutation';

function judge(name: string, says: string, change: Mutation['change']): Mutation {
  return { name, says, of: 'workflow', change };
}

function dispatch(name: string, says: string, change: Mutation['change']): Mutation {
  return { name: `dispatch-${name}`, says, of: 'dispatcher', change };
}

const JUDGE = 'What does the record say?';
const ALIVE = 'Is the owner alive?';
const DONE = 'Has it been done?';
const STEP = 'Business step';
const CERTAIN = 'Is the outcome certain?';

// The names of the rules: their comments in the definition.
const GONE = ['Absent or expired, refused too often', 'Absent or expired'];
const FAILED = ['Failed, refused too often', 'Failed'];
const OWN_CLAIMS = ['Its own claim', 'A claim under its name'];

/** What makes an expired record one that does not count. */
const EXPIRED = / or \(\$exists\(\$record\.expiry\)[^)]*\) <= [^)]*\)\s*\/ 1000\)\)/;

function expiringLater(condition: string): string {
  return condition.replace('$number($record.expiry.N) <=', '$number($record.expiry.N) <');
}

/** The guards of reading, judging, asking, waiting, and of starting by name. */
export const DECISION_MUTATIONS: readonly Mutation[] = [
  judge('read-not-consistent', 'reads a record as it was', draft => {
    delete objectAt(draft, 'States', 'Read record', 'Arguments')['ConsistentRead'];
  }),
  judge('judge-expired-counts', 'takes an expired record for one that counts', draft =>
    changeRules(draft, JUDGE, GONE, condition => condition.replace(EXPIRED, '')),
  ),
  judge('judge-expired-later', 'takes a record that expires this second for one that counts', draft =>
    changeRules(draft, JUDGE, GONE, expiringLater),
  ),
  judge('judge-absent-counts', 'does not notice that there is no record any more', draft =>
    changeRules(draft, JUDGE, GONE, condition => condition.replace('$not($exists($record.status)) or ', '')),
  ),
  judge('judge-expiry-is-gone', 'takes every record with an expiry for expired', draft =>
    changeRules(draft, JUDGE, GONE, condition =>
      condition.replace(/ and \$number\(\$record\.expiry\.N\) <= \$floor\(\$millis\(\) \/ 1000\)/, ''),
    ),
  ),
  judge('judge-any-payload', 'answers another payload', draft => {
    dropRules(draft, JUDGE, ['Another payload']);
    delete objectAt(draft, 'States')['Payload mismatch'];
  }),
  judge('judge-payload-last', 'looks at the payload when the status has decided', draft =>
    moveRules(draft, JUDGE, ['Another payload'], 'back'),
  ),
  judge('judge-payload-after-failure', 'looks at the payload when a failure has been taken over', draft =>
    moveRules(draft, JUDGE, FAILED, 'front'),
  ),
  judge('judge-payload-of-the-ended', 'looks at the payload of a record that is not in progress', draft =>
    changeRules(draft, JUDGE, ['Another payload'], condition =>
      condition.replace('{% ', "{% $record.status.S != 'IN_PROGRESS' and "),
    ),
  ),
  judge('judge-gone-last', 'looks at the expiry when the status has decided', draft =>
    moveRules(draft, JUDGE, GONE, 'back'),
  ),
  judge('judge-failure-stays', 'does not take a failure over', draft => dropRules(draft, JUDGE, FAILED)),
  {
    ...judge('judge-own-is-asked-about', 'asks about itself, and finds itself running', draft =>
      dropRules(draft, JUDGE, OWN_CLAIMS),
    ),
    isByName: true,
  },
  judge('judge-asks-nobody', 'takes every unfinished record for in progress', draft =>
    dropRules(draft, JUDGE, [...OWN_CLAIMS, 'Lease over', 'Leased', 'In progress']),
  ),
  judge('owner-running-is-dead', 'does not notice that the owner is running', draft =>
    dropRules(draft, ALIVE, ['Running']),
  ),
  judge('owner-unknown-is-dead', 'takes over from an owner that is not visible yet', draft =>
    dropRules(draft, ALIVE, ['Not visible yet']),
  ),
  judge('owner-unknown-stays', 'waits for an owner that has been deleted', draft =>
    changeRules(draft, ALIVE, ['Not visible yet'], condition => condition.replace(/ and .* %\}$/, ' %}')),
  ),
  judge('owner-unknown-is-an-error', 'fails when nobody knows the owner', draft => {
    delete stateOf(draft, 'Ask about the owner')['Catch'];
  }),
  judge('owner-dead-for-good-stays', 'waits for an owner that cannot be redriven any more', draft => {
    stateOf(draft, ALIVE)['Default'] = 'In progress';
  }),
  judge('owner-without-grace', 'restarts a dead owner at once', draft =>
    dropRules(draft, ALIVE, ['Its step may be running']),
  ),
  ...[40, 1000, 10_000, 20_000, 39_000, 39_999].map(milliseconds =>
    judge(`owner-grace-of-${milliseconds}-ms`, 'redrives a dead owner while its step may be running', draft =>
      changeRules(draft, ALIVE, ['Its step may be running'], condition =>
        condition.replace(/\+ \$max\(\[.*\]\) \* 1000/, `+ ${milliseconds}`),
      ),
    ),
  ),
  ...[60_000, 840_000, 899_999].map(milliseconds =>
    judge(`owner-visible-within-${milliseconds}-ms`, 'takes a running owner for one that never was', draft =>
      changeRules(draft, ALIVE, ['Not visible yet'], condition =>
        condition.replace(/\+ \d+ %\}$/, `+ ${milliseconds} %}`),
      ),
    ),
  ),
  judge('owner-pending-redrive-is-dead', 'takes over from an owner that is about to go on', draft =>
    changeRules(draft, ALIVE, ['Running'], condition =>
      condition.replace("in ['RUNNING', 'PENDING_REDRIVE']", "= 'RUNNING'"),
    ),
  ),
  judge(
    'owner-table-refused-is-redriven',
    'redrives an owner that the table refused before its step',
    draft =>
      changeRules(draft, ALIVE, ['Gave up before the step'], condition =>
        condition.replace("'Idempotency.TableRefused', ", ''),
      ),
  ),
  judge('owner-not-told-is-dead', 'takes an owner for dead when nobody answers who asks about it', draft => {
    for (const catcher of listOf(stateOf(draft, 'Ask about the owner'), 'Catch'))
      catcher['Next'] = 'Take over';
  }),
  judge('owner-gave-up-is-redriven', 'redrives an owner into the Fail state that it ended in', draft =>
    dropRules(draft, ALIVE, ['Gave up before the step']),
  ),
  judge('owner-untold-is-redriven', 'takes an error that is not told for none', draft =>
    dropRules(draft, ALIVE, ['Failed, its error not told']),
  ),
  judge('takeover-before-redrive', 'takes over from an owner that could go on', draft =>
    dropRules(draft, ALIVE, ['Redrivable']),
  ),
  judge('redrive-without-token', 'redrives an owner as often as it was seen dead', draft =>
    changeToken(draft, () => undefined),
  ),
  judge('redrive-one-token', 'redrives an owner but once', draft =>
    changeToken(draft, token => token.replace(" & '#' & $formatBase($owner.redriveCount, 10)", '')),
  ),
  judge('step-end-not-awaited', 'records a failure while the step may be working', draft => {
    for (const catcher of listOf(stateOf(draft, STEP), 'Catch')) catcher['Next'] = 'Finalize: failed';
    for (const name of [CERTAIN, 'Let the step end']) delete objectAt(draft, 'States')[name];
  }),
  ...['ClientExecutionTimeoutException', 'SdkClientException', 'ServiceException', 'AWSLambdaException'].map(
    error =>
      judge(`step-end-not-awaited-after-${error}`, 'takes one kind of lost answer for an end', draft => {
        for (const catcher of listOf(stateOf(draft, STEP), 'Catch')) {
          catcher['ErrorEquals'] = (catcher['ErrorEquals'] as string[]).filter(
            name => name !== `Lambda.${error}`,
          );
        }
      }),
  ),
  judge('step-answer-lost-is-an-end', 'takes every lost answer for a refusal', draft =>
    changeRules(draft, CERTAIN, ['It is'], () => '{% true %}'),
  ),
  judge(
    'step-result-too-long-by-any-name',
    'takes the word for any error to cover a result too long',
    draft => {
      const state = stateOf(draft, STEP);
      state['Catch'] = listOf(state, 'Catch').filter(
        ({ ErrorEquals }) => !(ErrorEquals as string[]).includes('States.DataLimitExceeded'),
      );
    },
  ),
  judge('step-without-timeout', 'waits for ever for an answer that never comes', draft => {
    delete stateOf(draft, STEP)['TimeoutSeconds'];
  }),
  judge('step-end-awaited-a-second-less', 'does not wait for the last second of the step', draft => {
    const state = stateOf(draft, 'Let the step end');
    state['Seconds'] = Number(state['Seconds']) - 1;
  }),
  judge('step-timeout-a-second-less', 'gives up on the step in the last second of its function', draft => {
    const state = stateOf(draft, STEP);
    state['TimeoutSeconds'] = Number(state['TimeoutSeconds']) - 1;
  }),
  judge('judge-expired-a-second-early', 'gives a record up in its last second', draft =>
    changeRules(draft, JUDGE, GONE, condition =>
      condition.replace('$number($record.expiry.N) <=', '$number($record.expiry.N) - 1 <='),
    ),
  ),
  judge('step-end-awaited-too-short', 'waits a second for the step to end', draft => {
    stateOf(draft, 'Let the step end')['Seconds'] = 1;
  }),
  judge('step-retried-after-lost-answer', 'runs the step again beside a run whose answer was lost', draft => {
    for (const retrier of listOf(stateOf(draft, STEP), 'Retry')) {
      (retrier['ErrorEquals'] as string[]).push('Lambda.SdkClientException');
    }
  }),
  judge('step-timeout-too-short', 'gives up on the step before its function ends', draft => {
    stateOf(draft, STEP)['TimeoutSeconds'] = 1;
  }),
  dispatch('taken-is-done', 'drops a delivery whose name is taken', draft => {
    for (const catcher of listOf(stateOf(draft, 'Start by key'), 'Catch')) {
      if ((catcher['ErrorEquals'] as string[]).some(name => name.includes('AlreadyExists'))) {
        catcher['Next'] = 'Started before';
      }
    }
    for (const name of ['Read record', 'Has it been done?', 'Duplicate', 'Start again']) {
      delete objectAt(draft, 'States')[name];
    }
  }),
  dispatch('any-record-is-done', 'drops a delivery whose record is not COMPLETED', draft =>
    changeRules(draft, DONE, ['Done'], condition =>
      condition.replace("$record.status.S = 'COMPLETED'", '$exists($record.status)'),
    ),
  ),
  dispatch('expired-is-done', 'drops a delivery whose record has expired', draft =>
    changeRules(draft, DONE, ['Done'], condition => condition.replace(EXPIRED, '')),
  ),
  dispatch('expired-later', 'drops a delivery in the second in which the record expires', draft =>
    changeRules(draft, DONE, ['Done'], expiringLater),
  ),
  dispatch('keeps-nothing', 'fails where it cannot start, without the dead-letter queue', draft => {
    for (const name of ['Start by key', 'Start again', 'Start without a key']) {
      for (const catcher of listOf(stateOf(draft, name), 'Catch')) {
        if (catcher['Next'] === 'Keep the event') catcher['Next'] = 'Not started';
      }
    }
    delete objectAt(draft, 'States')['Keep the event'];
  }),
  dispatch('read-fails', 'fails where the record cannot be read', draft => {
    delete stateOf(draft, 'Read record')['Catch'];
  }),
  dispatch('any-payload-is-done', 'drops a delivery with another payload', draft =>
    changeRules(draft, DONE, ['Done'], condition =>
      condition.replace(
        ' and ($not($exists($record.payloadHash.S) and $exists($payloadHash) and $not($record.payloadHash.S = $payloadHash)))',
        '',
      ),
    ),
  ),
  dispatch('again-by-the-same-name', 'starts again under the name that is taken', draft => {
    const given = objectAt(draft, 'States', 'Start by key', 'Arguments')['Name'] ?? null;
    objectAt(draft, 'States', 'Start again', 'Arguments')['Name'] = given;
  }),
  dispatch('read-not-consistent', 'reads a record as it was', draft => {
    delete objectAt(draft, 'States', 'Read record', 'Arguments')['ConsistentRead'];
  }),
];

/** Rules that save something, or stand beside others. */
export const SPARE_DECISION_GUARDS: readonly SpareGuard[] = [
  {
    ...judge('owner-succeeded-is-dead', 'does not look again when the owner has succeeded meanwhile', draft =>
      dropRules(draft, ALIVE, ['Succeeded']),
    ),
    heldBy: 'the condition of "Take over", which is refused by a record that has its end',
    together: 'owner-succeeded-is-taken-over',
  },
  {
    ...judge('judge-asks-at-once', 'asks about each owner, however young its claim is', draft =>
      dropRules(draft, JUDGE, ["Within the step's time"]),
    ),
    heldBy: 'the grace, which is over no earlier: what is asked in vain costs two transitions and a call',
    together: 'owner-asked-at-once-and-dead',
  },
  {
    ...judge('redrive-of-long-ago', 'redrives by what was seen before its own redrive', draft =>
      changeToken(draft, token =>
        token.replace(/^\{% .* \? (\$hash\(.*\)) : \$error\(.*\) %\}$/, '{% $1 %}'),
      ),
    ),
    heldBy: 'the client token, for a quarter of an hour; nobody waits for longer here',
    isEquivalent: true,
  },
  {
    ...judge('redrive-retried', 'sends a redrive again whose answer was lost', draft => {
      stateOf(draft, 'Redrive the owner')['Retry'] = [{ ErrorEquals: ['States.ALL'], MaxAttempts: 3 }];
    }),
    heldBy: 'the client token, and the retries end within its quarter of an hour',
    needed: {
      executions: 2,
      faults: 2,
      schedule: 'start1 abort1 late1 pass start2 do2 do2 do2 lose2 do2 end2',
      without: 'client-token',
    },
  },
];
