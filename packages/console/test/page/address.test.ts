import { addressOf, labelOf, routeOf } from '../../page/address';

describe('the address of a key', () => {
  test.each([
    'order-1',
    '..',
    '.',
    'a/b',
    'a%2Fb',
    '?',
    '#',
    'keys',
    ' ',
    '%',
    '<b>"\'',
    '😀',
    '__proto__',
    '...',
  ])('%s: leads back to it through a browser', key => {
    const route = { view: 'key', workflow: 'orders', key } as const;

    expect(routeOf(new URL(addressOf(route), 'http://127.0.0.1'))).toEqual(route);
  });

  test('half of a surrogate pair: has an address', () => {
    expect(addressOf({ view: 'key', workflow: 'orders', key: 'a\ud800' })).toBe(
      '/workflows/orders/keys/a%EF%BF%BD',
    );
  });
});

describe('the address of an execution', () => {
  const executionArn = 'arn:aws:states:us-east-1:111111111111:execution:orders:one';
  const at = (search: string) => routeOf({ pathname: `/executions/${executionArn}`, search });

  test('with a moment: leads back to it', () => {
    const route = { view: 'execution', executionArn, at: 1_700_000_000_123 } as const;

    expect(routeOf(new URL(addressOf(route), 'http://127.0.0.1'))).toEqual(route);
  });

  test.each(['', '?at=', '?at=x', '?at=-1', '?at=1e9'])('%s: without one', search => {
    expect(at(search)).toEqual({ view: 'execution', executionArn });
  });
});

describe('a workflow', () => {
  const workflowOf = (name: string, scope: string) =>
    ({ name, scope, stateMachineArn: '', type: 'STANDARD', table: 'records' }) as const;

  test('without more: its keys', () => {
    expect(routeOf({ pathname: '/workflows/orders', search: '' })).toMatchObject({
      view: 'keys',
      workflow: 'orders',
    });
  });

  test('has its scope as its name, if no other has the same', () => {
    const workflows = [
      workflowOf('Stack-Orders1', 'Orders'),
      workflowOf('a', 'Same'),
      workflowOf('b', 'Same'),
    ];

    expect(['Stack-Orders1', 'a', 'b', 'c'].map(name => labelOf(name, workflows))).toEqual([
      'Orders',
      'a',
      'b',
      'c',
    ]);
  });
});
