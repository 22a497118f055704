import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { inTurns, type OnRun, type Result } from './benches';
import type { Children } from './child';
import type { HttpMeasure } from './measures/http-executions';
import { type Figure, median, rounded } from './report';

/** Executions of one run. */
const EXECUTIONS = 200;

/** How long an emulator may take until it answers, in milliseconds. */
const READY_MS_MAX = 30_000;

/** An endpoint that is measured, in a process of its own. */
interface Server {
  readonly what: string;
  readonly endpoint: string;
  close(): void;
}

/**
 * (http) Executions over HTTP: at the local stack's endpoint, and at that of ministack, an emulator in Python, where it
 * is installed.
 */
export async function httpExecutions(children: Children, assembly: string, onRun: OnRun): Promise<Result> {
  const own = await ownServer(children, assembly);
  const other = await ministack();
  const servers = typeof other === 'string' ? [own] : [own, other];
  try {
    const programs = servers.map(({ what, endpoint }) => ({
      what,
      name: 'http-executions',
      args: [endpoint, EXECUTIONS],
    }));
    const runs = await inTurns<HttpMeasure>(children, programs, onRun);
    const seconds = runs.map(measures => median(measures.map(measure => measure.seconds)));
    const figures = servers.map(
      ({ what }, index): Figure => ({
        bench: 'http',
        what: `${EXECUTIONS} executions over HTTP, ${what}`,
        value: rounded((seconds[index] ?? 0) * 1000),
        unit: 'ms',
      }),
    );
    const [ours = 1, theirs] = seconds;
    const what = '(http) executions per second over HTTP, to ministack';
    const ratios = theirs === undefined ? [] : [{ what, ratio: rounded(theirs / ours) }];
    return { rows: [], ratios, figures, notMeasured: typeof other === 'string' ? [other] : [] };
  } finally {
    for (const server of servers) server.close();
  }
}

async function ownServer(children: Children, assembly: string): Promise<Server> {
  const child = children.start('http-endpoint', [assembly]);
  const endpoint = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', chunk => resolve(String(chunk).trim()));
    child.once('exit', code => reject(new Error(`http-endpoint.js ended with ${code}`)));
  });
  return { what: 'the local stack', endpoint, close: () => child.stdin?.end() };
}

/** The emulator when it answers, or why it does not. */
async function ministack(): Promise<Server | string> {
  const port = await freePort();
  const program = process.env['MINISTACK'] ?? 'ministack';
  const child = spawn(program, { env: { ...process.env, GATEWAY_PORT: String(port) }, stdio: 'ignore' });
  const failed = new Promise<string>(resolve => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', code => resolve(`it ended with ${code}`));
  });
  const endpoint = `http://127.0.0.1:${port}/`;
  const problem = await Promise.race([failed, answering(endpoint, child)]);
  if (problem === undefined) return { what: 'ministack', endpoint, close: () => child.kill() };
  child.kill();
  return `ministack: ${problem} (pip install ministack, and MINISTACK says where its program is)`;
}

/** Resolves when something answers at the endpoint. */
async function answering(endpoint: string, child: ChildProcess): Promise<string | undefined> {
  const deadline = performance.now() + READY_MS_MAX;
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(endpoint).catch(() => undefined);
    if (answer) return undefined;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  return 'it did not answer';
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
