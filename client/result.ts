/**
 * What a call of `startOnce` finds out about its key. `executionArn` is the execution that ran the step; where that is
 * not known yet, the last one that was polled: this call's own, or the one that owns the key.
 *
 * | outcome | meaning |
 * |---|---|
 * | `started` | an execution is running; with `result`, the one that ran the step has succeeded |
 * | `duplicate` | the step had been run before, with this result |
 * | `inProgress` | it has not ended yet: not within `waitUpTo`, or, for Express, another execution owns the key |
 * | `failed` | the execution ended with this error before its record was finished; call again when it can succeed |
 *
 * Callers that join an execution that is at work all get `started`: its start answers each of them alike.
 *
 * @example
 * const answer: StartOnceResult = await startOnce(client, options);
 * if (answer.outcome === 'duplicate') return answer.result;
 */
export type StartOnceResult =
  | { readonly outcome: 'started'; readonly executionArn: string; readonly result?: unknown }
  | { readonly outcome: 'duplicate'; readonly executionArn: string; readonly result: unknown }
  | { readonly outcome: 'inProgress'; readonly executionArn: string }
  | {
      readonly outcome: 'failed';
      readonly executionArn: string;
      /** The step's own error, one of the workflow's, or the execution's status where it ended without one. */
      readonly error: string;
      /** What the error says; empty where it says nothing. */
      readonly cause: string;
    };
