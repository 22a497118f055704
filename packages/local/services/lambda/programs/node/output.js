const fs = require('node:fs');
const { StringDecoder } = require('node:string_decoder');
const { post } = require('./channel.js');

/** More than is taken of it for one invocation. */
const CHARACTERS_MAX = 1_048_577;

/** Says what the function has written, in order with its answers. */
function output(text) {
  post({ kind: 'output', text: text.slice(0, CHARACTERS_MAX) });
}

/**
 * Makes `output` of what the function writes to its standard streams. Text that other programs and native code write
 * comes through the descriptors themselves, and may come later.
 */
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

// Loggers such as pino write to the descriptors without going through console.
function captureDescriptors() {
  const { write, writeSync } = fs;
  const streams = new Map([
    [1, process.stdout],
    [2, process.stderr],
  ]);
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

module.exports = { captureOutput, output };
