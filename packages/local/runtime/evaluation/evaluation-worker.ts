import { type MessagePort, workerData } from 'node:worker_threads';
import { evaluate } from '../../language/index';
import { evaluateMapping } from '../../vtl/mapping';
import { seededIds } from '../ids';
import type { ThreadJob } from './job';
import { answer, type ThreadData } from './messages';

// The program of an evaluation thread (evaluation-thread.ts): one job after another.

const { port, answers } = workerData as ThreadData & { readonly port: MessagePort };

port.on('message', (job: ThreadJob) => {
  if ('template' in job) return answer(port, answers, evaluateMapping(job));
  const { source, states, variables, now, seed } = job;
  const { random, uuid } = seededIds(seed);
  const scope = { states, variables, evaluationContext: { now, random, uuid } };
  void evaluate(source, scope).then(result => answer(port, answers, result));
});
answer(port, answers, 'ready');
