import type { KeyHealth } from '../../views';

/** How a state looks everywhere: its shape says the same as its color. */
interface Appearance {
  readonly shape: 'disc' | 'ring' | 'diamond' | 'triangle' | 'octagon' | 'bar';
  readonly tone: 'good' | 'run' | 'warn' | 'bad' | 'none';
}

const GOOD: Appearance = { shape: 'disc', tone: 'good' };
const RUNNING: Appearance = { shape: 'ring', tone: 'run' };
const FAILED: Appearance = { shape: 'triangle', tone: 'bad' };
const STOPPED: Appearance = { shape: 'octagon', tone: 'bad' };
const LATE: Appearance = { shape: 'diamond', tone: 'bad' };
const UNKNOWN: Appearance = { shape: 'bar', tone: 'none' };

/** Of executions, states of a definition and records; the sign is for a graph, which has no room for words. */
const LOOKS: Readonly<Record<string, Appearance & { readonly sign: string }>> = {
  SUCCEEDED: { ...GOOD, sign: '✓' },
  succeeded: { ...GOOD, sign: '✓' },
  RUNNING: { ...RUNNING, sign: '▶' },
  running: { ...RUNNING, sign: '▶' },
  PENDING_REDRIVE: { ...RUNNING, sign: '↻' },
  FAILED: { ...FAILED, sign: '✕' },
  failed: { ...FAILED, sign: '✕' },
  caught: { shape: 'bar', tone: 'warn', sign: '↷' },
  ABORTED: { ...STOPPED, sign: '■' },
  aborted: { ...STOPPED, sign: '■' },
  TIMED_OUT: { ...LATE, sign: '⏱' },
  timedOut: { ...LATE, sign: '⏱' },
  COMPLETED: { ...GOOD, sign: '✓' },
  IN_PROGRESS: { ...RUNNING, sign: '▶' },
  HELD: { ...STOPPED, sign: '■' },
  RELEASED: { ...RUNNING, sign: '↻' },
};

/** How the status of an execution, a state or a record looks. */
export function appearanceOf(status: string): Appearance & { readonly sign: string } {
  return LOOKS[status] ?? { ...UNKNOWN, sign: '' };
}

/** The status of an execution or of a state. */
export function Status({ of }: { readonly of: string }) {
  return <span class={badgeOf(appearanceOf(of))}>{of}</span>;
}

/** How a key stands, in words. */
export const KEY_HEALTHS: Readonly<Record<KeyHealth, Appearance & { readonly words: string }>> = {
  held: { ...STOPPED, words: 'held' },
  overdue: { shape: 'diamond', tone: 'warn', words: 'overdue' },
  failed: { ...FAILED, words: 'failed' },
  rejected: { ...UNKNOWN, words: 'rejected' },
  released: { ...RUNNING, words: 'released' },
  inProgress: { ...RUNNING, words: 'in progress' },
  unknown: { ...UNKNOWN, words: 'unknown' },
  completed: { ...GOOD, words: 'completed' },
  expired: { ...UNKNOWN, words: 'expired' },
};

/** How a key stands. */
export function Health({ of, isLarge = false }: { readonly of: KeyHealth; readonly isLarge?: boolean }) {
  return <span class={`${badgeOf(KEY_HEALTHS[of])}${isLarge ? ' large' : ''}`}>{KEY_HEALTHS[of].words}</span>;
}

/** The class of what shows a state. */
export function badgeOf({ shape, tone }: Appearance): string {
  return `badge ${tone} ${shape}`;
}
