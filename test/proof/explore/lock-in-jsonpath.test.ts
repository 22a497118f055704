import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { RecordTable } from '../../../infra/index';
import { subjectOfAssembly } from '../../../proof/explore/model/load-subject';
import type { Subject } from '../../../proof/explore/model/subject';
import { explore } from '../../../proof/explore/search/search';
import { replayTrace } from '../../../proof/explore/trace';
import { defineLock } from '../../support/lock-in-jsonpath';

// Its duplicates wait without a bound, so that two deliveries have no end to explore: they are replayed.
const BUDGET = { executions: 1, faults: 0, channels: ['direct'] as const };

/** Paths cannot make a time to live, so that its records never expire. */
const NO_EXPIRY = 'retentionIsKept';
/** It tries no request again. */
const NO_RETRIES = 'lostAnswersAreHarmless';

let lock: Subject;

beforeAll(() => {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-lock-'));
  const app = new App({ outdir: directory, context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Locked');
  const step = new LambdaFunction(stack, 'Charge', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => 1'),
  });
  defineLock(stack, new RecordTable(stack, 'Records').table, step);
  app.synth();
  const loaded = subjectOfAssembly(directory);
  rmSync(directory, { recursive: true, force: true });
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  lock = loaded.subject;
}, 60_000);

const without = (...unchecked: readonly string[]) => ({ ...lock, unchecked });

describe('a lock of its own in JSONPath, explored', () => {
  test('one delivery, without a fault: nothing is wrong but that its record never expires', async () => {
    expect((await explore(lock, BUDGET)).violation).toMatchObject({ invariant: NO_EXPIRY });
    expect((await explore(without(NO_EXPIRY), BUDGET)).violation).toBeUndefined();
  });

  test.each([
    ['the answer to the claim is lost: the execution fails, with its claim made', [NO_EXPIRY], NO_RETRIES],
    ['its key is stuck: no later delivery finishes the record', [NO_EXPIRY, NO_RETRIES], 'nothingIsStuck'],
  ])('one delivery, and a fault: %s', async (_, unchecked, invariant) => {
    const { violation } = await explore(without(...unchecked), { ...BUDGET, faults: 1 });
    expect(violation).toMatchObject({ invariant });
  });

  test.each([
    [
      'stopped behind its function: the next delivery waits for ever for a result that nobody writes',
      'start1 do1 do1 works1.1 abort1 pass start2 do2 do2 pass timer2 do2 pass timer2 do2',
      'IN_PROGRESS of direct-1, attempt 1',
      'E1 ABORTED; E2 in Wait for the other',
      undefined,
    ],
    [
      'its step fails: the next delivery runs it with the same fencing token',
      'start1 do1 do1 fail1.1 do1 end1 start2 do2 do2 do2',
      'IN_PROGRESS of direct-2, attempt 1',
      'E1 FAILED, PaymentDeclined; E2 in Business step',
      'onlyTheOwnerWrites',
    ],
  ])('%s', (_, schedule, record, executions, invariant) => {
    const budget = { ...BUDGET, executions: 2, faults: 1 };
    const { trace, violation } = replayTrace(without(NO_EXPIRY), budget, schedule.split(' '));

    expect(trace.at(-1)).toMatchObject({ record, executions });
    expect(violation?.invariant).toBe(invariant);
  });
});
