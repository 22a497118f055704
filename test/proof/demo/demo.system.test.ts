import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { referenceAssembly } from '../../support/reference-app';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

const ROOT = path.join(__dirname, '../../..');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the demo as a user does. */
async function demo(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [...RUN_TYPESCRIPT, 'proof/demo/main.ts', ...args], {
    cwd: ROOT,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', chunk => {
    stdout += String(chunk);
  });
  child.stderr.on('data', chunk => {
    stderr += String(chunk);
  });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { code, stdout, stderr };
}

function order(orderId: unknown, amount = 12.5): string {
  const detail = { orderId, amount, currency: 'EUR', customerId: 'c' };
  return JSON.stringify({ source: 'shop.orders', 'detail-type': 'OrderPlaced', detail });
}

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-demo-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('npm run demo', () => {
  test('a file with duplicates, reused keys, missing keys and broken lines: one JSON object, the right counts', async () => {
    const file = path.join(directory, 'events.jsonl');
    const other = JSON.stringify({ source: 'shop.other', 'detail-type': 'OrderPlaced', detail: {} });
    writeFileSync(
      file,
      [
        order('a'),
        order('a'),
        order(1),
        order('1'),
        order('a', 13),
        order(null),
        '{"broken',
        other,
        order('a'),
      ].join('\n'),
    );

    const { code, stdout, stderr } = await demo('--events', file, '--concurrency', '1', '--json');

    expect(JSON.parse(stdout)).toEqual({
      deliveries: 8,
      keys: 3,
      invalidLines: 2,
      executions: { started: 5, succeeded: 3, failed: 2 },
      businessRuns: 3,
      effects: { provider: 'forgetful', orders: 3, requests: 3, charges: 3, maxPerOrder: 1 },
      duplicates: { byName: 2, byRecord: 0 },
      rejected: { 'Idempotency.InvalidEvent': 1, 'Idempotency.PayloadMismatch': 1 },
      // The last two are the order with another amount and the one without a key.
      transitions: 3 * 3 + 4 + 4,
      dynamodb: { writes: 3 * 2 + 1, reads: 4 },
      seconds: expect.any(Number),
      wallSeconds: expect.any(Number),
      ok: true,
    });
    expect(stderr).toContain(`${file}:7: not valid JSON`);
    expect(stderr).toContain(`${file}:8: no rule of the bus matches`);
    expect(code).toBe(0);
  }, 120_000);

  test('an order that can never be charged, delivered twice at once: given up, not delivered again and again', async () => {
    const file = path.join(directory, 'never.jsonl');
    writeFileSync(file, [order('never', -10), order('never', -10)].join('\n'));

    const { code, stdout } = await demo('--events', file, '--json', '--assembly', await referenceAssembly());

    const report = JSON.parse(stdout) as { deliveries: number; ok: boolean };
    expect(report).toMatchObject({ effects: { orders: 0 }, ok: true });
    expect(report.deliveries).toBeLessThanOrEqual(4);
    expect(code).toBe(0);
  }, 120_000);

  test('stopped executions: still ok, and the table says what was stopped and why the provider was asked again', async () => {
    const file = path.join(directory, 'chaos.jsonl');
    writeFileSync(file, Array.from({ length: 40 }, (_, index) => order(`order-${index}`)).join('\n'));

    const assembly = await referenceAssembly();
    const { code, stdout } = await demo(
      '--events',
      file,
      '--chaos',
      '--seed',
      '5',
      '--concurrency',
      '1',
      '--assembly',
      assembly,
    );

    expect(stdout).toMatch(
      /\n {2}chaos {2,}\d+ executions stopped, \d+ redriven, 0 taken over\n {2}step cut off {2,}\d+ times? between/,
    );
    expect(stdout).toMatch(
      /\n {2}effects {2,}40 orders, 40 charges, at most 1 per order; \d+ more requests?, where the step was cut off\n/,
    );
    expect(stdout).toMatch(/\n\nok: .* has exactly one charge\n$/);
    expect(code).toBe(0);
  }, 120_000);

  test('a page to watch: its address first, the report when the run is over, and the exit code by Ctrl-C', async () => {
    const file = path.join(directory, 'watched.jsonl');
    writeFileSync(file, [order('seen'), order('seen')].join('\n'));
    const args = ['--console', '--events', file, '--assembly', await referenceAssembly()];
    const child = spawn(process.execPath, [...RUN_TYPESCRIPT, 'proof/demo/main.ts', ...args], {
      cwd: ROOT,
    });
    let stdout = '';
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    await new Promise<void>(resolve => {
      child.stdout.on('data', chunk => {
        stdout += String(chunk);
        if (stdout.includes('The page stays until Ctrl-C.')) resolve();
      });
      child.on('close', () => resolve());
    });
    const [, url] = /^The page is at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(stdout) ?? [];
    const place = await (await fetch(`${url}/api/connection`)).json();
    child.kill('SIGINT');

    expect(place).toMatchObject({ workflows: [{ scope: 'ChargePayment' }] });
    expect(stdout).toContain('1 orders, 1 charges');
    expect(await ended).toBe(0);
  }, 240_000);

  test('a page in a file: written there, and stdout as without it', async () => {
    const events = path.join(directory, 'kept.jsonl');
    const html = path.join(directory, 'kept.html');
    writeFileSync(events, order('kept'));

    const { code, stdout } = await demo(
      ...['--events', events, '--html', html, '--json', '--assembly', await referenceAssembly()],
    );

    expect(JSON.parse(stdout)).toMatchObject({ executions: { started: 1 }, ok: true });
    expect(readFileSync(html, 'utf8')).toContain('<code>kept</code>');
    expect(code).toBe(0);
  }, 120_000);

  test.each([
    ['nowhere/run.html', /^demo: --html: the directory .*nowhere does not exist\n/],
    ['proof', /^demo: --html: proof is a directory; name a file in it\n/],
  ])(
    'a page in %s: rejected before anything is run',
    async (file, message) => {
      expect(await demo('--html', file)).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(message),
      });
    },
    30_000,
  );

  test('no such file: exit code 2 and a sentence, nothing on stdout', async () => {
    expect(await demo('--events', 'nowhere.jsonl')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^demo: nowhere\.jsonl cannot be read: ENOENT.*\nSee npm run demo -- --help\n$/,
      ),
    });
  }, 30_000);
});
