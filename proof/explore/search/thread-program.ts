import { parentPort, workerData } from 'node:worker_threads';
import { Expansion } from './expansion';
import type { Request, ThreadData } from './expansion-thread';
import { SeenStates } from './seen';

// The program of an expansion's thread: answers one request after another.

const { subject, budget, memory: first, index } = workerData as ThreadData;
const seen = new SeenStates(first);
const expansion = new Expansion(subject, budget, seen, index);

parentPort?.on('message', ({ name, given, memory }: Request) => {
  if (memory) seen.memory = memory;
  const method = expansion[name] as (...given: readonly unknown[]) => unknown;
  parentPort?.postMessage(method.apply(expansion, given as unknown[]));
});
