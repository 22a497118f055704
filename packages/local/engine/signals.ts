import type { Json } from '../json/json';
import type { MapRun, MapRunCounts } from './execution';

/** The limits of a Map Run that can be changed while it runs. */
export type MapRunLimits = Partial<
  Pick<MapRun, 'maxConcurrency' | 'toleratedFailureCount' | 'toleratedFailurePercentage'>
>;

/** The execution begins. */
export interface Started {
  readonly kind: 'started';
  readonly versionArn?: string;
  readonly aliasArn?: string;
}

/** Resumes an execution that failed, timed out or was stopped. The redrive was accepted `at`, by default now. */
export interface Redriven {
  readonly kind: 'redriven';
  readonly at?: number;
  readonly clientToken?: string;
}

/**
 * What happens to an execution. A signal for a task or timer that is not waited for any more changes nothing.
 */
export type Signal =
  | Started
  /** Other executions have gone on meanwhile: the pause is over. */
  | { readonly kind: 'pauseEnded'; readonly pauseId: string }
  /** The call was accepted, and its result comes later. */
  | { readonly kind: 'taskSubmitted'; readonly taskId: string; readonly output: Json }
  | {
      readonly kind: 'taskSucceeded';
      readonly taskId: string;
      readonly output: Json;
      /** The JSON text of `output`, if it came as text. */
      readonly text?: string;
    }
  | {
      readonly kind: 'taskFailed';
      readonly taskId: string;
      readonly error?: string;
      readonly cause?: string;
    }
  /** The items of a Map Run, as they were read. */
  | { readonly kind: 'itemsRead'; readonly taskId: string; readonly items: readonly Json[] }
  /** UpdateMapRun: what is absent stays. */
  | ({ readonly kind: 'mapRunUpdated'; readonly taskId: string } & MapRunLimits)
  /** All executions of a Map Run have ended, or no more are waited for. `output` is JSON text. */
  | {
      readonly kind: 'mapRunEnded';
      readonly taskId: string;
      readonly outcome:
        | { readonly kind: 'succeeded'; readonly output: string }
        | { readonly kind: 'failed'; readonly error: string; readonly cause: string };
      readonly executions: MapRunCounts;
      readonly items: MapRunCounts;
    }
  /** A worker has the task of an activity. */
  | { readonly kind: 'activityStarted'; readonly taskId: string; readonly workerName?: string }
  /** A heartbeat, sent with the task's token. */
  | { readonly kind: 'taskHeartbeat'; readonly taskId: string }
  | { readonly kind: 'timerDue'; readonly timerId: string }
  | {
      readonly kind: 'stopped';
      readonly error?: string;
      readonly cause?: string;
      /** A start or redrive that the history does not contain yet. It is recorded first; no state is entered. */
      readonly begun?: Started | Redriven;
    }
  | Redriven;
