import { parentPort, workerData } from 'node:worker_threads';
import { Expansion } from './expansion';
import { SeenStates } from './seen';
import type { Request, ThreadData } from './threads';

// The program of an expansion's thread: answers one request after another.

const { subject, budget, memory, index } = workerData as ThreadData;
const seen = new SeenStates(memory);
const expansion = new Expansion(subject, budget, seen, index);

parentPort?.on('message', (request: Request) => parentPort?.postMessage(answerTo(request)));

function answerTo(request: Request): unknown {
  switch (request.kind) {
    case 'turn':
      if (request.memory) seen.memory = request.memory;
      return expansion.turn(request.most);
    case 'goDeeper':
      return expansion.goDeeper();
    case 'copy':
      return expansion.copy(request.which, request.piece);
    case 'give':
      return expansion.give(request.count);
    case 'take':
      return expansion.take(request.states);
    case 'summary':
      return expansion.summary();
  }
}
