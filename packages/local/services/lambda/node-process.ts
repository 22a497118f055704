import path from 'node:path';
import { type Bounds, EnvironmentProcess, type ProcessEvents } from './environment-process';
import { environmentVariables, hostVariables } from './environment-variables';
import type { FunctionSpec } from './function-spec';
import type { NodeConfiguration } from './messages';
import { RESPONSE_BYTES_MAX } from './outcome';
import { PROGRAMS } from './programs';

/** Milliseconds after which an unused process is ended. */
const SPARE_MS_MAX = 10_000;

/**
 * Processes that have started and do not know yet what function they are for, by their bounds: one for each that were
 * needed lately, for all stacks of this process. A start takes longer than most handlers.
 */
const spares = new Map<string, { readonly process: EnvironmentProcess; readonly end: NodeJS.Timeout }>();

/** Has a process ready for the next environment with these bounds. */
export function prepareNodeProcess(bounds: Bounds): void {
  const key = keyOf(bounds);
  if (spares.get(key)?.process.isAlive) return;
  takeSpare(key);
  const end = setTimeout(() => void takeSpare(key)?.terminate(), SPARE_MS_MAX).unref();
  spares.set(key, { process: start(bounds), end });
}

/** A process that loads a handler of Node.js. */
export function startNodeProcess(
  spec: FunctionSpec,
  extra: Readonly<Record<string, string>>,
  events: ProcessEvents,
): EnvironmentProcess {
  const started = takeSpare(keyOf(spec)) ?? start(spec);
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
  prepareNodeProcess(spec);
  return started;
}

function keyOf({ memoryMb, storageMb }: Bounds): string {
  return `${memoryMb} ${storageMb}`;
}

function takeSpare(key: string): EnvironmentProcess | undefined {
  const { process, end } = spares.get(key) ?? {};
  clearTimeout(end);
  spares.delete(key);
  return process?.isAlive ? process : undefined;
}

/** With the bounds of the heap that Lambda sets. Not with this process's options: its loaders are not the function's. */
function start(bounds: Bounds): EnvironmentProcess {
  const heap = [
    `--max-old-space-size=${Math.floor(bounds.memoryMb * 0.9)}`,
    `--max-semi-space-size=${Math.floor(bounds.memoryMb * 0.05)}`,
  ];
  return new EnvironmentProcess({
    command: process.execPath,
    arguments: [...heap, path.join(PROGRAMS, 'node/main.js')],
    environment: { ...hostVariables(), LANG: 'en_US.UTF-8', TZ: ':UTC' },
    bounds,
  });
}
