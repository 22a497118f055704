import { signal } from '@preact/signals';
import { addressOf, NO_FILTER, type Route, routeOf } from './address';

/** Where the page is. */
export const route = signal<Route>({ view: 'keys', filter: NO_FILTER });

/** Follows the browser's location from now on. */
export function followLocation(): void {
  const read = () => {
    route.value = routeOf(location);
  };
  addEventListener('popstate', read);
  read();
}

/** Goes to a view; `isSame` where the address changes and the view does not, so that Back leaves it. */
export function go(to: Route, { isSame = false } = {}): void {
  const address = addressOf(to);
  if (isSame) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  route.value = to;
  if (!isSame) scrollTo(0, 0);
}
