import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { environmentVariables } from './environment-variables';
import type { FunctionSpec } from './function-spec';
import { RESPONSE_BYTES_MAX } from './outcome';
import { OUTPUT_CHARACTERS_MAX, type Sandbox, type SandboxEvents } from './sandbox';
import type { InvokeMessage, WorkerMessage } from './worker/messages';

/** In the package, the build copies it beside the bundle. */
const PROGRAM = join(__dirname, 'python-program.py');
const INTERPRETER = process.platform === 'win32' ? 'python3.exe' : 'python3';

/** Whether this machine has an interpreter for functions in Python, of whatever version. */
export function hasPython(): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some(directory => {
    try {
      accessSync(join(directory, INTERPRETER), constants.X_OK);
      return directory !== '';
    } catch {
      return false;
    }
  });
}

/**
 * Starts a process that loads a handler of Python. Events go to it on descriptor 3, what it says comes on descriptor 4,
 * both as lines of JSON. It ends by itself when this process does.
 */
export function startPythonProcess(
  spec: FunctionSpec,
  extra: Readonly<Record<string, string>>,
  { said, ended }: SandboxEvents,
): Sandbox {
  // As a text, so that the frames of this program have no file name in a trace.
  const child = spawn(INTERPRETER, ['-u', '-c', readFileSync(PROGRAM, 'utf8')], {
    cwd: spec.directory,
    env: pythonVariables(spec, extra),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, events, answers] = child.stdio as [null, Readable, Readable, Writable, Readable];
  const output = new BoundedOutput(text => said({ kind: 'output', text }));
  // What the interpreter itself and other programs write; the handler's own output comes with its answers, in order.
  for (const stream of [stdout, stderr]) readText(stream, text => output.write(text));
  readText(
    answers,
    lineReader(message => (message.kind === 'output' ? output.write(message.text) : said(message))),
  );
  // A process that is gone is heard of by its end.
  events.on('error', () => undefined);
  const gone = whenGone(child);
  void gone.then(ended);
  for (const part of [child, stdout, stderr, events, answers] as { unref?(): void }[]) part.unref?.();
  return {
    send(message: InvokeMessage) {
      output.allow();
      events.write(`${JSON.stringify(message)}\n`);
    },
    terminate() {
      child.kill('SIGKILL');
      return gone;
    },
  };
}

function pythonVariables(
  spec: FunctionSpec,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const { NODE_PATH: _, ...variables } = environmentVariables(spec, extra);
  return {
    ...variables,
    AWS_EXECUTION_ENV: `AWS_Lambda_${spec.runtime}`,
    // No such names lead to this machine.
    AWS_DISABLE_HOST_PREFIX_INJECTION: 'true',
    // The code is the assembly's, and nothing is written to it.
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
    ONCEFLOW_FUNCTION: JSON.stringify({ arn: spec.arn, responseBytesMax: RESPONSE_BYTES_MAX }),
  };
}

/** Lets text through up to a bound, which is that of one invocation. */
class BoundedOutput {
  readonly #emit: (text: string) => void;
  #charactersLeft = OUTPUT_CHARACTERS_MAX;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  /** Begins the next invocation. */
  allow(): void {
    this.#charactersLeft = OUTPUT_CHARACTERS_MAX;
  }

  write(text: string): void {
    if (this.#charactersLeft < 0) return;
    const part = text.slice(0, this.#charactersLeft);
    this.#charactersLeft -= text.length;
    this.#emit(this.#charactersLeft < 0 ? part + DROPPED : part);
  }
}

const DROPPED = '\n[the output of this invocation is too long, the rest of it is dropped]\n';

/** What a process has written is read within this; one that it has left behind may keep its streams open for longer. */
const READ_MS = 200;

/** Resolves with the exit code or the signal when the process is gone and its streams are read. */
function whenGone(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise(resolve => {
    child.on('exit', (code, signal) => {
      const end = signal ?? code ?? 0;
      const timer = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
        resolve(end);
      }, READ_MS);
      child.on('close', () => {
        clearTimeout(timer);
        resolve(end);
      });
    });
    // What cannot be started is not closed either; a shell answers so.
    child.on('error', () => resolve(127));
  });
}

function readText(stream: Readable, take: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on('error', () => undefined);
}

/** Takes text, and gives the messages in its lines. What is no message has come from somebody else. */
function lineReader(take: (message: WorkerMessage) => void): (text: string) => void {
  let begun = '';
  return text => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) {
      const message = messageIn(line);
      if (message) take(message);
    }
  };
}

function messageIn(line: string): WorkerMessage | undefined {
  try {
    const message = JSON.parse(line) as WorkerMessage;
    if ('payloadText' in message) JSON.parse(message.payloadText);
    return message;
  } catch {
    return undefined;
  }
}
