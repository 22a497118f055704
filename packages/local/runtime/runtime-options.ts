import type { Interceptor, MockedActivity, ServiceTable } from './calls/service';
import type { Activities } from './catalogue/activities';
import type { Environment } from './catalogue/environment';
import type { MachineRegistry } from './catalogue/machine-registry';
import type { Evaluator } from './evaluation/evaluator';
import type { Recorder } from './executor/ports';
import type { Ids } from './ids';
import type { StartRequest } from './requests/start-request';
import type { Store } from './store/store';
import type { Clock } from './time/clock';
import type { WorkTracker } from './time/work-tracker';

export interface RuntimeOptions {
  readonly clock: Clock;
  readonly services: ServiceTable;
  /** @default - ids that differ in every run */
  readonly ids?: Ids;
  /** Evaluates what takes long. @default - threads that the runtimes of this process share, and that end when idle */
  readonly evaluator?: Evaluator;
  /** @default - memory */
  readonly store?: Store;
  /** What a request to start an execution means. @throws StatesError @default - what it says */
  readonly begin?: (request: StartRequest) => StartRequest;
  /** @default - calls go straight to the services */
  readonly interceptor?: Interceptor;
  /** Shared with services that let clock time pass within calls. @default - the runtime's own */
  readonly work?: WorkTracker;
  /** Of machines that are registered by name. @default - aws, us-east-1, 000000000000 */
  readonly environment?: Partial<Environment>;
  /**
   * Executions that may run at the same time, Express ones included; a start beyond it is rejected with
   * `ExecutionLimitExceeded`. The service has a quota of 1,000,000. @default 10,000
   */
  readonly maxRunningExecutions?: number;
  /** The state machines, where others change them too. @default - none, in `environment` */
  readonly machines?: MachineRegistry;
  /** The activities, where others change them too. @default - none */
  readonly activities?: Activities;
  /** @default - workers have all tasks of activities */
  readonly mockedActivity?: MockedActivity;
  /** Gets the events of all executions, Express ones included, as they are saved. @default - no listener */
  readonly recorded?: Recorder;
  /** Called with what is broken in the engine or in a service. @default - a process warning */
  readonly report?: (problem: Error) => void;
}
