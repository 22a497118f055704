import { Choice, type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../choice';
import { SEARCH_STATE } from '../contract/state-names';
import { NAME_TAKEN_SDK } from '../settings';
import * as states from './search-states';

/**
 * The states that find executions which have died without a status change that told of it: they read the lists of what
 * has ended since the last search, and hand those that may have died to recovery.
 */
export class SearchFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, settings: states.SearchSettings) {
    super(scope, id);
    const begin = states.findTheLastSearch(this, settings);
    const list = states.listWhatHasEnded(this);
    const recover = states.recoverThose(this, settings);
    const whatNext = Choice.jsonata(this, SEARCH_STATE.whatNext, {
      comment: 'What was found is recovered before the next page is read',
    });

    begin.next(list);
    list.next(whatNext);
    when(whatNext, 'Found on this page', states.HAS_FOUND, recover);
    when(whatNext, 'More to read', states.HAS_MORE_LISTS, list);
    whatNext.otherwise(states.searched(this));
    recover.next(whatNext);
    // It was started, and only the answer lost.
    recover.addCatch(whatNext, { errors: [NAME_TAKEN_SDK], assign: states.NONE_FOUND, outputs: {} });
    this.startState = begin;
  }
}
