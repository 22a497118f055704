import { asset, closeAll, functionSpec, open, runCode } from './fixture';

afterEach(closeAll);

const WAITING = `
  const { pid } = process;
  let count = 0;
  exports.handler = async event => {
    count += 1;
    await new Promise(resolve => setTimeout(resolve, event.ms ?? 0));
    return { id: event.id, pid, count };
  };`;

interface Answer {
  readonly id: number;
  readonly pid: number;
  readonly count: number;
}

const answerOf = (outcome: unknown) => (outcome as { payload: Answer }).payload;

describe('environments of a function', () => {
  test('one event after another: the same environment, warm', async () => {
    const { call } = runCode(WAITING);

    const answers = [await call(), await call(), await call()].map(answerOf);

    expect(answers.map(({ count }) => count)).toEqual([1, 2, 3]);
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  });

  test('events at the same time: an environment each, up to the bound', async () => {
    const { call } = runCode(WAITING, { maxEnvironmentsPerFunction: 2 });

    const answers = (await Promise.all([1, 2, 3, 4, 5, 6].map(id => call({ id, ms: 50 })))).map(answerOf);

    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(2);
  });

  test('more events than environments: they run in the order they came', async () => {
    const { call } = runCode(WAITING, { maxEnvironmentsPerFunction: 1 });
    const order: number[] = [];

    await Promise.all([1, 2, 3, 4].map(id => call({ id }).then(outcome => order.push(answerOf(outcome).id))));

    expect(order).toEqual([1, 2, 3, 4]);
  });

  test('environment lost while events wait: they run in the next one', async () => {
    const { call } = runCode(
      'exports.handler = async event => { if (event.exit) process.exit(1); return event.id }',
      { maxEnvironmentsPerFunction: 1 },
    );

    const outcomes = await Promise.all([
      call({ exit: true }),
      call({ id: 1 }),
      call({ exit: true }),
      call({ id: 2 }),
    ]);

    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'functionError',
      'succeeded',
      'functionError',
      'succeeded',
    ]);
  });

  test('queue full: rejected', async () => {
    const { call } = runCode(WAITING, { maxEnvironmentsPerFunction: 1, maxWaitingPerFunction: 1 });

    const outcomes = await Promise.all([call({ ms: 30 }), call(), call()]);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded', 'serviceError']);
    expect(outcomes[2]).toMatchObject({ error: 'TooManyRequestsException' });
  });

  test('bound below one: rejected when it is given', () => {
    expect(() => open({ functions: [], maxEnvironmentsPerFunction: 0 })).toThrow(/must be at least 1, got 0/);
  });

  test('a log that throws: the function does not notice', async () => {
    const functions = open({
      functions: [
        functionSpec({ directory: asset({ 'index.js': 'exports.handler = async () => console.log(1)' }) }),
      ],
      log: () => {
        throw new Error('reader failed');
      },
    });

    expect(await functions.invoke('fn', {})).toEqual({ kind: 'succeeded', payload: null });
  });
});

describe('close', () => {
  test('events that run and wait: end as service errors', async () => {
    const { functions, call } = runCode(WAITING, { maxEnvironmentsPerFunction: 1 });
    const both = [call({ ms: 60_000 }), call()];

    await functions.close();

    const error = { kind: 'serviceError', error: 'ServiceException' };
    expect(await Promise.all(both)).toMatchObject([error, error]);
    expect(await call()).toMatchObject(error);
  });

  test('endless loop: stopped', async () => {
    const { functions, call, lines } = runCode(
      'exports.handler = async () => { console.log("in"); for (;;); }',
    );
    const running = call();
    while (lines.length === 0) await new Promise(setImmediate);

    await functions.close();

    expect(await running).toMatchObject({ kind: 'serviceError' });
  });
});
