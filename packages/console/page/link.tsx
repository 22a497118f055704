import type { ComponentChildren } from 'preact';
import { addressOf, type Route } from './address';
import { go } from './router';

/** A link to another view: a plain one to the browser, so that it opens in a tab of its own, too. */
export function Link(props: {
  readonly to: Route;
  readonly children: ComponentChildren;
  readonly current?: boolean;
  readonly class?: string;
  readonly title?: string;
}) {
  const { to, children, current = false, title } = props;
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      href={addressOf(to)}
      onClick={follow}
      class={props.class}
      title={title}
      {...(current && { 'aria-current': 'page' as const })}
    >
      {children}
    </a>
  );
}
