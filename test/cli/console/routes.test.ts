import { routeFor } from '../../../cli/console/routes';

describe('addresses of views', () => {
  test.each([
    '/place',
    '/workflows/orders/keys',
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
    '/workflows/orders/keys/a/b',
    '/executions',
    '/place/x',
    '/workflows/%E0/keys',
    '/toString',
  ])('%s: none', address => {
    expect(routeFor(address)).toBeUndefined();
  });
});
