// Lines of JSON: events come on descriptor 3, and all that is said goes to descriptor 4.

const { writeSync } = require('node:fs');
const { Socket } = require('node:net');

const EVENTS = 3;
const ANSWERS = 4;

const events = new Socket({ fd: EVENTS, readable: true, writable: false });

/** Says something. It is written when this returns, so that it is heard also before an endless loop. */
function post(message) {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(ANSWERS, line, at);
}

/** Calls `take` with each message; the process ends with the one that sends them. */
function readMessages(take) {
  let begun = '';
  events.setEncoding('utf8');
  events.on('data', text => {
    const lines = (begun + text).split('\n');
    begun = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  });
  events.on('error', end);
  events.on('close', end);
}

function end() {
  process.kill(process.pid, 'SIGKILL');
}

/** Whether to wait for messages, as between events; else an event loop in which nothing is left to do counts as empty. */
function waitForMessages(waits) {
  if (waits) events.ref();
  else events.unref();
}

module.exports = { post, readMessages, waitForMessages };
