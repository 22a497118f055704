import { Choice, type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { decide } from '../choice';
import { runningRules, searchRules } from '../contract/search-rules';
import { SEARCH_STATE } from '../contract/state-names';
import { NAME_TAKEN_SDK } from '../tasks/aws-error-names';
import { listWhatIsRunning, nothingReadYet, publishTheAge } from './running-states';
import {
  findTheLastSearch,
  LIST_LEFT_OUT,
  listWhatHasEnded,
  NONE_FOUND,
  NOT_THERE,
  recoverThose,
  type SearchSettings,
  searched,
} from './search-states';

/**
 * The states that find executions which were interrupted without a status change event. They read the lists of
 * executions that have ended since the last search, and hand those that may have been interrupted to recovery.
 */
export class SearchFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, settings: SearchSettings) {
    super(scope, id);
    const { metricNamespace } = settings;
    const isAgeWanted = metricNamespace !== undefined;
    const begin = findTheLastSearch(this, settings, isAgeWanted ? nothingReadYet(settings) : {});
    const list = listWhatHasEnded(this, settings);
    const recover = recoverThose(this, settings);
    const whatNext = Choice.jsonata(this, SEARCH_STATE.whatNext, {
      comment: 'What was found is recovered before the next page is read',
    });

    begin.next(list);
    list.next(whatNext);
    if (settings.formerArns?.length) {
      list.addCatch(whatNext, { errors: [...NOT_THERE], assign: LIST_LEFT_OUT, outputs: {} });
    }
    const end = searched(this);
    const last = isAgeWanted ? this.publishAge(metricNamespace, end) : end;
    decide(whatNext, searchRules(), { recover: () => recover, readOn: () => list, end: () => last });
    recover.next(whatNext);
    // It was started, and only the answer lost.
    recover.addCatch(whatNext, { errors: [...NAME_TAKEN_SDK], assign: NONE_FOUND, outputs: {} });
    this.startState = begin;
  }

  /** Reads what is running, and publishes for how long the oldest of it has been running. */
  private publishAge(metricNamespace: string, end: State): State {
    const list = listWhatIsRunning(this);
    const publish = publishTheAge(this, metricNamespace);
    const isAllRead = Choice.jsonata(this, SEARCH_STATE.isAllRead, {
      comment: 'The oldest is on the last page',
    });
    list.next(isAllRead);
    decide(isAllRead, runningRules(), { readOn: () => list, end: () => publish });
    publish.next(end);
    return list;
  }
}
