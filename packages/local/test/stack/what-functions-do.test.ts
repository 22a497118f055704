import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { runs } from '../../../../test/support/scale';
import { type LocalStack, startLocal } from '../../index';
import { hasPython } from '../../services/lambda/python-process';
import { synthesize } from './world';

const MEMORY_MB = 128;
/** What the kernel allows, and what is mapped from files. */
const CEILING_MB = 2 * MEMORY_MB + 1024 + 64;
const RUNS = runs(1, 20);
const BUSY_LOOPS = runs(0, 2);

const OUT_OF_MEMORY = 'Runtime.OutOfMemory';
const EXIT = 'Runtime.ExitError';
const TIMED_OUT = 'Sandbox.Timedout';

/** Linux denies what is more than a machine could have; so does the kernel here, before memory is used. */
const isDenied = process.platform === 'linux';

type Way = readonly [title: string, code: string, errorType: string, message?: RegExp];

/** Fills memory in a process of its own. */
const FILLER = JSON.stringify('const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))');
const FOREVER = 'await new Promise(resolve => setTimeout(resolve, 1e6));';

/** What handlers of Node.js do, and the type of the error that their caller gets. */
const NODE: readonly Way[] = [
  ['one large array', 'return new Array(1e8).fill(0).length;', OUT_OF_MEMORY],
  ['an array that grows', 'const all = []; for (;;) all.push(all.length);', OUT_OF_MEMORY],
  ['a text that doubles', 'for (let text = "x"; ; text += text) Buffer.byteLength(text);', OUT_OF_MEMORY],
  ['a Map that grows', 'const all = new Map(); for (let i = 0; ; i += 1) all.set(i, { i });', OUT_OF_MEMORY],
  ['many small objects', 'const all = []; for (;;) all.push(new Array(1000).fill(1));', OUT_OF_MEMORY],
  ['many buffers', 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1));', OUT_OF_MEMORY],
  ['one large buffer', 'return Buffer.alloc(5e8, 1).length;', OUT_OF_MEMORY],
  ['a buffer of 3 GB', 'return Buffer.alloc(3e9, 1).length;', isDenied ? 'RangeError' : OUT_OF_MEMORY],
  [
    'shared memory',
    'const all = []; for (;;) all.push(new Uint8Array(new SharedArrayBuffer(1e7)).fill(1));',
    OUT_OF_MEMORY,
  ],
  [
    'memory of WebAssembly',
    `const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
     for (let size = 65536; ; size += 2 ** 22) { memory.grow(64); new Uint8Array(memory.buffer, size).fill(1); }`,
    OUT_OF_MEMORY,
  ],
  [
    '300 threads',
    `const { Worker } = require('node:worker_threads');
     for (let i = 0; i < 300; i += 1) new Worker('setInterval(() => {}, 1e6)', { eval: true });
     ${FOREVER}`,
    OUT_OF_MEMORY,
  ],
  [
    'a process that fills memory',
    `require('node:child_process').spawn(process.execPath, ['-e', ${FILLER}]); ${FOREVER}`,
    OUT_OF_MEMORY,
  ],
  [
    'a process of its own session that fills memory',
    `require('node:child_process').spawn(process.execPath, ['-e', ${FILLER}], { detached: true }); ${FOREVER}`,
    OUT_OF_MEMORY,
  ],
  ['abort', 'process.abort();', EXIT, /signal: aborted/],
  ['a crash', `process.kill(process.pid, 'SIGSEGV'); ${FOREVER}`, EXIT, /segmentation fault/],
  ['a signal', `process.kill(process.pid, 'SIGKILL'); ${FOREVER}`, EXIT, /signal: killed/],
  ['exit', 'process.exit(3);', EXIT, /exit status 3/],
  ['endless recursion', 'const call = n => call(n + 1) + 1; return call(0);', 'RangeError'],
  [
    '5,000 servers',
    `const { createServer } = require('node:net');
     for (let i = 0; i < 5000; i += 1) await new Promise((resolve, reject) => {
       createServer().listen(0, '127.0.0.1', resolve).on('error', reject);
     });`,
    'Error',
    /EMFILE/,
  ],
  [
    'a full disk',
    `const fs = require('node:fs');
     const file = require('node:os').tmpdir() + '/onceflow-full-' + process.pid;
     try { for (;;) fs.appendFileSync(file, Buffer.alloc(1e7)); } finally { fs.rmSync(file); }`,
    'Error',
    /EFBIG|ENOSPC/,
  ],
  [
    'many rejections',
    `for (let i = 0; i < 1e4; i += 1) void Promise.reject(new Error('x')); ${FOREVER}`,
    'Runtime.UnhandledPromiseRejection',
  ],
  ['a signal to its parent', 'process.kill(process.ppid);', 'Error', /EPERM/],
  ['a signal to all', `process.kill(-1, 'SIGKILL');`, 'Error', /EPERM/],
  ['an endless loop', 'for (;;);', TIMED_OUT],
  ['a loop that prints', `for (;;) console.log('x'.repeat(1e5));`, TIMED_OUT],
];

/** The same of Python. */
const PYTHON: readonly Way[] = [
  ['a list that grows', 'all = []\n    while True: all.append(len(all))', OUT_OF_MEMORY],
  ['one large text', 'return len(b"x" * 500000000)', OUT_OF_MEMORY],
  ['a text of 3 GB', 'return len(b"x" * 3000000000)', isDenied ? 'MemoryError' : OUT_OF_MEMORY, /^/],
  [
    'a fork that fills memory',
    `import os, time
    if os.fork() == 0:
        all = []
        while True: all.append("x" * 100000)
    time.sleep(1000)`,
    OUT_OF_MEMORY,
  ],
  ['a crash', 'import ctypes\n    ctypes.string_at(0)', EXIT, /segmentation fault/],
  ['an endless loop', 'while True: pass', TIMED_OUT],
];

function define(scope: Stack): void {
  const shared = { memorySize: MEMORY_MB, handler: 'index.handler' };
  const secondsOf = (errorType: string) => Duration.seconds(errorType === TIMED_OUT ? 2 : 60);
  new LambdaFunction(scope, 'Well', {
    ...shared,
    functionName: 'well',
    runtime: Runtime.NODEJS_22_X,
    code: Code.fromInline(`exports.handler = async () => 'well';`),
  });
  new LambdaFunction(scope, 'Elsewhere', {
    ...shared,
    functionName: 'elsewhere',
    runtime: Runtime.NODEJS_22_X,
    code: Code.fromInline(`exports.handler = async () => {
      process.chdir(require('node:os').tmpdir());
      return process.cwd();
    };`),
  });
  for (const [index, [, code, errorType]] of NODE.entries()) {
    new LambdaFunction(scope, `Node${index}`, {
      ...shared,
      functionName: `node-${index}`,
      timeout: secondsOf(errorType),
      runtime: Runtime.NODEJS_22_X,
      code: Code.fromInline(`exports.handler = async event => {
        if (!event.go) return 'well';
        console.log('PID ' + process.pid);
        ${code}
      };`),
    });
  }
  for (const [index, [, code, errorType]] of PYTHON.entries()) {
    new LambdaFunction(scope, `Python${index}`, {
      ...shared,
      functionName: `python-${index}`,
      timeout: secondsOf(errorType),
      runtime: Runtime.PYTHON_3_13,
      code: Code.fromInline(
        `def handler(event, context):
    if not event.get("go"): return "well"
    import os
    print("PID", os.getpid())
    ${code}
`,
      ),
    });
  }
}

let stack: LocalStack;
const lines: string[] = [];
const loops: Worker[] = [];

beforeAll(async () => {
  stack = await startLocal({ assembly: synthesize(define), log: (_name, text) => lines.push(text) });
  for (let i = 0; i < BUSY_LOOPS; i += 1) loops.push(new Worker('for (;;);', { eval: true }));
});

afterAll(async () => {
  for (const loop of loops) await loop.terminate();
  await stack.close();
});

interface Answer {
  readonly errorType?: string;
  readonly errorMessage?: string;
}

async function invoke(name: string, event: object): Promise<Answer | string> {
  const url = `${stack.endpoint}/2015-03-31/functions/${name}/invocations`;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) });
  return (await response.json()) as Answer | string;
}

/** Resident memory in MiB of a process at its highest; and if it has started others, of all now, what they share once. */
function residentMiB(root: number): number {
  const processes = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => ({ pid: Number(name), parent: figure(Number(name), 'status', 'PPid') }));
  const members = new Set([root]);
  for (let before = 0; before < members.size; ) {
    before = members.size;
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid);
  }
  const highest = Math.max(...[...members].map(pid => figure(pid, 'status', 'VmHWM')));
  // The kernel counts shares for so long that a process that is alone would get no memory meanwhile.
  const shares = members.size > 1 ? [...members].map(pid => figure(pid, 'smaps_rollup', 'Pss')) : [];
  return Math.max(
    highest,
    shares.reduce((sum, share) => sum + share, 0),
  );
}

/** A figure of a process in MiB, or as it is if it has no unit; 0 if it has ended. */
function figure(pid: number, file: string, name: string): number {
  const pattern = new RegExp(`^${name}:\\s*(\\d+)( kB)?`, 'm');
  const [, digits, unit] = pattern.exec(textOf(pid, file)) ?? [];
  return Number(digits ?? 0) / (unit ? 1024 : 1);
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** What the function answers, the most memory that its environment had, and whether all others were answered. */
async function observe(
  name: string,
): Promise<{ answer: Answer | string; peak: number; isAnswering: boolean }> {
  lines.length = 0;
  let isOver = false;
  const others: (Answer | string)[] = [];
  let peak = 0;
  const answered = invoke(name, { go: true }).finally(() => {
    isOver = true;
  });
  const asking = (async () => {
    while (!isOver) others.push(await invoke('well', {}));
  })();
  while (!isOver) {
    const pid = Number(/^PID (\d+)$/.exec(lines[0] ?? '')?.[1]);
    if (process.platform === 'linux' && pid > 0) peak = Math.max(peak, residentMiB(pid));
    await delay(2);
  }
  await asking;
  return { answer: await answered, peak, isAnswering: others.every(other => other === 'well') };
}

async function check(name: string, errorType: string, message = /./): Promise<void> {
  for (let run = 0; run < RUNS; run += 1) {
    const peaks: number[] = [];
    do {
      const { answer, peak, isAnswering } = await observe(name);
      peaks.push(peak);

      expect(answer).toMatchObject({ errorType, errorMessage: expect.stringMatching(message) });
      expect(peak).toBeLessThanOrEqual(CEILING_MB);
      expect(isAnswering).toBe(true);
      expect(await invoke(name, {})).toBe('well');
      // The keeper may have to wait for a processor, but not each time.
    } while (Math.min(...peaks) > 2 * MEMORY_MB && peaks.length < 3);

    expect(Math.min(...peaks)).toBeLessThanOrEqual(2 * MEMORY_MB);
  }
}

describe('a function of Node.js ends its environment at most', () => {
  test.each(NODE.map(([title, _code, ...expected], index) => [title, `node-${index}`, ...expected] as const))(
    '%s',
    (_title, ...given) => check(...given),
    RUNS * 60_000,
  );

  test('by another directory: nothing', async () => {
    expect(await invoke('elsewhere', {})).toBe(realpathSync(tmpdir()));
    expect(process.cwd()).not.toBe(realpathSync(tmpdir()));
  });
});

// Without an interpreter the test says so by name, so that it does not count as run.
const describeWithPython = hasPython() ? describe : describe.skip;

describeWithPython('a function of Python ends its environment at most (where there is a python3)', () => {
  test.each(
    PYTHON.map(([title, _code, ...expected], index) => [title, `python-${index}`, ...expected] as const),
  )('%s', (_title, ...given) => check(...given), RUNS * 60_000);
});

/** The process that watches the memory of environments. */
function keeperPid(): number {
  const pids = readdirSync('/proc').map(Number);
  const isKeeper = (pid: number) => textOf(pid, 'cmdline').includes('keeper.js');
  return pids.find(pid => figure(pid, 'status', 'PPid') === process.pid && isKeeper(pid)) ?? Number.NaN;
}

// Without the limit of the kernel, memory would grow until the function times out.
const testOnLinux = process.platform === 'linux' ? test : test.skip;

testOnLinux(
  'the kernel bounds the memory of a process while the keeper gets no processor (on Linux)',
  async () => {
    const name = `node-${NODE.findIndex(([title]) => title === 'many buffers')}`;
    // An environment that starts waits for the keeper.
    expect(await invoke(name, {})).toBe('well');
    process.kill(keeperPid(), 'SIGSTOP');
    try {
      const { answer, peak, isAnswering } = await observe(name);

      expect(answer).toHaveProperty('errorType', expect.not.stringMatching(TIMED_OUT));
      expect(peak).toBeGreaterThan(2 * MEMORY_MB);
      expect(peak).toBeLessThanOrEqual(CEILING_MB);
      expect(isAnswering).toBe(true);
    } finally {
      process.kill(keeperPid(), 'SIGCONT');
    }
    expect(await invoke(name, {})).toBe('well');
  },
  60_000,
);
