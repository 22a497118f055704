import { all, negated } from '../../../state-machine/contract/condition';
import { IS_IN_PROGRESS, IS_OTHER_PAYLOAD } from '../../../state-machine/contract/conditions';
import { isDone } from '../../../state-machine/contract/judgement';
import { dropRules, moveRules, narrowRules, objectAt, setRules } from './edit';
import type { Mutation } from './mutation';

function judge(name: string, says: string, change: Mutation['change']): Mutation {
  return { name, says, of: 'workflow', change };
}

const JUDGE = 'What does the record say?';
const DONE = 'Has it been done?';

/** The guards around owners of other state machines. */
export const OWNER_MUTATIONS: readonly Mutation[] = [
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
    narrowRules(draft, JUDGE, ['Of another workflow'], IS_IN_PROGRESS),
  ),
  judge('judge-workflow-of-the-finished', "takes over from another workflow's execution", draft =>
    narrowRules(draft, JUDGE, ['Of another workflow'], negated(IS_IN_PROGRESS)),
  ),
  {
    name: 'dispatch-any-workflow-is-done',
    says: "drops a delivery whose record is another workflow's",
    of: 'dispatcher',
    change: draft => setRules(draft, DONE, ['Done'], all(isDone(), negated(IS_OTHER_PAYLOAD))),
  },
];
