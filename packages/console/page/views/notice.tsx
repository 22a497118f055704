import { Component, type ComponentChildren } from 'preact';
import type { Reading } from '../../views';
import { allKeysOf } from '../address';
import { Link } from '../link';
import type { Live } from '../live';

const TONES = { problem: 'bad', wait: 'run', empty: 'none' } as const;

/** A sentence instead of, or above, what was wanted. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: 'problem' | 'wait' | 'empty';
  readonly children: ComponentChildren;
}) {
  return (
    <p class={`notice ${TONES[kind]}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

/** How far a reading has come. */
export function progressOf({ done, of }: Reading): string {
  return of === null ? `${done}` : `${done} of about ${Math.max(of, done)}`;
}

/** Why a view could not be read, also if an older one is shown below; or, before the first time, what is read. */
export function Unread(props: { readonly of: Live<unknown>; readonly children: ComponentChildren }) {
  const { view, problem } = props.of;
  if (problem === undefined) return view === undefined ? <Notice kind="wait">{props.children}</Notice> : null;
  return (
    <Notice kind="problem">
      {problem}
      {view !== undefined && <strong> What follows was read before that, and may no longer hold.</strong>}
    </Notice>
  );
}

/** Shows a sentence and the way back in place of a view that fails: everything else of the page goes on. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { failure?: string }> {
  static override getDerivedStateFromError(error: unknown): { failure: string } {
    return { failure: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return <>{this.props.children}</>;
    return (
      <Notice kind="problem">
        This view failed because of an error in the page: {failure}. Reload the page, or go back to{' '}
        <Link to={allKeysOf()}>the workflows</Link>.
      </Notice>
    );
  }
}
