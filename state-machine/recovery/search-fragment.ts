import { Choice, type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { NAME_TAKEN_SDK } from '../aws-error-names';
import { when } from '../choice';
import { SEARCH_STATE } from '../contract/state-names';
import * as running from './running-states';
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
    const { metricNamespace } = settings;
    const isAgeWanted = metricNamespace !== undefined;
    const begin = states.findTheLastSearch(
      this,
      settings,
      isAgeWanted ? running.nothingReadYet(settings) : {},
    );
    const list = states.listWhatHasEnded(this, settings);
    const recover = states.recoverThose(this, settings);
    const whatNext = Choice.jsonata(this, SEARCH_STATE.whatNext, {
      comment: 'What was found is recovered before the next page is read',
    });

    begin.next(list);
    list.next(whatNext);
    if (settings.formerArns?.length) {
      list.addCatch(whatNext, { errors: [...states.NOT_THERE], assign: states.LIST_LEFT_OUT, outputs: {} });
    }
    when(whatNext, 'Found on this page', states.HAS_FOUND, recover);
    when(whatNext, 'More to read', states.HAS_MORE_LISTS, list);
    const searched = states.searched(this);
    whatNext.otherwise(isAgeWanted ? this.tellTheAge(metricNamespace, searched) : searched);
    recover.next(whatNext);
    // It was started, and only the answer lost.
    recover.addCatch(whatNext, { errors: [...NAME_TAKEN_SDK], assign: states.NONE_FOUND, outputs: {} });
    this.startState = begin;
  }

  /** Reads what is running, and tells for how long the oldest of it has been. */
  private tellTheAge(metricNamespace: string, searched: State): State {
    const list = running.listWhatIsRunning(this);
    const publish = running.publishTheAge(this, metricNamespace);
    const isAllRead = Choice.jsonata(this, SEARCH_STATE.isAllRead, {
      comment: 'The oldest is on the last page',
    });
    list.next(isAllRead);
    when(isAllRead, 'More to read', running.HAS_MORE_RUNNING, list);
    isAllRead.otherwise(publish);
    publish.next(searched);
    return list;
  }
}
