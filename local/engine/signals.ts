import type { Json } from '../asl/json';

/**
 * What happens to an execution. A signal for a task or timer that nobody waits for any more changes nothing.
 */
export type Signal =
  | { readonly kind: 'started' }
  | { readonly kind: 'taskSucceeded'; readonly taskId: string; readonly output: Json }
  | {
      readonly kind: 'taskFailed';
      readonly taskId: string;
      readonly error?: string;
      readonly cause?: string;
    }
  | { readonly kind: 'timerDue'; readonly timerId: string }
  | { readonly kind: 'stopped'; readonly error?: string; readonly cause?: string };
