import type { ComponentChildren } from 'preact';
import type { Reading } from '../../views';

/** A sentence instead of, or above, what was wanted. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: 'problem' | 'wait' | 'empty';
  readonly children: ComponentChildren;
}) {
  return (
    <p class={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

/** How far a reading has come. */
export function progressOf({ done, of }: Reading): string {
  return of === null ? `${done}` : `${done} of about ${Math.max(of, done)}`;
}

/** Why something could not be read; `isOlder` where what was read before is shown below. */
export function NotRead({ problem, isOlder }: { readonly problem: string; readonly isOlder: boolean }) {
  return (
    <Notice kind="problem">
      {problem}
      {isOlder && <strong> What follows was read before that, and may no longer hold.</strong>}
    </Notice>
  );
}
