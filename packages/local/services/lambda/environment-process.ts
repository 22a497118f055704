import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Kept, keep } from './keeper';
import type { InvokeMessage, ProcessMessage } from './messages';
import { BoundedOutput, readMessages, readText } from './process-output';

/** What a process has written is read within this; one that it has left behind may keep its streams open for longer. */
const READ_MS = 200;

const MEBIBYTE = 1024 * 1024;

/** Memory that a runtime itself takes. Lambda counts its own. Node.js takes 6 MB at first, and more for its heap. */
const RUNTIME_MB = 16;

/** Memory that a process reserves without using it: 8 MB for the stack of a thread, 512 MB for the code of Node.js 24. */
const RESERVED_MB = 1024;

/** Open files and sockets of an environment, as in Lambda. */
const FILES_MAX = 1024;

/** What a process may take, with all processes that it has started. */
export interface Bounds {
  readonly memoryMb: number;
  /** What `/tmp` holds in Lambda; here each file. @default 512 */
  readonly storageMb?: number | undefined;
}

/** A program to start, with all that it gets of this process. */
export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly bounds: Bounds;
}

/** How a process has ended: with an exit code, by a signal, or because its memory was full. */
export type ProcessEnd = number | NodeJS.Signals | 'outOfMemory';

/** Who listens to a process. */
export interface ProcessEvents {
  said(message: ProcessMessage): void;
  /** It is gone, and all it said has been heard. */
  ended(end: ProcessEnd): void;
}

type Streams = [none: null, stdout: Readable, stderr: Readable, messages: Writable, answers: Readable];

/**
 * A process that a handler runs in. Messages go to it on descriptor 3, what it says comes on descriptor 4, both as
 * lines of JSON. It never keeps this process alive, and it ends when this process does.
 */
export class EnvironmentProcess {
  readonly #child: ChildProcess;
  readonly #kept: Kept | undefined;
  readonly #gone: Promise<ProcessEnd>;
  readonly #messages: Writable | undefined;
  readonly #output = new BoundedOutput(text => this.#events?.said({ kind: 'output', text }));
  #events: ProcessEvents | undefined;
  #fatal = '';
  #isTerminated = false;

  constructor(program: Program) {
    this.#child = spawnBounded(program);
    const { pid, stdio } = this.#child;
    this.#kept = pid === undefined ? undefined : keep(pid, (program.bounds.memoryMb + RUNTIME_MB) * MEBIBYTE);
    // If no more files can be opened, there are none.
    const [, stdout, stderr, messages, answers] = (stdio ?? []) as Partial<Streams>;
    this.#messages = messages;
    // What the runtime itself and other programs write; the handler's own output comes with its answers, in order.
    readText(stdout, text => this.#output.write(text));
    readText(stderr, text => {
      this.#fatal = (this.#fatal + text).slice(-FATAL_CHARACTERS_MAX);
      this.#output.write(text);
    });
    readMessages(answers, message => {
      if (message === undefined) killGroup(this.#child);
      else if (message.kind === 'output') this.#output.write(message.text);
      else this.#events?.said(message);
    });
    // A process that is gone is heard of by its end.
    messages?.on('error', () => undefined);
    this.#gone = this.#whenGone();
    for (const part of [this.#child, stdout, stderr, messages, answers]) unref(part);
  }

  /** Whether it has not ended yet. */
  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#kept !== undefined;
  }

  /** From here on, what is said is heard. Once. */
  listen(events: ProcessEvents): void {
    this.#events = events;
    void this.#gone.then(end => events.ended(end));
  }

  /** Sends an event; only after it has said `loaded`, and has answered the previous one. */
  send(message: InvokeMessage): void {
    this.#output.allow();
    this.#kept?.wake();
    this.write(message);
  }

  /** Sends what its program understands, as soon as its memory is watched. */
  write(message: object): void {
    void this.#kept?.watched.then(() => this.#messages?.write(`${JSON.stringify(message)}\n`));
  }

  /** Stops it, wherever it is, and what it has started. Resolves when it is gone; until then, this process stays. */
  async terminate(): Promise<void> {
    this.#isTerminated = true;
    if (this.isAlive) killGroup(this.#child);
    const staying = setInterval(() => undefined, 1_000);
    await this.#gone;
    clearInterval(staying);
  }

  /** Resolves when the process is gone and its streams are read. */
  async #whenGone(): Promise<ProcessEnd> {
    const end = await exitOf(this.#child);
    const isOverLimit = this.#kept?.release();
    if (end === 'SIGKILL' && !this.#isTerminated && (await isOverLimit)) return 'outOfMemory';
    return FATAL_SIGNALS.has(end) && FATAL_LINE.test(this.#fatal) ? 'outOfMemory' : end;
  }
}

/** How Node.js ends where V8 has no memory left, after a line that says so. */
const FATAL_SIGNALS: ReadonlySet<ProcessEnd> = new Set(['SIGABRT', 'SIGILL', 'SIGTRAP']);
const FATAL_LINE = /^(?:FATAL ERROR:|# Fatal ).*(?:out of memory|OOM)|^terminate called .*std::bad_alloc/m;
const FATAL_CHARACTERS_MAX = 16_384;

/** Starts it as the first of a group, so that what it starts ends with it, and a key press in a terminal ends neither. */
function spawnBounded({ command, arguments: given, environment, directory, bounds }: Program): ChildProcess {
  const options = {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    ...(directory !== undefined && { cwd: directory }),
  } satisfies SpawnOptions;
  if (process.platform === 'win32') return spawn(command, given, { ...options, windowsHide: true });
  const blocks = (bounds.storageMb ?? 512) * (MEBIBYTE / 512);
  // What holds whenever the keeper gets a processor: writable private memory, also if it is only reserved.
  const data = process.platform === 'linux' ? (2 * bounds.memoryMb + RESERVED_MB) * 1024 : 'unlimited';
  const limits = `ulimit -c 0; ulimit -n ${FILES_MAX}; ulimit -f ${blocks}; ulimit -d ${data}`;
  const script = `{ ${limits}; } 2>/dev/null; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', script, command, ...given], { ...options, detached: true });
}

function unref(part: unknown): void {
  (part as { unref?(): void } | undefined)?.unref?.();
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Resolves with the exit code or the signal when the process is gone and its streams are read. */
function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise(resolve => {
    child.on('exit', (code, signal) => {
      const end = signal ?? code ?? 0;
      const timer = setTimeout(() => {
        for (const stream of child.stdio ?? []) stream?.destroy();
        resolve(end);
      }, READ_MS);
      child.on('close', () => {
        clearTimeout(timer);
        resolve(end);
      });
    });
    // An environment that cannot be started is not closed either; a shell answers so.
    child.on('error', () => resolve(127));
  });
}
