import { type MessagePort, workerData } from 'node:worker_threads';
import { evaluate } from '../../jsonata/jsonata';
import { seededIds } from '../ids';
import type { EvaluationJob } from './job';
import { answer, type ThreadData } from './messages';

// The program of an evaluation thread (evaluation-thread.ts): one job after another.

const { port, answers } = workerData as ThreadData & { readonly port: MessagePort };

port.on('message', ({ source, states, variables, now, seed }: EvaluationJob) => {
  const { random, uuid } = seededIds(seed);
  const scope = { states, variables, evaluationContext: { now, random, uuid } };
  void evaluate(source, scope).then(result => answer(port, answers, result));
});
answer(port, answers, 'ready');
