import { EvaluationThreads } from '../../../../packages/local/runtime/evaluation/evaluation-threads';
import type { Evaluator } from '../../../../packages/local/runtime/evaluation/evaluator';
import { PatientEvaluator } from '../../../../proof/explore/model/patient-evaluator';

const FOR_EVER = '( $again := function($n) { $again($n + 1) }; $again(0) )';
const job = (source: string) => ({ source, states: {}, variables: {}, now: 0, seed: '' });

/** Real threads, in which the first evaluations take a second whatever they are: the machine is busy. */
function busyFor(times: number): Evaluator & { readonly jobs: string[] } {
  const threads = new EvaluationThreads();
  const jobs: string[] = [];
  return {
    jobs,
    evaluate: (given, owner) => threads.evaluate(given, owner),
    evaluateAndWait: given => {
      jobs.push(given.source);
      return threads.evaluateAndWait(jobs.length > times ? given : job(FOR_EVER));
    },
  };
}

describe('an evaluator that waits for busy machines', () => {
  test('an expression that came too late: evaluated again', () => {
    const threads = busyFor(1);

    expect(new PatientEvaluator(threads).evaluateAndWait(job('1 + 1'))).toEqual({ kind: 'value', value: 2 });
    expect(threads.jobs).toHaveLength(2);
  });

  test('one that takes its second each time: failed as on the service, after five', () => {
    const threads = busyFor(0);
    const result = new PatientEvaluator(threads).evaluateAndWait(job(FOR_EVER));

    expect(result).toMatchObject({ kind: 'failed', problem: expect.stringContaining('timeout') });
    expect(threads.jobs).toHaveLength(5);
  });

  test('one that fails for itself: once', () => {
    const threads = busyFor(0);
    const result = new PatientEvaluator(threads).evaluateAndWait(job("$number('x')"));

    expect(result).toMatchObject({ kind: 'failed' });
    expect(threads.jobs).toHaveLength(1);
  });
});
