import type { ExecutionView } from '@onceflow/console';
import { routeFor, untilNext, type ViewRoute } from '../../../../cli/console/server/routes';

describe('addresses of views', () => {
  test.each([
    '/connection',
    '/workflows/orders/keys',
    '/workflows/orders/cost',
    '/cost?since=1h',
    '/workflows/orders/keys/order-7',
    '/workflows/orders/keys/a%2Fb%25',
    '/executions/arn%3Aaws%3Astates%3Aus-east-1%3A111111111111%3Aexecution%3Aorders%3Ax',
  ])('%s: a view, read less often on AWS', address => {
    const route = routeFor(address);

    expect(route?.every.aws).toBeGreaterThan(route?.every.local ?? 0);
  });

  test.each([
    '',
    'place',
    '/',
    '/workflows',
    '/workflows//keys',
    '/workflows/orders/keys/',
    '/workflows/orders/cost/x',
    '/cost/x',
    '/workflows/orders/keys/a/b',
    '/executions',
    '/connection/x',
    '/workflows/%E0/keys',
    '/toString',
  ])('%s: none', address => {
    expect(routeFor(address)).toBeUndefined();
  });
});

describe('when a view is read again', () => {
  const route = routeFor('/executions/x') as ViewRoute;
  const running = { events: [], stop: null } as unknown as ExecutionView;

  test('on AWS: less often, and less again when it has come to its end', () => {
    const next = (view: ExecutionView, isLocal: boolean) => untilNext(route, view, { isLocal, tookMs: 1 });

    expect(next(running, false)).toBeGreaterThan(next(running, true));
    expect(next({ ...running, stop: 1 }, false)).toBe(10 * next(running, false));
    expect(next({ ...running, stop: 1 }, true)).toBe(next(running, true));
  });

  test('it takes long to read: a tenth of the time at most', () => {
    expect(untilNext(route, running, { isLocal: true, tookMs: 4_000 })).toBe(36_000);
  });

  test('it could not be read: tried again as usual', () => {
    expect(untilNext(route, { error: 'denied' }, { isLocal: true, tookMs: 0 })).toBe(route.every.local);
  });
});
