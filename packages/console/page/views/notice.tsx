import type { ComponentChildren } from 'preact';

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
