import { parentPort } from 'node:worker_threads';
import { evaluateKey } from './evaluate-key';
import type { Answer, KeyJob } from './key-taken';

// The program of a thread that evaluates keys (key-thread.ts): one job after another.

parentPort?.on('message', (job: KeyJob) => {
  void evaluateKey(job).then(answer);
});
answer('ready');

function answer(message: Answer): void {
  parentPort?.postMessage(message);
}
