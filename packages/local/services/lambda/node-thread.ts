import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { environmentVariables } from './environment-variables';
import type { FunctionSpec } from './function-spec';
import { RESPONSE_BYTES_MAX } from './outcome';
import { OUTPUT_CHARACTERS_MAX, type Sandbox, type SandboxEvents } from './sandbox';
import type { Posted, WorkerData } from './worker/messages';
import { WORKER_SOURCE } from './worker/worker-source';

/** Starts a thread that loads a handler of Node.js. */
export function startNodeThread(
  spec: FunctionSpec,
  extra: Readonly<Record<string, string>>,
  { said, ended }: SandboxEvents,
): Sandbox {
  const key = randomUUID();
  const worker = startWorker(spec, extra, key);
  let ranOutOfMemory = false;
  // The handler shares the port and may post what it likes; only ours carries the key.
  worker.on('message', (posted: Partial<Posted> | null | undefined) => {
    if (posted?.key === key && posted.message) said(posted.message);
  });
  worker.on('error', error => {
    ranOutOfMemory ||= 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  });
  worker.on('exit', exitCode => ended(ranOutOfMemory ? 'outOfMemory' : exitCode));
  // An environment that is not closed must not keep the process alive; while an event runs, its timer does.
  // Comes last, because a new listener would keep the process alive again.
  worker.unref();
  return { send: message => worker.postMessage(message), terminate: () => worker.terminate() };
}

function startWorker(spec: FunctionSpec, extra: Readonly<Record<string, string>>, key: string): Worker {
  const { NODE_OPTIONS: nodeOptions, ...env } = environmentVariables(spec, extra);
  const workerData: WorkerData = {
    key,
    taskRoot: spec.directory,
    handler: spec.handler,
    functionArn: spec.arn,
    nodeOptions,
    responseBytesMax: RESPONSE_BYTES_MAX,
    outputCharactersMax: OUTPUT_CHARACTERS_MAX,
  };
  return new Worker(WORKER_SOURCE, {
    eval: true,
    env,
    // Not the host's own options: its loaders are no part of the function's world.
    execArgv: [],
    name: spec.name,
    resourceLimits: { maxOldGenerationSizeMb: spec.memoryMb },
    // Keeps Node from copying the worker's streams to the host's. They carry nothing once the capture stands,
    // and are not read, for a reader would keep the process alive.
    stderr: true,
    stdout: true,
    workerData,
  });
}
