const { AsyncLocalStorage } = require('node:async_hooks');
const { post, waitForMessages } = require('./channel.js');
const { CallbackHandlerDeprecated, NodeJsExit, errorText } = require('./errors.js');
const { output } = require('./output.js');

const NO_CALLBACKS =
  'AWS Lambda has removed support for callback-based function handlers starting with Node.js 24. ' +
  'You need to modify this function to use a supported handler signature to use Node.js 24 or later. ' +
  'For more information see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html.';

// Shows whose code failed when an error comes up after its invocation was answered.
const requestIds = new AsyncLocalStorage();
let current;
let warnedOfReturn = false;

/**
 * Takes events, one after the other, for a handler, and posts what it answers. The order in which callback, context
 * methods, promise and empty event loop decide is the Node.js runtime's. Before nodejs24.x a value without a promise is
 * not an answer. From then on there are no callbacks.
 *
 * @throws CallbackHandlerDeprecated for a handler that has a callback, from nodejs24.x on
 */
function createInvoker(handler, configuration) {
  const takesCallback = !configuration.runtime || Number(/\d+/.exec(configuration.runtime)) < 24;
  if (!takesCallback && handler.length > 2) throw new CallbackHandlerDeprecated(NO_CALLBACKS);

  return message => {
    post({ kind: 'started', requestId: message.requestId });
    waitForMessages(false);
    process.env._X_AMZN_TRACE_ID = message.traceHeader;
    const answer = createAnswer(message.requestId, configuration.responseBytesMax);
    const isAsync = !takesCallback || handler.constructor?.name === 'AsyncFunction';
    current = { onEmptyLoop: () => (isAsync ? answer.fail(neverSettled()) : answer.succeed(null)) };
    const context = createContext(message, configuration.functionArn);
    const call = takesCallback ? callWithCallback : callForPromise;
    requestIds.run(message.requestId, () => call(handler, JSON.parse(message.eventText), context, answer));
  };
}

/** Posts an error that nothing has caught, with the invocation whose code has failed. */
function crash(title, error) {
  const payloadText = errorText(error);
  output(`${title}\t${payloadText}\n`);
  post({ kind: 'crashed', requestId: requestIds.getStore(), payloadText });
}

/** To be called when nothing is left to do. */
function emptyLoop() {
  current?.onEmptyLoop();
}

function callForPromise(handler, event, context, answer) {
  try {
    const result = handler(event, context);
    if (typeof result?.then === 'function') result.then(answer.succeed, answer.fail);
    else answer.succeed(result);
  } catch (error) {
    answer.fail(error);
  }
}

function callWithCallback(handler, event, context, answer) {
  const { callback, controls } = createControls(answer, current);
  // Its getter and setter must stay.
  Object.defineProperties(context, Object.getOwnPropertyDescriptors(controls));
  try {
    const result = handler(event, context, callback);
    if (typeof result?.then === 'function') result.then(controls.succeed, controls.fail);
    else if (result !== undefined && handler.length < 3) warnOfReturn();
  } catch (error) {
    callback(error);
  }
}

// The first answer is the answer; the environment is ready for the next event as soon as it is posted.
function createAnswer(requestId, responseBytesMax) {
  let given = false;
  const give = message => {
    if (given) return;
    given = true;
    current = undefined;
    waitForMessages(true);
    const isLarge = Buffer.byteLength(message.payloadText) > responseBytesMax;
    post(isLarge ? { kind: 'responseTooLarge', requestId } : { ...message, requestId });
  };
  const fail = error => {
    const payloadText = errorText(error);
    if (!given) output(`Invoke Error\t${payloadText}\n`);
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
  const first =
    act =>
    (...values) => {
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
    get callbackWaitsForEmptyEventLoop() {
      return waitsForEmptyLoop;
    },
    set callbackWaitsForEmptyEventLoop(value) {
      waitsForEmptyLoop = value;
    },
    succeed: first(result => answer.succeed(result)),
    fail: first(error => answer.fail(isError(error) ? error : 'handled')),
    done: first((error, result) => (isError(error) ? answer.fail(error) : answer.succeed(result))),
  };
  return { callback, controls };
}

function createContext(message, invokedFunctionArn) {
  const deadline = performance.now() + message.timeoutMs;
  return {
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext: undefined,
    identity: undefined,
    invokedFunctionArn,
    awsRequestId: message.requestId,
    getRemainingTimeInMillis: () => Math.floor(deadline - performance.now()),
  };
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
  output(
    'The handler returned a value and no promise: before nodejs24.x, Lambda answers null. Make it async.\n',
  );
}

module.exports = { createInvoker, crash, emptyLoop };
