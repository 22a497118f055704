import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RUN_TYPESCRIPT } from '../support/run-typescript';
import { onceflow } from './run-program';
import { BILL, ENDLESS_KEY, serveWorkflow, type WorkflowEndpoint } from './workflow-endpoint';

const ROOT = path.join(__dirname, '../..');

describe('start, where the evaluation of the key has no end', () => {
  let served: WorkflowEndpoint;
  let args: string[];
  beforeAll(async () => {
    served = await serveWorkflow(ENDLESS_KEY);
    args = ['start', 'order-1', '--state-machine', BILL, '--endpoint', served.url, '--input', '-'];
  });
  afterAll(() => served.close());

  test('rejected after some seconds, and nothing is started', async () => {
    const { code, stderr } = await onceflow(args, {}, '{"id":1}');

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^onceflow: nothing was started, because onceflow cannot compute the key of --input for Bill: the evaluation takes too much/,
      ),
    });
  });

  test('Ctrl-C: interrupted at once', async () => {
    const child = spawn(process.execPath, [...RUN_TYPESCRIPT, 'cli/main.ts', ...args], { cwd: ROOT });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    child.stdin.end('{"id":1}');
    await delay(3000);
    const sentAt = performance.now();
    child.kill('SIGINT');

    expect(await ended).toBe(130);
    expect(performance.now() - sentAt).toBeLessThan(1500);
  });
});
