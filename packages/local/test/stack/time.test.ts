import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type FunctionInvocation, startLocal, VirtualClock } from '../../index';
import { machine, start, synthesize, T0 } from './world';

const WAITS = { Wait: { Type: 'Wait', Seconds: 3600, Next: 'Done' }, Done: { Type: 'Succeed' } };
const HOUR_MS = 3_600_000;

describe("a stack's time", () => {
  test('an hour skipped on the machine’s clock: a wait is over, and clients see the new time', async () => {
    const assembly = synthesize(stack => machine(stack, 'waits', WAITS));
    const stack = await startLocal({ assembly, port: 0 });
    try {
      const [{ arn = '' } = {}] = stack.assembly.stateMachines;
      const { executionArn } = await stack.runtime.startExecution({ stateMachineArn: arn });
      const before = stack.now();
      stack.skipTime(HOUR_MS);
      await stack.runtime.whenEnded(executionArn);

      const { status, startDate, stopDate = 0 } = await stack.runtime.describeExecution({ executionArn });
      expect(status).toBe('SUCCEEDED');
      expect(stopDate - startDate).toBeGreaterThanOrEqual(HOUR_MS);
      expect(stack.now() - before).toBeGreaterThanOrEqual(HOUR_MS);
      const asked = request(stack.endpoint, { method: 'POST' });
      asked.end();
      const [answer] = await once(asked, 'response');
      answer.resume();
      expect(Date.parse(answer.headers.date) - Date.now()).toBeGreaterThan(HOUR_MS - 10_000);
      expect(() => stack.skipTime(0)).toThrow('a number of milliseconds above 0, got 0');
      expect(() => stack.skipTime(1e26)).toThrow(/e\+26 milliseconds from now is after the year 9999/);
      expect(stack.now() - before).toBeLessThan(2 * HOUR_MS);
    } finally {
      await stack.close();
    }
  });

  test('a state directory with a time after the year 9999: rejected, with the execution named', async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'onceflow-time-'));
    const assembly = synthesize(scope => machine(scope, 'waits', WAITS));
    // A clock that is beyond what a stack takes, as a machine's clock could be.
    const first = await startLocal({ assembly, state, clock: new VirtualClock(Date.UTC(10_000, 0, 1)) });
    const [{ arn = '' } = {}] = first.assembly.stateMachines;
    const { executionArn } = await first.runtime.startExecution({ stateMachineArn: arn });
    await first.close();

    await expect(startLocal({ assembly, state })).rejects.toMatchObject({
      code: 'StateUnavailable',
      message: expect.stringContaining(
        `execution ${executionArn} has a time that is not between the years 1970 and 9999: ${Date.UTC(10_000, 0, 1)}`,
      ),
    });
    rmSync(state, { recursive: true });
  });

  test('a clock of the caller’s: it is the caller who moves it', async () => {
    const { stack } = await start(scope => machine(scope, 'waits', WAITS));

    expect(() => stack.skipTime(1000)).toThrow('the stack has a clock of its own');
    expect(stack.now()).toBe(T0);
  });
});

describe('invocations of functions', () => {
  test('report their end: with the error, if there was one', async () => {
    const invocations: FunctionInvocation[] = [];
    const code =
      'exports.handler = async event => { if (event.fails) throw new RangeError("no"); return 1; }';
    const { stack } = await start(
      scope =>
        new LambdaFunction(scope, 'F', {
          functionName: 'f',
          runtime: Runtime.NODEJS_22_X,
          handler: 'index.handler',
          code: Code.fromInline(code),
        }),
      { invoked: invocation => invocations.push(invocation) },
    );

    await stack.functions.invoke('f', {}, 'first');
    await stack.functions.invoke('f', { fails: true }, 'second');
    await stack.functions.invoke('nobody', {});

    expect(invocations).toEqual([
      {
        functionName: 'f',
        requestId: 'first',
        begunAt: expect.any(Number),
        endedAt: expect.any(Number),
        error: undefined,
      },
      expect.objectContaining({ requestId: 'second', error: 'RangeError' }),
    ]);
  });
});
