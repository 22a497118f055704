import {
  changeRules,
  dropCondition,
  dropRules,
  moveRules,
  objectAt,
  replaceIn,
  rulesOf,
  stateOf,
} from './edit';
import type { Mutation } from './mutation';

function judge(name: string, says: string, change: Mutation['change']): Mutation {
  return { name, says, of: 'workflow', change };
}

const JUDGE = 'What does the record say?';
const ALIVE = 'Is the owner alive?';
const DONE = 'Has it been done?';

/** The guards around owners of other state machines, and of those that are gone. */
export const OWNER_MUTATIONS: readonly Mutation[] = [
  judge('judge-never-asks', 'takes every unfinished record for one whose owner is at work', draft =>
    changeRules(draft, JUDGE, ["Within the step's time"], () => "{% $record.status.S = 'IN_PROGRESS' %}"),
  ),
  judge('judge-asks-too-late', 'asks about an owner a second after its grace may be over', draft =>
    changeRules(draft, JUDGE, ["Within the step's time"], condition =>
      condition.replace('$toMillis($record.claimedAt.S) + ', '$toMillis($record.claimedAt.S) + 1000 + '),
    ),
  ),
  judge('judge-step-of-any-status', 'looks at the time of a record that has its end', draft => {
    changeRules(draft, JUDGE, ["Within the step's time"], condition =>
      condition.replace("$record.status.S = 'IN_PROGRESS' and ", ''),
    );
    moveRules(draft, JUDGE, ["Within the step's time"], 'front');
  }),
  judge('owner-succeeded-is-taken-over', 'takes over from an owner that has succeeded meanwhile', draft => {
    dropRules(draft, ALIVE, ['Succeeded']);
    dropCondition(draft, 'Take over');
  }),
  judge('owner-asked-at-once-and-dead', 'asks about an owner at once, and keeps no grace', draft => {
    dropRules(draft, JUDGE, ["Within the step's time"]);
    dropRules(draft, ALIVE, ['Its step may be running']);
  }),
  judge('judge-any-workflow', "takes another workflow's record for its own", draft => {
    dropRules(draft, JUDGE, ['Of another workflow']);
    delete objectAt(draft, 'States')['Foreign record'];
  }),
  judge('judge-workflow-last', 'looks at whose record it is when the status has decided', draft =>
    moveRules(draft, JUDGE, ['Of another workflow'], 'back'),
  ),
  judge('judge-workflow-after-payload', 'looks at the payload of another workflow', draft =>
    moveRules(draft, JUDGE, ['Another payload'], 'front'),
  ),
  judge('judge-workflow-before-expiry', "is stopped by another workflow's record that has expired", draft =>
    moveRules(draft, JUDGE, ['Of another workflow'], 'front'),
  ),
  judge('judge-workflow-of-the-unfinished', "answers with another workflow's result", draft =>
    changeRules(draft, JUDGE, ['Of another workflow'], condition =>
      condition.replace('{% ', "{% $record.status.S = 'IN_PROGRESS' and "),
    ),
  ),
  judge('judge-workflow-of-the-finished', "takes over from another workflow's execution", draft =>
    changeRules(draft, JUDGE, ['Of another workflow'], condition =>
      condition.replace('{% ', "{% $record.status.S != 'IN_PROGRESS' and "),
    ),
  ),
  judge('owner-deleted-is-over', 'takes over from a deleted owner while its step may be running', draft => {
    for (const rule of rulesOf(draft, ALIVE, ['Unknown'])) rule['Next'] = 'Take over';
    delete objectAt(draft, 'States')["Let the owner's step end"];
  }),
  judge('owner-deleted-a-second-less', 'gives the step of a deleted owner a second less', draft =>
    replaceIn(stateOf(draft, "Let the owner's step end"), 'Seconds', '$max(', '-1 + $max('),
  ),
  {
    name: 'dispatch-any-workflow-is-done',
    says: "drops a delivery whose record is another workflow's",
    of: 'dispatcher',
    change: draft =>
      changeRules(draft, DONE, ['Done'], condition =>
        condition.replace(/ and \(\$not\(\( \$its := .*? \)\)\)/, ''),
      ),
  },
];
