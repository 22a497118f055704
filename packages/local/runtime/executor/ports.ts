import type { Execution, HistoryEvent } from '../../engine/index';
import type { Answering } from '../calls/answer';
import type { MockedActivity } from '../calls/service';
import type { Activities } from '../catalogue/activities';
import type { RegisteredMachine } from '../catalogue/registered-machine';
import type { Evaluator } from '../evaluation/evaluator';
import type { Ids } from '../ids';
import type { MapRuns } from '../map-runs/map-run-operations';
import type { Store } from '../store/store';
import type { Clock } from '../time/clock';
import type { WorkTracker } from '../time/work-tracker';
import type { ActivityTasks } from './activity-tasks';

export interface Ports extends Answering {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly evaluator: Evaluator;
  readonly store: Store;
  readonly work: WorkTracker;
  /** The activities there are, and what becomes of their tasks. */
  readonly activities: Activities;
  readonly activityTasks: ActivityTasks;
  readonly mockedActivity?: MockedActivity;
  readonly mapRuns: MapRuns;
  /** Called with the events of each transition, after they have been saved. */
  readonly recorded?: Recorder;
  /** Called with each execution that goes on by a redrive, after that has been saved. */
  readonly redriven?: (executionArn: string) => void;
  /** Called with each execution that has ended, after that has been saved. */
  readonly ended: (executionArn: string) => void;
}

/** The progress of an execution of any kind: its newest events, and the execution as it is now. */
export interface Recorded {
  readonly machine: RegisteredMachine;
  readonly execution: Execution;
  readonly events: readonly HistoryEvent[];
}

/** Hears what happens in executions. */
export type Recorder = (recorded: Recorded) => void;
