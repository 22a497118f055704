import { RecentActivity } from '../../../cli/dev/recent-activity';

describe('what functions and rules did lately', () => {
  const ATTEMPT = {
    ruleArn: 'arn:aws:events:us-east-1:1:rule/bus/orders',
    targetArn: 'arn:aws:states:us-east-1:1:stateMachine:dispatcher',
    input: '{}',
    retryCount: 1,
  };

  test('an attempt that is taken, and one that is not: both told, newest first, and passed on as they are', async () => {
    const recent = new RecentActivity(() => 7);
    const rejected = new Error('gone');

    expect(await recent.deliveryInterceptor(ATTEMPT, async () => 'answer')).toBe('answer');
    await expect(recent.deliveryInterceptor(ATTEMPT, () => Promise.reject(rejected))).rejects.toBe(rejected);

    const of = { at: 7, rule: 'orders', target: 'dispatcher', input: '{}', retryCount: 1 };
    expect(recent.deliveries).toEqual([
      { ...of, error: 'gone' },
      { ...of, error: null },
    ]);
  });

  test('more than it keeps: the oldest are forgotten, and a long line is cut', () => {
    const recent = new RecentActivity(() => 0);
    for (let index = 0; index < 300; index += 1) {
      recent.addLine('f', `line ${index}`);
      const requestId = String(index);
      recent.addInvocation({ functionName: 'f', requestId, begunAt: 1, endedAt: 3, error: undefined });
    }
    recent.addLine('f', 'x'.repeat(10_000));

    const { invocations, lines } = recent.of('f');
    expect([invocations.length, lines.length]).toEqual([50, 200]);
    expect(invocations[0]).toEqual({ requestId: '299', at: 1, tookMs: 2, error: null });
    expect(lines.at(-2)).toBe('line 299');
    expect(lines.at(-1)).toHaveLength(402);
    expect(recent.of('another')).toEqual({ invoked: 0, invocations: [], lines: [] });
  });
});
