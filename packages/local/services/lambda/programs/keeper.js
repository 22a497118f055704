// Watches the processes of environments for the process that has started them (keeper.ts). Lines come on the standard
// input: `+PID BYTES` keeps a process, `-PID` releases it, and `!` says that one of them is about to do something.
// Once a process is watched, the answer is `+PID`. A release is answered by `-PID`, and 1 if the process was ended for
// its memory. The end of the input ends all.

const { execFileSync } = require('node:child_process');
const { readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { setPriority } = require('node:os');
const { createInterface } = require('node:readline');

/** Between two looks, in milliseconds: near a bound, while memory changes, and when nothing has changed for a second. */
const NEAR_MS = 2;
const BUSY_MS = 10;
const QUIET_MS = 100;
const QUIET_AFTER_MS = 1000;
/** The part of a bound that counts as near. */
const NEAR = 0.5;
/**
 * The checks between two searches for all descendants. A check comes every tenth of a second, so a search comes every
 * second. A check sees the processes that a kept process starts itself. Only a search sees those that these start and
 * leave to others.
 */
const LOOKS_PER_SCAN = 10;
/** After which the keeper ends when nothing is kept. */
const IDLE_MS = 5000;

/**
 * The kept processes by process ID: the bound, the processes with their start times, and their memory at the last
 * check.
 */
const kept = new Map();
let changedAt = 0;
let looks = 0;
let timer;
let idle = setTimeout(process.exit, IDLE_MS);

// Where this process has the right: a check comes late if it waits for a processor. Linux may compare sessions only. A
// higher priority of the session delays what runs beside it, up to the next tick.
attempt(() => setPriority(-10));
attempt(() => writeFileSync('/proc/self/autogroup', '-10'));

createInterface(process.stdin)
  .on('line', line => {
    const [pid, bytesMax] = line.slice(1).split(' ').map(Number);
    if (line.startsWith('-')) return release(pid);
    if (line.startsWith('+')) {
      kept.set(pid, { bytesMax, members: new Map([[pid, undefined]]), bytes: 0, isOverLimit: false });
      clearTimeout(idle);
    }
    changedAt = performance.now();
    look();
    if (line.startsWith('+')) process.stdout.write(`+${pid}\n`);
  })
  .on('close', () => {
    scan();
    for (const { members } of kept.values()) killAll(members);
    process.exit();
  });

function release(pid) {
  scan();
  const entry = kept.get(pid);
  kept.delete(pid);
  if (entry) killAll(entry.members);
  process.stdout.write(`-${pid} ${entry?.isOverLimit ? 1 : 0}\n`);
  if (kept.size === 0) idle = setTimeout(process.exit, IDLE_MS);
}

function look() {
  clearTimeout(timer);
  if (kept.size === 0) return;
  looks += 1;
  if (looks % LOOKS_PER_SCAN === 0 || [...kept].some(hasStartedMore)) scan();
  let wait = performance.now() - changedAt > QUIET_AFTER_MS ? QUIET_MS : BUSY_MS;
  for (const entry of kept.values()) {
    const bytes = memoryOf(entry);
    if (bytes !== entry.bytes) {
      changedAt = performance.now();
      wait = Math.min(wait, bytes > entry.bytesMax * NEAR ? NEAR_MS : BUSY_MS);
    }
    entry.bytes = bytes;
    if (bytes <= entry.bytesMax) continue;
    entry.isOverLimit = true;
    killAll(entry.members);
  }
  timer = setTimeout(look, wait);
}

function hasStartedMore([root, { members }]) {
  const children = textOf(`/proc/${root}/task/${root}/children`).trim();
  return children !== '' && children.split(' ').some(pid => !members.has(Number(pid)));
}

/**
 * The memory of the kept processes. Processes share some of theirs. To count shared memory once takes much longer, and
 * is done only if there seems to be too much.
 */
function memoryOf({ bytesMax, members }) {
  const bytes = sumOf(members, residentBytes);
  return bytes > bytesMax && members.size > 1 ? Math.min(bytes, sumOf(members, proportionalBytes)) : bytes;
}

function sumOf(members, bytesOf) {
  return [...members.keys()].reduce((sum, pid) => sum + bytesOf(pid), 0);
}

function killAll(members) {
  for (const pid of members.keys()) attempt(() => process.kill(pid, 'SIGKILL'));
}

/** Calls what fails if a process has ended, or if this one lacks a right. */
function attempt(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Finds the processes of all that is kept: those of its session, what these have started, and what was known before. */
function scan() {
  const table = new Map(processes().map(entry => [entry.pid, entry]));
  for (const [root, entry] of kept) {
    const isMember = ({ pid, parent, session, startedAt }) =>
      pid === root || session === root || found.has(parent) || entry.members.get(pid) === startedAt;
    const found = new Map();
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const one of table.values()) if (isMember(one)) found.set(one.pid, one.startedAt);
    }
    entry.members = found;
  }
}

/** All processes of this machine. */
function processes() {
  if (process.platform === 'linux') return readdirSync('/proc').flatMap(processOf);
  if (process.platform === 'win32') return [];
  const list = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,rss=,lstart=']);
  return list
    .toString()
    .trim()
    .split('\n')
    .map(line => {
      const [pid, parent, session, kibibytes, ...startedAt] = line.trim().split(/\s+/);
      reported.set(Number(pid), Number(kibibytes) * 1024);
      return {
        pid: Number(pid),
        parent: Number(parent),
        session: Number(session),
        startedAt: startedAt.join(' '),
      };
    });
}

function processOf(name) {
  if (!/^\d+$/.test(name)) return [];
  const [, fields] = /^.*\) (.*)/s.exec(textOf(`/proc/${name}/stat`)) ?? [];
  if (!fields) return [];
  const [, parent, , session, ...others] = fields.split(' ');
  return [{ pid: Number(name), parent: Number(parent), session: Number(session), startedAt: others[15] }];
}

/** By `ps`, which is too slow for each look. */
const reported = new Map();

/** Resident memory without what comes from files, which the system could take back. */
function residentBytes(pid) {
  if (process.platform !== 'linux') return reported.get(pid) ?? 0;
  const status = textOf(`/proc/${pid}/status`);
  const own = kibibytes(status, 'RssAnon') ?? kibibytes(status, 'VmRSS') ?? 0;
  return (own + (kibibytes(status, 'RssShmem') ?? 0)) * 1024;
}

/** The same, with an equal share of what several processes have in common. */
function proportionalBytes(pid) {
  const rollup = textOf(`/proc/${pid}/smaps_rollup`);
  const anonymous = kibibytes(rollup, 'Pss_Anon');
  return anonymous === undefined
    ? residentBytes(pid)
    : (anonymous + (kibibytes(rollup, 'Pss_Shmem') ?? 0)) * 1024;
}

function kibibytes(text, name) {
  const [, digits] = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text) ?? [];
  return digits && Number(digits);
}

function textOf(file) {
  return attempt(() => readFileSync(file, 'latin1')) ?? '';
}
