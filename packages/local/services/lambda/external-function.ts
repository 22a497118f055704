import { spawn } from 'node:child_process';
import { jsonOr } from '../../json/json';
import type { InvocationEvent } from './environment';
import type { EnvironmentPool } from './environment-pool';
import { environmentVariables } from './environment-variables';
import { EXTERNAL, type FunctionSpec, type LogLine } from './function-spec';
import { createLineSplitter } from './log-lines';
import * as outcome from './outcome';

/** What a function outside of this process has answered. */
interface Answer {
  readonly text: string;
  readonly isFailure: boolean;
}

/** Whether a server or a command runs instead of the function's code. */
export function isExternal({ runtime }: FunctionSpec): boolean {
  return runtime === EXTERNAL;
}

/**
 * A function that a server or a command runs, which its handler names. A server gets the event as the body of a POST
 * request, as the Lambda runtime interface emulator does; a command gets it on its standard input.
 */
export function externalFunction(
  spec: FunctionSpec,
  {
    extraEnvironment,
    log,
  }: { readonly extraEnvironment: Readonly<Record<string, string>>; readonly log: (line: LogLine) => void },
): EnvironmentPool {
  const closed = new AbortController();
  const isUrl = /^https?:\/\//.test(spec.handler);
  return {
    async run({ requestId, eventText }: InvocationEvent) {
      const timeout = AbortSignal.timeout(spec.timeoutSeconds * 1000);
      const abort = AbortSignal.any([timeout, closed.signal]);
      const lines = createLineSplitter(text => log({ functionName: spec.name, requestId, text }));
      try {
        const { text, isFailure } = isUrl
          ? await post(spec.handler, { requestId, eventText }, abort)
          : await execute(spec.handler, eventText, {
              environment: environmentVariables(spec, extraEnvironment),
              abort,
              write: lines.write,
            });
        return isFailure ? outcome.functionError(text) : { kind: 'succeeded', payload: JSON.parse(text) };
      } catch (error) {
        if (closed.signal.aborted) return outcome.runtimeClosed();
        if (timeout.aborted) return outcome.timedOut(requestId, spec.timeoutSeconds);
        const message = `${spec.handler} does not answer for the function ${spec.name}: ${reasonOf(error)}`;
        return { kind: 'serviceError', error: 'ServiceException', message };
      } finally {
        lines.flush();
      }
    },
    async close() {
      closed.abort();
    },
  };
}

async function post(
  url: string,
  { requestId, eventText }: InvocationEvent,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'lambda-runtime-aws-request-id': requestId };
  const answer = await fetch(url, { method: 'POST', headers, body: eventText, signal });
  const body = await answer.text();
  const text = body.trim() === '' ? 'null' : body;
  const value: unknown = JSON.parse(text);
  // The emulator answers an error with status 200.
  const isError =
    typeof value === 'object' && value !== null && 'errorType' in value && 'errorMessage' in value;
  return { text, isFailure: !answer.ok || answer.headers.has('x-amz-function-error') || isError };
}

function execute(
  command: string,
  eventText: string,
  {
    environment,
    abort,
    write,
  }: {
    readonly environment: Readonly<Record<string, string>>;
    readonly abort: AbortSignal;
    readonly write: (text: string) => void;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it starts ends with it.
    const child = spawn(command, { shell: true, detached: process.platform !== 'win32', env: environment });
    const stop = () => {
      if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    };
    abort.addEventListener('abort', stop, { once: true });
    const chunks: Buffer[] = [];
    child.stdout.on('data', chunk => chunks.push(chunk));
    child.stderr.setEncoding('utf8').on('data', write);
    child.on('error', reject);
    child.on('close', code => {
      abort.removeEventListener('abort', stop);
      const text = Buffer.concat(chunks).toString('utf8').trim() || 'null';
      if (abort.aborted) reject(new Error('it was stopped'));
      else if (code === 0 && jsonOr(text, undefined) !== undefined) resolve({ text, isFailure: false });
      else if (code === 0) reject(new Error(`its output is not JSON: ${text.slice(0, 100)}`));
      else resolve({ text: exitError(code), isFailure: true });
    });
    // A command may end without having read its event.
    child.stdin.on('error', () => undefined);
    child.stdin.end(eventText);
  });
}

function exitError(code: number | null): string {
  const errorMessage = `Error: Runtime exited with error: exit status ${code}`;
  return JSON.stringify({ errorType: 'Runtime.ExitError', errorMessage });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
