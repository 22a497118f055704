import type { KeyHealth } from '../../views';

/** Each status has a colour and a sign: nobody has to tell colours apart. */
const SIGNS: Readonly<Record<string, readonly [sign: string, tone: string]>> = {
  SUCCEEDED: ['✓', 'good'],
  succeeded: ['✓', 'good'],
  RUNNING: ['▶', 'busy'],
  running: ['▶', 'busy'],
  PENDING_REDRIVE: ['↻', 'busy'],
  FAILED: ['✕', 'bad'],
  failed: ['✕', 'bad'],
  caught: ['↷', 'caught'],
  ABORTED: ['■', 'bad'],
  aborted: ['■', 'bad'],
  TIMED_OUT: ['⏱', 'bad'],
  timedOut: ['⏱', 'bad'],
};

/** The status of an execution or of a state. */
export function Status({ of }: { readonly of: string }) {
  const [sign, tone] = SIGNS[of] ?? ['?', 'none'];
  return (
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{sign}</span> {of}
    </span>
  );
}

export function signOf(status: string): { readonly sign: string; readonly tone: string } {
  const [sign, tone] = SIGNS[status] ?? ['', 'none'];
  return { sign, tone };
}

/** How a key stands, in words. */
export const KEY_HEALTHS: Readonly<Record<KeyHealth, readonly [sign: string, tone: string, words: string]>> =
  {
    held: ['!', 'bad', 'held for review'],
    overdue: ['!', 'bad', 'overdue'],
    failed: ['✕', 'bad', 'failed'],
    rejected: ['⊘', 'caught', 'rejected'],
    released: ['↻', 'busy', 'released'],
    inProgress: ['▶', 'busy', 'in progress'],
    unknown: ['?', 'none', 'unknown'],
    completed: ['✓', 'good', 'completed'],
    expired: ['–', 'none', 'expired'],
  };
