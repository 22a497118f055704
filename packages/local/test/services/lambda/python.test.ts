import { hasPython } from '../../../services/lambda/python-process';
import { closeAll, errorPayload, runFiles } from './fixture';

afterEach(closeAll);

/** Runs one function whose `index.py` is `code`. */
function runPython(
  code: string,
  changes: Parameters<typeof runFiles>[1] = {},
  files: Record<string, string> = {},
) {
  return runFiles({ 'index.py': code, ...files }, { runtime: 'python3.12', ...changes });
}

const ID = '00000000-0000-4000-8000-000000000001';

// Without an interpreter the test says so by name, so that it does not count as run.
const describeWithPython = hasPython() ? describe : describe.skip;

describeWithPython('a function in Python (where there is a python3)', () => {
  test('the event, the context and the environment: as the runtime gives them', async () => {
    const code = `
import os

def handler(event, context):
    return {
        "event": event,
        "id": context.aws_request_id,
        "name": context.function_name,
        "memory": context.memory_limit_in_mb,
        "arn": context.invoked_function_arn,
        "remaining": 0 < context.get_remaining_time_in_millis() <= 20000,
        "variables": [os.environ["COLOUR"], os.environ["AWS_REGION"], os.environ["AWS_EXECUTION_ENV"]],
        "hidden": "ONCEFLOW_FUNCTION" in os.environ or "HOME" in os.environ,
        "cwd": os.getcwd() == os.environ["LAMBDA_TASK_ROOT"],
    }
`;
    const { call } = runPython(code, { timeoutSeconds: 20, environment: { COLOUR: 'grün' } });

    expect(await call({ n: 1, text: 'ä\u{1f680}' }, ID)).toEqual({
      kind: 'succeeded',
      payload: {
        event: { n: 1, text: 'ä\u{1f680}' },
        id: ID,
        name: 'fn',
        memory: '128',
        arn: 'arn:aws:lambda:eu-west-1:111111111111:function:fn',
        remaining: true,
        variables: ['grün', 'eu-west-1', 'AWS_Lambda_python3.12'],
        hidden: false,
        cwd: true,
      },
    });
  });

  test('two events: one process, in which the module was loaded once', async () => {
    const code = 'seen = []\ndef handler(event, context):\n    seen.append(event)\n    return seen';
    const { call } = runPython(code);

    await call(1);
    expect(await call(2)).toEqual({ kind: 'succeeded', payload: [1, 2] });
  });

  test('a handler in a folder, with a module beside it: found from the root', async () => {
    const { call } = runPython(
      '',
      { handler: 'app/main.run' },
      {
        'app/main.py': 'from app.other import answer\ndef run(event, context):\n    return answer()',
        'app/other.py': 'def answer():\n    return 42',
      },
    );

    expect(await call()).toEqual({ kind: 'succeeded', payload: 42 });
  });

  test.each([
    ['the text of an object', `b'{"a": 1}'`, { kind: 'succeeded', payload: { a: 1 } }],
    ['the text of a text', `'"\u00e4"'.encode()`, { kind: 'succeeded', payload: '\u00e4' }],
    ['no JSON', `b'hello'`, { kind: 'functionError', errorType: 'Runtime.MarshalError' }],
    ['a number that is none', `b'NaN'`, { kind: 'functionError', errorType: 'Runtime.MarshalError' }],
    ['bytes within an object', `{'a': b'x'}`, { kind: 'functionError', errorType: 'Runtime.MarshalError' }],
  ])('bytes as the answer, which are %s', async (_case, value, outcome) => {
    const { call } = runPython(`def handler(event, context):\n    return ${value}`);

    expect(await call()).toMatchObject(outcome);
  });

  test('an exception: reported with its type and its trace, and the next event is served', async () => {
    const code = `
class OutOfStock(Exception):
    pass

def handler(event, context):
    if event == 1:
        raise OutOfStock("no more " + context.function_name)
    return "served"
`;
    const { call, lines } = runPython(code);

    const outcome = await call(1, ID);

    expect(outcome).toMatchObject({ kind: 'functionError', errorType: 'OutOfStock' });
    expect(errorPayload(outcome)).toEqual({
      errorMessage: 'no more fn',
      errorType: 'OutOfStock',
      requestId: ID,
      stackTrace: [
        expect.stringMatching(/^ {2}File ".*\/index\.py", line 7, in handler\n {4}raise OutOfStock\(.*\n/),
      ],
    });
    expect(lines.map(({ text }) => text).slice(0, 2)).toEqual([
      '[ERROR] OutOfStock: no more fn',
      'Traceback (most recent call last):',
    ]);
    expect(await call(2)).toEqual({ kind: 'succeeded', payload: 'served' });
  });

  test.each([
    [
      'no such module',
      'import nowhere',
      {},
      'Runtime.ImportModuleError',
      "Unable to import module 'index': No module named 'nowhere'",
    ],
    [
      'no such handler',
      'x = 1',
      {},
      'Runtime.HandlerNotFound',
      "Handler 'handler' missing on module 'index'",
    ],
    [
      'a syntax error',
      'def handler(:',
      {},
      'Runtime.UserCodeSyntaxError',
      "Syntax error in module 'index': ",
    ],
    [
      'a handler that is no name',
      'x = 1',
      { handler: 'index' },
      'Runtime.MalformedHandlerName',
      "Bad handler 'index': ",
    ],
    ['an error while it loads', 'raise KeyError("x")', {}, 'KeyError', "'x'"],
    [
      'an answer that is not JSON',
      'def handler(e, c): return {1, 2}',
      {},
      'Runtime.MarshalError',
      'Unable to marshal response: ',
    ],
    [
      'a number that is none',
      'def handler(e, c): return float("nan")',
      {},
      'Runtime.MarshalError',
      'Unable to marshal response: ',
    ],
    [
      'an exit',
      'import sys\ndef handler(e, c): sys.exit(3)',
      {},
      'Runtime.ExitError',
      `RequestId: ${ID} Error: Runtime exited with error: exit status 3`,
    ],
    [
      'a signal',
      'import os\ndef handler(e, c): os.kill(os.getpid(), 9)',
      {},
      'Runtime.ExitError',
      `RequestId: ${ID} Error: Runtime exited with error: signal: killed`,
    ],
    [
      'an answer too large',
      'def handler(e, c): return "x" * 7000000',
      {},
      'Function.ResponseSizeTooLarge',
      'Response payload size exceeded',
    ],
  ])('%s: reported with its type', async (_title, code, changes, errorType, errorMessage) => {
    const { call } = runPython(code, { timeoutSeconds: 20, ...changes });

    const payload = errorPayload(await call({}, ID));

    expect(payload.errorType).toBe(errorType);
    expect(payload.errorMessage.startsWith(errorMessage)).toBe(true);
  });

  test('longer than its timeout: ended, and the next event has a new process', async () => {
    const code = `
count = 0
def handler(event, context):
    global count
    count += 1
    while event == "for ever":
        pass
    return count
`;
    const { call } = runPython(code, { timeoutSeconds: 1 });

    expect(errorPayload(await call('for ever', ID))).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${ID} Error: Task timed out after 1.00 seconds`,
    });
    expect(await call()).toEqual({ kind: 'succeeded', payload: 1 });
  });

  test('what it prints and logs: lines of that invocation, in order, before its answer', async () => {
    const code = `
import logging, os, subprocess, sys
logging.getLogger().setLevel(logging.INFO)
def handler(event, context):
    print("printed", "ä")
    logging.info("logged %s", 1)
    sys.stderr.write("to stderr\\n")
    return 1
`;
    const { call, lines } = runPython(code);

    await call({}, ID);

    expect(lines).toEqual([
      { functionName: 'fn', requestId: ID, text: 'printed ä' },
      {
        functionName: 'fn',
        requestId: ID,
        text: expect.stringMatching(new RegExp(`^\\[INFO\\]\\t\\d{4}-[\\dT:.-]+Z\\t${ID}\\tlogged 1$`)),
      },
      { functionName: 'fn', requestId: ID, text: 'to stderr' },
    ]);
  });

  test('a loop that prints: cut off, and the process of the host stays', async () => {
    const code =
      'def handler(e, c):\n    for _ in range(3000):\n        print("x" * 1000)\n    return "done"';
    const { call, lines } = runPython(code, { timeoutSeconds: 20 });

    expect(await call()).toEqual({ kind: 'succeeded', payload: 'done' });
    expect(lines.length).toBeLessThan(1100);
    expect(lines.at(-1)?.text).toBe('[the output of this invocation is too long, the rest of it is dropped]');
  });

  test('closed while it runs: ends as a service error, also where it has left a process behind', async () => {
    const code = `
import subprocess, time
def handler(event, context):
    subprocess.Popen(["sleep", "5"])
    print("started")
    time.sleep(60)
`;
    const { call, functions, lines } = runPython(code, { timeoutSeconds: 60 });
    const outcome = call();
    while (lines.length === 0) await new Promise(resolve => setTimeout(resolve, 10));

    await functions.close();

    expect(await outcome).toMatchObject({ kind: 'serviceError', error: 'ServiceException' });
  });
});

test('hasPython: says whether there is one on the PATH', () => {
  const { PATH } = process.env;
  try {
    process.env['PATH'] = '/nowhere';
    expect(hasPython()).toBe(false);
  } finally {
    process.env['PATH'] = PATH;
  }
});
