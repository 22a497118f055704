import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FunctionSpec, LogLine } from '../../../services/lambda/function-spec';
import {
  createLambdaFunctions,
  type LambdaFunctions,
  type LambdaFunctionsOptions,
} from '../../../services/lambda/functions';
import type { InvokeOutcome } from '../../../services/lambda/outcome';

const opened: LambdaFunctions[] = [];
const written: string[] = [];

/** Writes the files of an asset to a directory of its own and returns its path. */
export function asset(files: Record<string, string>): string {
  // The real path: a stack trace shows it, whatever the temporary directory is a link to.
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'lambda-')));
  written.push(directory);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

/** A function with full defaults: `fn`, three seconds, 128 MB. */
export function functionSpec(changes: Partial<FunctionSpec> = {}): FunctionSpec {
  const name = changes.name ?? 'fn';
  return {
    arn: `arn:aws:lambda:eu-west-1:111111111111:function:${name}`,
    name,
    directory: '/nowhere',
    handler: 'index.handler',
    timeoutSeconds: 3,
    memoryMb: 128,
    environment: {},
    ...changes,
  };
}

type Running = Omit<LambdaFunctionsOptions, 'functions' | 'log'> & Partial<FunctionSpec>;

/** Runs one function `fn` whose `index.js` is `code`; `call` invokes it, `lines` is what it has written. */
export function runCode(code: string, changes: Running = {}) {
  return runFiles({ 'index.js': code }, changes);
}

/** As `runCode`, for an asset of several files. */
export function runFiles(files: Record<string, string>, changes: Running = {}) {
  const lines: LogLine[] = [];
  const functions = open({
    ...changes,
    functions: [functionSpec({ directory: asset(files), ...changes })],
    log: line => lines.push(line),
  });
  const call = (event: Parameters<LambdaFunctions['invoke']>[1] = {}, requestId?: string) =>
    functions.invoke('fn', event, requestId);
  return { functions, call, lines };
}

/** Functions that `closeAll` closes. */
export function open(options: LambdaFunctionsOptions): LambdaFunctions {
  const functions = createLambdaFunctions(options);
  opened.push(functions);
  return functions;
}

/** To be called after each test: no process and no directory outlives the test that made it. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map(functions => functions.close()));
  for (const directory of written.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** The payload of a function error, or a failure of the test that shows what came instead. */
export function errorPayload(outcome: InvokeOutcome): {
  errorType?: string;
  errorMessage: string;
  trace?: string[];
} {
  if (outcome.kind !== 'functionError') throw new Error(`no function error: ${JSON.stringify(outcome)}`);
  return JSON.parse(outcome.payloadText);
}
