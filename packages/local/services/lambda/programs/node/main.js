// The program of one execution environment of Node.js: takes its settings as the first line, loads the handler, and
// hands it one event after the other. It speaks the messages of `messages.ts`. It is JavaScript, and copied into the
// package as it is, because it starts without a loader, from a clone and beside a bundle.

const dns = require('node:dns');
const Module = require('node:module');
const { post, readMessages } = require('./channel.js');
const { errorText } = require('./errors.js');
const { loadHandler } = require('./handler-loader.js');
const { createInvoker, crash, emptyLoop } = require('./invocation.js');
const { captureOutput, output } = require('./output.js');
const { UnhandledPromiseRejection, textOf } = require('./errors.js');

let invoke;

readMessages(message => {
  if (invoke) invoke(message);
  else void begin(message);
});

async function begin(configuration) {
  prepareProcess(configuration);
  captureOutput();
  try {
    const handler = await loadHandler(configuration.taskRoot, configuration.handler);
    invoke = createInvoker(handler, configuration);
    post({ kind: 'loaded' });
  } catch (error) {
    const payloadText = errorText(error);
    output(`Init Error\t${payloadText}\n`);
    post({ kind: 'loadFailed', payloadText });
  }
}

function prepareProcess({ environment, taskRoot }) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  if (environment.NODE_OPTIONS?.includes('--enable-source-maps')) process.setSourceMapsEnabled(true);
  Module._initPaths();
  try {
    process.chdir(taskRoot);
  } catch {
    // A folder that is not there has no handler either, which is what is reported.
  }

  process.on('uncaughtException', error => crash('Uncaught Exception', error));
  process.on('unhandledRejection', reason => {
    crash('Unhandled Promise Rejection', new UnhandledPromiseRejection(textOf(reason)));
  });
  process.on('beforeExit', emptyLoop);

  // For some operations SDKs put a prefix before the host, e.g. sync- for StartSyncExecution. In AWS there are such
  // names; before the address of this machine the prefix means nothing.
  const { lookup } = dns;
  const isPrefixed = host => /^[a-z]+-(?:127\.0\.0\.1|localhost)$/.test(host);
  dns.lookup = (host, ...rest) => lookup(isPrefixed(host) ? '127.0.0.1' : host, ...rest);

  // In Lambda, a function may signal its own processes only.
  const { kill } = process;
  process.kill = (pid, signal) => {
    if (Number(pid) !== -1 && Number(pid) !== process.ppid) return kill.call(process, pid, signal);
    throw Object.assign(new Error('kill EPERM'), { errno: -1, code: 'EPERM', syscall: 'kill' });
  };
}
