import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildChildren, type Children } from '../../../proof/bench/child';
import { referenceAssembly } from '../../support/reference-app';

describe('measuring programs', () => {
  let children: Children;
  const folder = mkdtempSync(path.join(tmpdir(), 'onceflow-measures-'));

  beforeAll(async () => {
    const names = ['pass-through', 'memory-growth', 'kept-executions', 'restart', 'start-latency'];
    children = await buildChildren([...names, 'queue-messages', 'http-executions', 'http-endpoint']);
  });
  afterAll(async () => {
    await children.close();
    rmSync(folder, { recursive: true, force: true });
  });

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

  test('with a state directory: executions are kept, a start reads them, and requests are answered', async () => {
    const assembly = await referenceAssembly();
    const kept = path.join(folder, 'kept');

    expect(await children.run('kept-executions', [20, assembly, kept])).toMatchObject({ executions: 20 });
    expect(await children.run('restart', [assembly, kept])).toEqual({
      seconds: expect.any(Number),
      cpuSeconds: expect.any(Number),
      bytes: expect.any(Number),
    });
    const latency = await children.run('start-latency', [assembly, path.join(folder, 'starts'), 10, 1]);
    expect(latency).toMatchObject({ executions: 10, p50: expect.any(Number), p99: expect.any(Number) });
    expect(await children.run('queue-messages', [assembly, folder, 40])).toMatchObject({ messages: 40 });
  }, 60_000);

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
