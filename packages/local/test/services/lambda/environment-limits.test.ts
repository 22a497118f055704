import { closeAll, errorPayload, runCode } from './fixture';

afterEach(closeAll);

/** Handlers that end or stop their environment, and the payload of the answer. */
const ENDS: readonly [title: string, code: string, errorType: string, errorMessage: string][] = [
  [
    'waiting longer than the timeout',
    'setTimeout(() => {}, 60000)',
    'Sandbox.Timedout',
    'RequestId: r-1 Error: Task timed out after 1.00 seconds',
  ],
  [
    'endless loop',
    'for (;;);',
    'Sandbox.Timedout',
    'RequestId: r-1 Error: Task timed out after 1.00 seconds',
  ],
  [
    'process.exit(1)',
    'process.exit(1)',
    'Runtime.ExitError',
    'RequestId: r-1 Error: Runtime exited with error: exit status 1',
  ],
  [
    'process.exit(0)',
    'process.exit(0)',
    'Runtime.ExitError',
    'RequestId: r-1 Error: Runtime exited without providing a reason',
  ],
  [
    'a signal to its own process',
    'process.kill(process.pid)',
    'Runtime.ExitError',
    'RequestId: r-1 Error: Runtime exited with error: signal: terminated',
  ],
  [
    'a full heap',
    'const all = []; for (;;) all.push(new Array(1000).fill(1))',
    'Runtime.OutOfMemory',
    'RequestId: r-1 Error: Runtime exited with error: signal: killed',
  ],
  ['uncaught exception', 'setTimeout(() => { throw new RangeError("u") }, 5)', 'RangeError', 'u'],
  ['uncaught null', 'setTimeout(() => { throw null }, 5)', 'handled', expect.stringMatching(/problem/)],
  ['unhandled rejection', 'Promise.reject(new Error("u"))', 'Runtime.UnhandledPromiseRejection', 'Error: u'],
  [
    'unhandled rejection with what has no text',
    'Promise.reject(Object.create(null))',
    'Runtime.UnhandledPromiseRejection',
    'a value that cannot be converted to a string',
  ],
];

describe('an invocation that ends its environment', () => {
  test.each(ENDS)(
    '%s: reported, and the next environment is cold',
    async (_title, statement, errorType, errorMessage) => {
      const { call } = runCode(
        `let count = 0;
       exports.handler = event => {
         count += 1;
         if (event.first) { ${statement}; return new Promise(resolve => setTimeout(resolve, 60000)); }
         return Promise.resolve(count);
       };`,
        // If a test is not about the timeout, the timeout is far away, also on a busy machine.
        { timeoutSeconds: errorType === 'Sandbox.Timedout' ? 1 : 20 },
      );

      expect(errorPayload(await call({ first: true }, 'r-1'))).toMatchObject({ errorType, errorMessage });
      expect(await call()).toEqual({ kind: 'succeeded', payload: 1 });
    },
    30_000,
  );

  test('nothing left to wait for in an async handler: the promise will never settle', async () => {
    const outcome = await runCode('exports.handler = async () => new Promise(() => {})').call();

    expect(outcome).toMatchObject({ errorType: 'Runtime.NodeJsExit' });
  });
});

describe('work left over from an answered invocation', () => {
  test.each([
    ['exception', `setTimeout(() => { throw new Error('stale') }, 10)`],
    ['rejection', `setTimeout(() => { Promise.reject(new Error('stale')) }, 10)`],
  ])(
    '%s while the next event runs: that one is not failed, the environment goes afterwards',
    async (_title, left) => {
      const { call, lines } = runCode(`
      let count = 0;
      exports.handler = async event => {
        count += 1;
        if (event.first) { ${left}; return 'first'; }
        if (event.second) await new Promise(resolve => setTimeout(resolve, 100));
        return count;
      };`);

      expect(await call({ first: true })).toEqual({ kind: 'succeeded', payload: 'first' });
      expect(await call({ second: true })).toEqual({ kind: 'succeeded', payload: 2 });
      expect(lines.some(({ text }) => text.includes('stale'))).toBe(true);
      expect(await call()).toEqual({ kind: 'succeeded', payload: 1 });
    },
  );

  const leavingBehind = (left: string) => `
    let count = 0;
    exports.handler = async event => {
      count += 1;
      if (event.first) setImmediate(() => { console.log('left over'); ${left} });
      return count;
    };`;

  test('exit before the next event is taken: that one runs in a cold environment', async () => {
    const busy = 'for (const end = Date.now() + 100; Date.now() < end;)';
    const { call, lines } = runCode(leavingBehind(`${busy}; process.exit(4)`));
    await call({ first: true });
    while (!lines.some(({ text }) => text === 'left over')) await new Promise(setImmediate);

    expect(await call()).toEqual({ kind: 'succeeded', payload: 1 });
  });

  test.each([
    ['exception', `throw new Error('stale')`],
    ['endless rejections', `setInterval(() => { Promise.reject(new Error('stale')) }, 0)`],
  ])('%s between events: no event fails, the environment takes one more at most', async (_title, left) => {
    const { call, lines } = runCode(leavingBehind(left));
    await call({ first: true });
    while (!lines.some(({ text }) => text.includes('stale'))) await new Promise(setImmediate);

    const counts = [await call(), await call()].map(
      outcome => outcome.kind === 'succeeded' && outcome.payload,
    );
    const coldAtOnce = [1, 2];
    const coldAfterOne = [2, 1];
    expect([coldAtOnce, coldAfterOne]).toContainEqual(counts);
  });
});

describe('a handler that writes where its answers go', () => {
  test('lines that are no messages: left out', async () => {
    const { call } = runCode(`
      const { writeSync } = require('node:fs');
      exports.handler = async () => {
        for (const odd of ['', 'null', '5', '{}', '{"kind":"toString"}', '{"kind":"answered","payloadText":"1"}',
          '{"kind":"output","text":5}', '{"kind":"loadFailed","payloadText":"{"}']) writeSync(4, odd + '\\n');
        return 'real';
      };`);

    expect(await call()).toEqual({ kind: 'succeeded', payload: 'real' });
  });

  test('a line without an end: the environment is ended', async () => {
    const { call } = runCode(
      `exports.handler = async event => {
         while (event.endless) require('node:fs').writeSync(4, Buffer.alloc(65536, 'x'));
       };`,
      { timeoutSeconds: 60 },
    );

    expect(await call({ endless: true })).toMatchObject({ errorType: 'Runtime.ExitError' });
    expect(await call()).toEqual({ kind: 'succeeded', payload: null });
  }, 30_000);

  test('a text of 50 MB to the log: cut off', async () => {
    const { call, lines } = runCode('exports.handler = async () => console.log("x".repeat(5e7))');

    expect(await call()).toEqual({ kind: 'succeeded', payload: null });
    expect(lines.at(-1)?.text).toMatch(/is dropped\]$/);
  });
});

describe('sizes', () => {
  const RESPONSE_BYTES_MAX = 6_291_556;
  const quotes = 2;

  test.each([
    ['largest', RESPONSE_BYTES_MAX - quotes, 'succeeded'],
    ['one byte more', RESPONSE_BYTES_MAX - quotes + 1, 'functionError'],
  ])('%s response: %d characters are answered as %s', async (_title, length, kind) => {
    const outcome = await runCode('exports.handler = async event => "x".repeat(event)').call(length);

    expect(outcome.kind).toBe(kind);
  });

  test('response too large: the text of AWS, and the environment stays', async () => {
    const { call } = runCode(`
      let count = 0;
      exports.handler = async event => { count += 1; return event.large ? 'x'.repeat(7e6) : count; };`);

    expect(errorPayload(await call({ large: true }))).toEqual({
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    });
    expect(await call()).toEqual({ kind: 'succeeded', payload: 2 });
  });

  test('request over 6 MiB: rejected', async () => {
    const outcome = await runCode('exports.handler = async () => 1').call('x'.repeat(6_291_455));

    expect(outcome).toEqual({
      kind: 'serviceError',
      error: 'RequestTooLargeException',
      message:
        '6291457 byte payload is too large for the RequestResponse invocation type (limit 6291456 bytes)',
    });
  });
});
