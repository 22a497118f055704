const util = require('node:util');

const UNREADABLE_ERROR = JSON.stringify({
  errorType: 'handled',
  errorMessage:
    'callback called with Error argument, but there was a problem while retrieving ' +
    'one or more of its message, name, and stack',
});

/** The JSON text by which the Node.js runtime reports anything thrown. Never throws, whatever it is given. */
function errorText(error) {
  try {
    return JSON.stringify(errorShape(error));
  } catch {
    return UNREADABLE_ERROR;
  }
}

function errorShape(error) {
  if (util.types.isNativeError(error) || looksLikeError(error)) {
    return { errorType: error.name, errorMessage: error.message, trace: traceOf(error.stack.split('\n')) };
  }
  return { errorType: typeof error, errorMessage: error.toString(), trace: [] };
}

// Leaves out the frames of this program, and the Node.js frames that led to it. AWS shows one or
// two frames of the runtime there.
function traceOf(lines) {
  const isFrame = line => /^\s+at /.test(line);
  const isOwn = line => isFrame(line) && line.includes(__dirname);
  const isOfNode = line => isFrame(line) && (line.includes('(node:') || line.includes('at node:'));
  const entry = lines.findIndex(
    (line, at) => isOwn(line) && lines.slice(at).every(later => isOwn(later) || isOfNode(later)),
  );
  return (entry === -1 ? lines : lines.slice(0, entry)).filter(line => !isOwn(line));
}

function looksLikeError(value) {
  if (!value) return false;
  return [value.name, value.message, value.stack].every(text => text && typeof text === 'string');
}

// The name sits on the prototype, so that the first line of the stack shows it too.
function runtimeErrorClass(name) {
  const RuntimeError = class extends Error {};
  RuntimeError.prototype.name = `Runtime.${name}`;
  return RuntimeError;
}

const CallbackHandlerDeprecated = runtimeErrorClass('CallbackHandlerDeprecated');
const HandlerNotFound = runtimeErrorClass('HandlerNotFound');
const ImportModuleError = runtimeErrorClass('ImportModuleError');
const MalformedHandlerName = runtimeErrorClass('MalformedHandlerName');
const NodeJsExit = runtimeErrorClass('NodeJsExit');
const UnhandledPromiseRejection = runtimeErrorClass('UnhandledPromiseRejection');
const UserCodeSyntaxError = runtimeErrorClass('UserCodeSyntaxError');

/** The value as a text, whatever it is. */
function textOf(value) {
  try {
    return String(value);
  } catch {
    return 'a value that cannot be converted to a string';
  }
}

module.exports = {
  CallbackHandlerDeprecated,
  HandlerNotFound,
  ImportModuleError,
  MalformedHandlerName,
  NodeJsExit,
  UnhandledPromiseRejection,
  UserCodeSyntaxError,
  errorText,
  textOf,
};
