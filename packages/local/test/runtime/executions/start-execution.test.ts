import { advanceBy, runToEnd } from '../../../runtime/drive';
import { NAME_TAKEN_MS } from '../../../runtime/executions/standard-starts';
import type { StartRequest } from '../../../runtime/requests/start-request';
import { START, textOf, WAIT, worldOf } from '../world';

function started() {
  const world = worldOf();
  const { arn: stateMachineArn } = world.runtime.register(textOf({ W: WAIT }), { name: 'm' });
  const start = (more: Partial<StartRequest> = {}) =>
    world.runtime.startExecution({ stateMachineArn, ...more });
  return { ...world, start, stateMachineArn };
}

const EXISTS = "Execution Already Exists: 'arn:aws:states:us-east-1:000000000000:execution:m:n'";

describe('startExecution', () => {
  test('without name and input: a random name, an empty object', async () => {
    const { start, runtime } = started();

    const { executionArn, startDate } = await start();

    expect(startDate).toBe(START);
    expect(executionArn).toMatch(/^arn:aws:states:us-east-1:000000000000:execution:m:[\da-f-]{36}$/);
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'RUNNING',
      input: '{}',
    });
  });

  test('the same name and input while it runs: the same answer, and one execution', async () => {
    const { start, runtime, clock, stateMachineArn } = started();
    const first = await start({ name: 'n', input: '{"a":1}' });
    await advanceBy(runtime, clock, 5000);

    expect(await start({ name: 'n', input: '{"a":1}' })).toEqual(first);
    expect((await runtime.listExecutions({ stateMachineArn })).executions).toHaveLength(1);
  });

  test('the same name and another input: rejected', async () => {
    const { start } = started();
    await start({ name: 'n', input: '{"a":1}' });

    await expect(start({ name: 'n', input: '{"a": 1}' })).rejects.toThrow(EXISTS);
  });

  test('two at the same moment with one name: one execution', async () => {
    const { start, runtime, stateMachineArn } = started();

    const [one, other] = await Promise.all([start({ name: 'n' }), start({ name: 'n' })]);

    expect(one).toEqual(other);
    expect((await runtime.listExecutions({ stateMachineArn })).executions).toHaveLength(1);
  });

  test.each([
    { afterMs: 0, is: 'rejected' },
    { afterMs: NAME_TAKEN_MS - 1, is: 'rejected' },
    { afterMs: NAME_TAKEN_MS, is: 'started anew' },
  ])('the same name $afterMs ms after its end: $is', async ({ afterMs, is }) => {
    const { start, runtime, clock } = started();
    await start({ name: 'n' });
    await runToEnd(runtime, clock);
    clock.advanceBy(afterMs);

    const again = start({ name: 'n' });

    if (is === 'rejected') await expect(again).rejects.toThrow(EXISTS);
    else expect(await again).toMatchObject({ startDate: clock.now() });
  });

  test.each<[string, Partial<StartRequest>, string]>([
    [
      'no ARN',
      { stateMachineArn: 'not_a_valid_arn' },
      "InvalidArn: Invalid Arn: 'Invalid ARN prefix: not_a_valid_arn'",
    ],
    [
      'a machine that is not registered',
      { stateMachineArn: 'arn:aws:states:us-east-1:1:stateMachine:x' },
      "StateMachineDoesNotExist: State Machine Does Not Exist: 'arn:aws:states:us-east-1:1:stateMachine:x'",
    ],
    ['a name with a colon', { name: 'a:b' }, "InvalidName: Invalid Name: 'a:b'"],
    [
      'a name of 81 characters',
      { name: 'x'.repeat(81) },
      `ValidationException: 1 validation error detected: Value '${'x'.repeat(81)}' at ` +
        `'name' failed to satisfy ` +
        'constraint: Member must have length less than or equal to 80',
    ],
    [
      'an input beyond the quota',
      { input: `"${'x'.repeat(262_143)}"` },
      "ValidationException: 1 validation error detected: Value at 'input' failed to " +
        'satisfy constraint: Member must ' +
        'have size less than or equal to 262144 bytes in UTF-8 encoding',
    ],
    [
      'an empty input',
      { input: '' },
      "InvalidExecutionInput: Invalid State Machine Execution Input: 'Invalid execution input.'",
    ],
    [
      'an input that is not JSON',
      { input: 'not json' },
      "InvalidExecutionInput: Invalid State Machine Execution Input: 'Unrecognized " +
        "token 'not': was expecting " +
        "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')'",
    ],
    // In the order in which the service checks: constraints, machine, name, input.
    [
      'an unknown machine and a bad name',
      { stateMachineArn: 'arn:aws:states:us-east-1:1:stateMachine:x', name: 'a:b' },
      "StateMachineDoesNotExist: State Machine Does Not Exist: 'arn:aws:states:us-east-1:1:stateMachine:x'",
    ],
    ['a bad name and a bad input', { name: 'a:b', input: 'x' }, "InvalidName: Invalid Name: 'a:b'"],
  ])('%s: rejected', async (_case, request, message) => {
    const error = await started()
      .start(request)
      .catch((rejection: Error) => `${rejection.name}: ${rejection.message}`);

    expect(error).toBe(message);
  });

  test.each(['null', '0', '"text"', '[]', ' {"a": 1} '])(
    'the input %j: kept as it was written',
    async input => {
      const { start, runtime } = started();
      const { executionArn } = await start({ input });

      expect((await runtime.describeExecution({ executionArn })).input).toBe(input);
    },
  );
});

describe('execution names', () => {
  test.each(['a', 'A-_.9', "@=+!'()", 'größe', 'x'.repeat(80)])('%s: accepted', async name => {
    await expect(started().start({ name })).resolves.toBeDefined();
  });

  test.each([
    ...' <>{}[]?*"#%\\^|~`$&,;:/\u0000\u001f\u007f\u009f\ufffe\uffff',
    '\ud800',
    '\u{10ffff}',
    '\t',
  ])('%j in it: rejected', async character => {
    await expect(started().start({ name: `a${character}b` })).rejects.toThrow('Invalid Name');
  });
});
