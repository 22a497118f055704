import { closeAll, runCode, runFiles } from './fixture';

afterEach(closeAll);

describe('environment variables', () => {
  test('host: nothing of it but what Node needs', async () => {
    process.env['HOST_SECRET'] = 'x';
    const { call } = runCode('exports.handler = async () => Object.keys(process.env)');
    const outcome = await call();
    delete process.env['HOST_SECRET'];

    const names: string[] = outcome.kind === 'succeeded' ? JSON.parse(JSON.stringify(outcome.payload)) : [];
    const notOfLambda = names.filter(
      name => !/^(AWS_|LAMBDA_|_HANDLER$|LANG$|TZ$|NODE_PATH$|_X_AMZN_TRACE_ID$)/.test(name),
    );
    expect(['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP']).toEqual(expect.arrayContaining(notOfLambda));
  });

  test('Lambda, own and extra: later ones win', async () => {
    const { call } = runCode('exports.handler = async () => process.env', {
      environment: { OWN: 'own', BOTH: 'own', AWS_LAMBDA_LOG_STREAM_NAME: 'own' },
      extraEnvironment: { EXTRA: 'extra', BOTH: 'extra' },
      memoryMb: 256,
    });

    expect(await call()).toMatchObject({
      payload: {
        _HANDLER: 'index.handler',
        AWS_LAMBDA_FUNCTION_NAME: 'fn',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
        AWS_LAMBDA_LOG_STREAM_NAME: 'own',
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'local',
        OWN: 'own',
        EXTRA: 'extra',
        BOTH: 'extra',
      },
    });
  });

  test('change by a handler: seen by the same environment only', async () => {
    const { call } = runCode(
      'exports.handler = async () => { process.env.MARK = "1"; return process.env.MARK }',
    );
    await call();

    expect(process.env['MARK']).toBeUndefined();
  });

  test('NODE_OPTIONS that only a process takes: visible to the handler, no hindrance', async () => {
    const NODE_OPTIONS = '--title=fn --enable-source-maps';
    const { call } = runCode('exports.handler = async () => process.env.NODE_OPTIONS', {
      environment: { NODE_OPTIONS },
    });

    expect(await call()).toEqual({ kind: 'succeeded', payload: NODE_OPTIONS });
  });
});

describe('context', () => {
  test('members: those of the function and the request', async () => {
    const { call } = runCode('exports.handler = async (event, context) => context', { memoryMb: 256 });

    expect(await call({}, 'r-9')).toEqual({
      kind: 'succeeded',
      payload: {
        functionName: 'fn',
        functionVersion: '$LATEST',
        memoryLimitInMB: '256',
        logGroupName: '/aws/lambda/fn',
        logStreamName: 'local/[$LATEST]',
        invokedFunctionArn: 'arn:aws:lambda:eu-west-1:111111111111:function:fn',
        awsRequestId: 'r-9',
        callbackWaitsForEmptyEventLoop: true,
      },
    });
  });

  test('remaining time: counts down from the timeout', async () => {
    const { call } = runCode(
      `exports.handler = async (event, context) => {
        const first = context.getRemainingTimeInMillis();
        await new Promise(resolve => setTimeout(resolve, 50));
        return { first, passed: first - context.getRemainingTimeInMillis() };
      }`,
      { timeoutSeconds: 30 },
    );

    const outcome = await call();
    const { first, passed } = JSON.parse(JSON.stringify(outcome.kind === 'succeeded' && outcome.payload));
    expect(first).toBeLessThanOrEqual(30_000);
    expect(first).toBeGreaterThan(25_000);
    expect(passed).toBeGreaterThanOrEqual(45);
  });
});

describe('output', () => {
  test('all ways to write: lines in order, with the request they belong to', async () => {
    const { call, lines } = runFiles({
      'index.mjs': `
        import { write, writeSync } from 'node:fs';
        console.log('loading');
        export const handler = async () => {
          console.log('log', { a: 1 });
          console.error('error');
          process.stdout.write('with');
          process.stdout.write('out break\\n');
          process.stdout.write(Buffer.from('é').subarray(0, 1));
          process.stdout.write(Buffer.from('é\\n').subarray(1));
          writeSync(1, 'by descriptor\\n');
          writeSync(2, Buffer.from('--part--\\n'), 2, 4);
          await new Promise(resolve => write(1, '\\nasync descriptor\\n', resolve));
          process.stdout.write('unfinished');
        };`,
    });

    await call({}, 'r-3');

    expect(lines[0]).toEqual({ functionName: 'fn', text: 'loading' });
    expect(lines.slice(1).every(line => line.requestId === 'r-3')).toBe(true);
    expect(lines.map(line => line.text)).toEqual([
      'loading',
      'log { a: 1 }',
      'error',
      'without break',
      'é',
      'by descriptor',
      'part',
      'async descriptor',
      'unfinished',
    ]);
  });

  test('lines before an endless loop: arrive', async () => {
    const { call, lines } = runCode(
      `exports.handler = async () => { console.log('one'); console.log('two'); for (;;); }`,
      { timeoutSeconds: 1 },
    );

    await call();

    expect(lines.map(line => line.text)).toEqual(['one', 'two']);
  });

  test('too much of it: cut off with a note, and allowed again for the next event', async () => {
    const { call, lines } = runCode(`exports.handler = async event => {
      for (let i = 0; i < event.lines; i++) console.log('x'.repeat(1023));
    }`);

    await call({ lines: 1025 });
    expect(lines.filter(line => line.text.startsWith('xxx'))).toHaveLength(1024);
    expect(lines.at(-1)?.text).toMatch(/^\[the output .* dropped\]$/);

    lines.length = 0;
    await call({ lines: 1 });
    expect(lines).toHaveLength(1);
  });

  test('failure: what went wrong is in the log', async () => {
    const { call, lines } = runCode('exports.handler = async () => { throw new Error("boom") }');

    await call();

    expect(lines.map(line => line.text)).toEqual([
      expect.stringMatching(/^Invoke Error\t\{"errorType":"Error".*boom/),
    ]);
  });
});
