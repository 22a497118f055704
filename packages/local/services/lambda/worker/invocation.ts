/**
 * Defines `startEnvironment()`: loads the handler, then hands it one event after the other and posts what it
 * answers.
 *
 * The order in which callback, context methods, promise and empty event loop decide the answer is the Node.js
 * runtime's. While an event is handled, the port does not keep the thread's event loop alive, so that an
 * empty loop shows as `beforeExit`; between events it does.
 */
export const INVOCATION = String.raw`
const { AsyncLocalStorage } = require('node:async_hooks');
const dns = require('node:dns');

// Shows whose code failed when an error comes up after its invocation was answered.
const requestIds = new AsyncLocalStorage();
let current;
let warnedOfReturn = false;

async function startEnvironment() {
  captureOutput();
  prepareProcess();
  try {
    const handler = await loadHandler(workerData.taskRoot, workerData.handler);
    parentPort.on('message', message => invoke(handler, message));
    post({ kind: 'loaded' });
  } catch (error) {
    const payloadText = errorText(error);
    output('Init Error\t' + payloadText + '\n');
    post({ kind: 'loadFailed', payloadText });
  }
}

function prepareProcess() {
  const options = workerData.nodeOptions;
  if (options !== undefined) process.env.NODE_OPTIONS = options;
  if (options?.includes('--enable-source-maps')) process.setSourceMapsEnabled(true);
  Module._initPaths();

  process.on('uncaughtException', error => crash('Uncaught Exception', error));
  process.on('unhandledRejection', reason => {
    crash('Unhandled Promise Rejection', new UnhandledPromiseRejection(textOf(reason)));
  });
  process.on('beforeExit', () => current?.onEmptyLoop());

  // For some operations SDKs put a prefix before the host, e.g. sync- for StartSyncExecution. In AWS there are such
  // names; before the address of this machine the prefix means nothing.
  const lookup = dns.lookup;
  const isPrefixed = host => /^[a-z]+-(?:127\.0\.0\.1|localhost)$/.test(host);
  dns.lookup = (host, ...rest) => lookup(isPrefixed(host) ? '127.0.0.1' : host, ...rest);

  // A thread has the host's process id: a signal to "itself" would end the host.
  const kill = process.kill;
  process.kill = (pid, signal) => {
    const reachesHost = pid === process.pid || pid <= 0;
    return reachesHost && signal !== 0 ? process.exit(137) : kill.call(process, pid, signal);
  };
}

function crash(title, error) {
  const payloadText = errorText(error);
  output(title + '\t' + payloadText + '\n');
  post({ kind: 'crashed', requestId: requestIds.getStore(), payloadText });
}

function invoke(handler, message) {
  allowOutput();
  post({ kind: 'started', requestId: message.requestId });
  parentPort.unref();
  process.env._X_AMZN_TRACE_ID = message.traceHeader;
  const answer = createAnswer(message.requestId);
  const isAsync = handler.constructor?.name === 'AsyncFunction';
  const invocation = { onEmptyLoop: () => (isAsync ? answer.fail(neverSettled()) : answer.succeed(null)) };
  current = invocation;
  const { callback, controls } = createControls(answer, invocation);
  requestIds.run(message.requestId, () => callHandler(handler, message, callback, controls));
}

function callHandler(handler, message, callback, controls) {
  try {
    const result = handler(JSON.parse(message.eventText), createContext(message, controls), callback);
    if (typeof result?.then === 'function') result.then(controls.succeed, controls.fail);
    else if (result !== undefined && handler.length < 3) {
      warnOfReturn();
      controls.succeed(result);
    }
  } catch (error) {
    callback(error);
  }
}

// The first answer is the answer; the environment is ready for the next event as soon as it is posted.
function createAnswer(requestId) {
  let given = false;
  const give = message => {
    if (given) return;
    given = true;
    current = undefined;
    parentPort.ref();
    const isLarge = Buffer.byteLength(message.payloadText) > workerData.responseBytesMax;
    post(isLarge ? { kind: 'responseTooLarge', requestId } : { ...message, requestId });
  };
  const fail = error => {
    const payloadText = errorText(error);
    if (!given) output('Invoke Error\t' + payloadText + '\n');
    give({ kind: 'failed', payloadText });
  };
  const succeed = value => {
    let payloadText;
    try {
      payloadText = JSON.stringify(value) ?? 'null';
    } catch {
      fail(new Error('Unable to stringify response body'));
      return;
    }
    give({ kind: 'answered', payloadText });
  };
  return { succeed, fail };
}

// Callback and context methods: the first call of any of them counts, before there is an answer even.
function createControls(answer, invocation) {
  let called = false;
  let waitsForEmptyLoop = true;
  const first = act => (...values) => {
    if (called) return;
    called = true;
    act(...values);
  };
  const isError = error => error !== undefined && error !== null;
  const callback = first((error, result) => {
    if (isError(error)) answer.fail(error);
    else if (waitsForEmptyLoop) invocation.onEmptyLoop = () => answer.succeed(result);
    else answer.succeed(result);
  });
  const controls = {
    get callbackWaitsForEmptyEventLoop() { return waitsForEmptyLoop; },
    set callbackWaitsForEmptyEventLoop(value) { waitsForEmptyLoop = value; },
    succeed: first(result => answer.succeed(result)),
    fail: first(error => answer.fail(isError(error) ? error : 'handled')),
    done: first((error, result) => (isError(error) ? answer.fail(error) : answer.succeed(result))),
  };
  return { callback, controls };
}

function createContext(message, controls) {
  const deadline = performance.now() + message.timeoutMs;
  return Object.assign(controls, {
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext: undefined,
    identity: undefined,
    invokedFunctionArn: workerData.functionArn,
    awsRequestId: message.requestId,
    getRemainingTimeInMillis: () => Math.floor(deadline - performance.now()),
  });
}

function neverSettled() {
  return new NodeJsExit(
    'The Lambda runtime client detected an unexpected Node.js exit code. ' +
      'This is most commonly caused by a Promise that was never settled. ' +
      'For more information, see https://nodejs.org/docs/latest/api/process.html#exit-codes',
  );
}

function warnOfReturn() {
  if (warnedOfReturn) return;
  warnedOfReturn = true;
  const remedy = 'before nodejs24.x, Lambda answers null. Make it async.';
  output('The handler returned a value and no promise: ' + remedy + '\n');
}
`;
