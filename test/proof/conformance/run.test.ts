import path from 'node:path';
import { readCases } from '../../../proof/conformance/cases/case-files';
import { readCase } from '../../../proof/conformance/cases/read-case';
import type { ExecutionCase, RecordedCase } from '../../../proof/conformance/cases/recorded-case';
import type { Outcome } from '../../../proof/conformance/outcome';
import { runAll } from '../../../proof/conformance/run-all';
import { runCase } from '../../../proof/conformance/run-case';

/** A case with one Pass state that answers with what it was given. */
function caseOf(more: object): RecordedCase {
  const text = JSON.stringify({
    kind: 'execution',
    definition: {
      QueryLanguage: 'JSONata',
      StartAt: 'Pass',
      States: { Pass: { Type: 'Pass', End: true } },
    },
    input: { n: 1 },
    expected: { status: 'SUCCEEDED', output: { n: 1 } },
    historyOrder: 'none',
    ...more,
  });
  const read = readCase(text, 'made-up');
  if (read.kind !== 'case') throw new Error(read.reason);
  return read.recorded;
}

/** A definition with a field that the engine does not know. */
const PARQUET = {
  StartAt: 'Rows',
  States: {
    Rows: {
      Type: 'Map',
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        Parameters: { Bucket: 'b', Key: 'k' },
        ReaderConfig: { InputType: 'PARQUET' },
      },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'Row',
        States: { Row: { Type: 'Pass', End: true } },
      },
      End: true,
    },
  },
};

const stateOf = (state: object) => ({
  QueryLanguage: 'JSONata',
  StartAt: 'State',
  States: { State: state },
});

describe('the cases of this repository', () => {
  test('all pass', async () => {
    const results = await runAll(await readCases(path.join(__dirname, 'cases')), runCase);

    expect(results.filter(({ outcome }) => outcome.kind !== 'passed')).toEqual([]);
    expect(results.length).toBeGreaterThan(5);
  });
});

describe('a case', () => {
  test.each<[string, object, Outcome]>([
    ['that comes out as recorded: passes', {}, { kind: 'passed' }],
    [
      'that comes out otherwise: fails with the first difference',
      { expected: { status: 'SUCCEEDED', output: { n: 2 } } },
      { kind: 'failed', difference: { path: '/output/n', message: 'differs', expected: 2, actual: 1 } },
    ],
    [
      'of a service that is not there: is skipped for it',
      { services: ['lambda', 'kms'] },
      { kind: 'skipped', reason: 'kms' },
    ],
    [
      'with a FIFO topic: is skipped for it',
      { topics: { t: { attributes: { FifoTopic: 'true' } } } },
      { kind: 'skipped', reason: 'FIFO topics' },
    ],
    [
      'that calls while the execution runs: is skipped',
      { during: [{}] },
      { kind: 'skipped', reason: 'calls while the execution runs' },
    ],
    [
      'with a worker that is not known: is skipped for it',
      { workers: [{ behaviour: 'dance' }] },
      { kind: 'skipped', reason: 'a worker that does dance' },
    ],
    [
      'with an integration that the engine rejects by name: is skipped for it',
      { definition: PARQUET },
      { kind: 'skipped', reason: 'Distributed Map' },
    ],
  ])('%s', async (_title, more, outcome) => {
    expect(await runCase(caseOf(more))).toEqual(outcome);
  });

  test('that the engine rejects for a reason of the service: fails', async () => {
    const definition = stateOf({ Type: 'Pass' });

    const outcome = await runCase(caseOf({ definition }));

    expect(outcome).toMatchObject({
      kind: 'failed',
      difference: {
        message: expect.stringMatching(/^rejected: InvalidDefinition: .*SCHEMA_VALIDATION_FAILED/),
      },
    });
  });

  test('with a function of an unknown behavior: fails as an internal error, not as the state', async () => {
    const definition = stateOf({
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: '${LambdaName:f}' },
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'State' }],
      End: true,
    });

    const outcome = await runCase(caseOf({ definition, lambdas: { f: { behaviour: 'dance' } } }));

    expect(outcome).toMatchObject({
      kind: 'failed',
      difference: { message: expect.stringContaining('unknown behavior of a function: dance') },
    });
  });

  test('that never comes to an end: fails for its time', async () => {
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'Round',
      States: {
        Round: { Type: 'Wait', Seconds: 1, Next: 'And round' },
        'And round': { Type: 'Pass', Next: 'Round' },
      },
    };
    const end = { Type: 'Choice', Choices: [{ Condition: '{% false %}', Next: 'Done' }], Default: 'Round' };
    const States = { ...definition.States, 'And round': end, Done: { Type: 'Succeed' } };

    const outcome = await runCase(caseOf({ definition: { ...definition, States } }), 20);

    expect(outcome).toEqual({
      kind: 'failed',
      difference: { path: '/', message: 'takes longer than 0.02 s' },
    });
  });

  test('twice: the same ids, so that a failure comes again', async () => {
    const recorded = caseOf({ expected: { status: 'SUCCEEDED', output: 'an id' } }) as ExecutionCase;
    const definition = stateOf({ Type: 'Pass', Output: '{% $uuid() %}', End: true });

    const outcomes = [await runCase({ ...recorded, definition }), await runCase({ ...recorded, definition })];

    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(outcomes[0]).toMatchObject({ kind: 'failed', difference: { path: '/output' } });
  });
});

describe('a batch', () => {
  test('with a run that differs: fails with its number', async () => {
    const run = { ...(caseOf({}) as ExecutionCase) };
    const wrong = { ...run, expected: { status: 'SUCCEEDED', output: 2 } };

    const outcome = await runCase(caseOf({ kind: 'execution-batch', runs: [run, wrong] }));

    expect(outcome).toMatchObject({ kind: 'failed', difference: { path: '/runs/1/output' } });
  });
});

describe('calls of the API', () => {
  const created = (definition: object, more: object) => ({
    kind: 'api',
    calls: [
      {
        id: 'c1',
        op: 'CreateStateMachine',
        request: { name: 'm', roleArn: '${RoleArn}', definition: JSON.stringify(definition) },
        ...more,
      },
    ],
  });

  test('a definition that the service took and the engine rejects by name: skipped for it', async () => {
    const response = { stateMachineArn: '<arn>', creationDate: 'datetime' };

    expect(await runCase(caseOf(created(PARQUET, { response })))).toEqual({
      kind: 'skipped',
      reason: 'Distributed Map',
    });
  });

  test.each([
    ['nothing recorded', {}],
    ['an answer that was not recorded', { responseNotRecorded: true }],
  ])('an operation that is not there, with %s: fails', async (_case, more) => {
    const calls = [{ id: 'c1', op: 'Nope', request: {}, ...more }];

    expect(await runCase(caseOf({ kind: 'api', calls }))).toMatchObject({
      kind: 'failed',
      difference: { path: '/calls/0', message: 'is an error (Nope)' },
    });
  });

  test('a case that breaks the runner before it begins: fails', async () => {
    const recorded = { ...caseOf({}), services: 7 } as unknown as RecordedCase;

    expect(await runCase(recorded)).toMatchObject({
      kind: 'failed',
      difference: { message: expect.stringMatching(/^internal error: /) },
    });
  });

  test('a definition that the service rejected with other words: fails', async () => {
    const error = { code: 'InvalidDefinition', message: 'other words' };

    const outcome = await runCase(caseOf(created(PARQUET, { error })));

    expect(outcome).toMatchObject({ kind: 'failed', difference: { path: '/calls/0/error/message' } });
  });
});
