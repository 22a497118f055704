/**
 * Defines `output(text)`, `allowOutput()` and `captureOutput()`: what the function writes to its standard
 * streams goes to the host as messages, in order with its answers and up to a bound per invocation.
 *
 * Node's own pipe from a worker would lose the lines before an endless loop, for it waits for the worker's
 * event loop after the first. The bound is checked on this side, so that a loop that prints cannot fill the
 * host's memory.
 */
export const OUTPUT_CAPTURE = String.raw`
const fs = require('node:fs');
const { StringDecoder } = require('node:string_decoder');
const { parentPort, workerData } = require('node:worker_threads');

// The handler shares parentPort with us: keep the original, whatever it does to the object.
const postMessage = parentPort.postMessage.bind(parentPort);
const post = message => postMessage({ key: workerData.key, message });
const DROPPED = '\n[the output of this invocation is too long, the rest of it is dropped]\n';

let charactersLeft = workerData.outputCharactersMax;
let dropping = false;

function allowOutput() {
  charactersLeft = workerData.outputCharactersMax;
  dropping = false;
}

function output(text) {
  if (dropping) return;
  dropping = text.length > charactersLeft;
  post({ kind: 'output', text: dropping ? text.slice(0, charactersLeft) + DROPPED : text });
  charactersLeft -= text.length;
}

function captureOutput() {
  for (const stream of [process.stdout, process.stderr]) captureStream(stream);
  captureDescriptors();
}

function captureStream(stream) {
  const decoder = new StringDecoder('utf8');
  stream._writev = null;
  stream._write = (chunk, _encoding, done) => {
    output(typeof chunk === 'string' ? chunk : decoder.write(chunk));
    done();
  };
}

// Descriptors 1 and 2 belong to the whole process. Loggers such as pino write to them without going through
// console.
function captureDescriptors() {
  const { write, writeSync } = fs;
  const streams = new Map([[1, process.stdout], [2, process.stderr]]);
  fs.writeSync = (fd, data, ...where) => {
    const stream = streams.get(fd);
    return stream ? writeTo(stream, data, where) : writeSync(fd, data, ...where);
  };
  fs.write = (fd, data, ...where) => {
    const stream = streams.get(fd);
    if (!stream) return write(fd, data, ...where);
    process.nextTick(where.pop(), null, writeTo(stream, data, where), data);
  };
  require('node:module').syncBuiltinESMExports();
}

function writeTo(stream, data, [where, length]) {
  const bytes = typeof data === 'string' ? Buffer.from(data) : part(data, where, length);
  stream.write(bytes);
  return bytes.length;
}

function part(view, where, length) {
  const options = typeof where === 'object' && where !== null ? where : { offset: where, length };
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const start = options.offset ?? 0;
  return bytes.subarray(start, start + (options.length ?? bytes.length));
}
`;
