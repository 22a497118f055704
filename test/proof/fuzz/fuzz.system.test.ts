import { withSynthesizedApp } from '../../../cli/app/synthesize';
import { fuzz } from '../../../proof/fuzz/run';
import { FUZZED_APP, startStack } from '../../../proof/fuzz/stack';
import { runs } from '../../support/scale';
import { newDirectory } from '../../support/shared';

/** `npm run fuzz` sends 200,000 by default, which takes a quarter of an hour. */
const REQUESTS = Number(process.env['ONCEFLOW_REQUESTS'] ?? runs(3_000, 5_000));

test(
  `${REQUESTS} random requests, a kill between them: the stack answers, others go on, what has ended stays so`,
  async () => {
    const state = newDirectory();

    const report = await withSynthesizedApp(
      assembly =>
        fuzz(() => startStack(assembly, state), {
          requests: REQUESTS,
          seed: 1,
          concurrency: 16,
          state: true,
          restarts: 1,
          progress: { begin() {}, show() {}, clear() {} },
          signal: new AbortController().signal,
        }),
      undefined,
      FUZZED_APP,
    );

    expect(report.wrong).toEqual([]);
    expect(report.requests).toBe(REQUESTS);
    // Each service carries out some of them.
    const reached = new Set(Object.keys(report.accepted).map(title => title.split(' ')[0]));
    expect([...reached].sort()).toEqual([
      'api',
      'dynamodb',
      'events',
      'lambda',
      's3',
      'sns',
      'sqs',
      'states',
    ]);
  },
  120_000 + REQUESTS * 20,
);
