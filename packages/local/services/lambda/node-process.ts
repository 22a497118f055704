import path from 'node:path';
import { EnvironmentProcess, type ProcessEvents } from './environment-process';
import { environmentVariables, hostVariables } from './environment-variables';
import type { FunctionSpec } from './function-spec';
import type { NodeConfiguration } from './messages';
import { RESPONSE_BYTES_MAX } from './outcome';
import { PROGRAMS } from './programs';

const MEBIBYTE = 1024 * 1024;

/** Resident memory that Node.js itself takes, its own file apart. In Lambda it counts, and is about as large. */
const BASE_BYTES = 48 * MEBIBYTE;

/** Milliseconds after which a process that nobody has needed is ended. */
const SPARE_MS_MAX = 10_000;

/**
 * Processes that have started and do not know yet what function they are for, by its memory in MB: one of each size
 * that was needed lately, for all stacks of this process. A start takes longer than most handlers.
 */
const spares = new Map<number, { readonly process: EnvironmentProcess; readonly end: NodeJS.Timeout }>();

/** Has a process ready for the next environment with so much memory. */
export function prepareNodeProcess(memoryMb: number): void {
  if (spares.get(memoryMb)?.process.isAlive) return;
  const end = setTimeout(() => void takeSpare(memoryMb)?.terminate(), SPARE_MS_MAX).unref();
  spares.set(memoryMb, { process: start(memoryMb), end });
}

/** A process that loads a handler of Node.js. */
export function startNodeProcess(
  spec: FunctionSpec,
  extra: Readonly<Record<string, string>>,
  events: ProcessEvents,
): EnvironmentProcess {
  const started = takeSpare(spec.memoryMb) ?? start(spec.memoryMb);
  const configuration: NodeConfiguration = {
    environment: environmentVariables(spec, extra),
    taskRoot: spec.directory,
    handler: spec.handler,
    functionArn: spec.arn,
    runtime: spec.runtime,
    responseBytesMax: RESPONSE_BYTES_MAX,
  };
  started.listen(events);
  started.write(configuration);
  prepareNodeProcess(spec.memoryMb);
  return started;
}

function takeSpare(memoryMb: number): EnvironmentProcess | undefined {
  const { process, end } = spares.get(memoryMb) ?? {};
  clearTimeout(end);
  spares.delete(memoryMb);
  return process?.isAlive ? process : undefined;
}

/** With the bounds of the heap that Lambda sets. Not with this process's own options: its loaders are not the function's. */
function start(memoryMb: number): EnvironmentProcess {
  const heap = [
    `--max-old-space-size=${Math.floor(memoryMb * 0.9)}`,
    `--max-semi-space-size=${Math.floor(memoryMb * 0.05)}`,
  ];
  return new EnvironmentProcess({
    command: process.execPath,
    arguments: [...heap, path.join(PROGRAMS, 'node/main.js')],
    environment: { ...hostVariables(), LANG: 'en_US.UTF-8', TZ: ':UTC' },
    memoryBytes: memoryMb * MEBIBYTE + BASE_BYTES,
  });
}
