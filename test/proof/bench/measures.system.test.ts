import { buildChildren, type Children } from '../../../proof/bench/child';
import { referenceAssembly } from '../../support/reference-app';

describe('measuring programs', () => {
  let children: Children;

  beforeAll(async () => {
    children = await buildChildren(['pass-through', 'memory-growth', 'http-executions', 'http-endpoint']);
  });
  afterAll(() => children.close());

  test('three tasks: every execution with its whole history', async () => {
    expect(await children.run('pass-through', [20])).toEqual({
      executions: 20,
      seconds: expect.any(Number),
      cpuSeconds: expect.any(Number),
      // Started, five for each state, succeeded.
      events: 20 * 17,
    });
  });

  test('executions that are kept: each thousand with its heap', async () => {
    expect(await children.run('memory-growth', [2000])).toEqual({
      thousands: Array.from({ length: 2 }, () => ({
        seconds: expect.any(Number),
        heapBytes: expect.any(Number),
      })),
    });
  });

  test('executions over HTTP: each is started at an endpoint, and has ended', async () => {
    const server = children.start('http-endpoint', [await referenceAssembly()]);
    const endpoint = await new Promise(resolve => server.stdout?.once('data', resolve));

    const measured = await children.run('http-executions', [String(endpoint).trim(), 20]);
    server.stdin?.end();
    expect(measured).toEqual({ executions: 20, seconds: expect.any(Number) });
    expect(await new Promise(resolve => server.once('exit', resolve))).toBe(0);
  }, 60_000);

  test('one that breaks: rejects with what it said', async () => {
    await expect(children.run('nothing', [])).rejects.toThrow('nothing.js ended with 1');
  });
});
