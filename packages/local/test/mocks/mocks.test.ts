import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DefinitionBody, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { runToEnd } from '../../index';
import { machine, newDirectory, start } from '../stack/world';

const ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine';

function task(resource: string, more: object = {}): object {
  return { Type: 'Task', Resource: `arn:aws:states:::${resource}`, Parameters: {}, End: true, ...more };
}

/** What an execution of one state comes to, with mocks. */
async function outcome(state: object, mocks: object | string, { suffix = '', type = 'STANDARD' } = {}) {
  const world = await start(
    stack => {
      const definition = JSON.stringify({ StartAt: 'Ask', States: { Ask: state } });
      const stateMachineType = StateMachineType[type as 'STANDARD' | 'EXPRESS'];
      machine(
        stack,
        'orders',
        {},
        { definitionBody: DefinitionBody.fromString(definition), stateMachineType },
      );
    },
    { mocks },
  );
  const { runtime } = world.stack;
  const request = { stateMachineArn: `${ARN}:orders${suffix}` };
  if (type === 'EXPRESS') return { ...(await runtime.startSyncExecution(request)), events: [] };
  const { executionArn } = await runtime.startExecution(request);
  await runToEnd(runtime, world.clock);
  const { events } = await runtime.getExecutionHistory({ executionArn });
  const { status, output, error, cause } = await runtime.describeExecution({ executionArn });
  return { status, output, error, cause, events: events.map(event => event.type) };
}

const RETRY = { Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 1 }] };
const BUSY = { Throw: { Error: 'Busy', Cause: 'try again' } };

describe('a resource of a service that is not there', () => {
  test.each([
    'textract:detectDocumentText',
    'aws-sdk:polly:startSpeechSynthesisTask',
    'ecs:runTask',
    'http:invoke',
  ])('%s: the machine starts, and its mock answers', async resource => {
    const ended = await outcome(task(resource), { Answers: { [resource]: { Return: { a: 1 } } } });

    expect(ended).toMatchObject({ status: 'SUCCEEDED', output: '{"a":1}' });
  });

  test('without an answer: the call fails with the line to add, and nothing catches it', async () => {
    const caught = { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Ask' }], Retry: RETRY.Retry };

    const ended = await outcome(task('glue:startJobRun.sync', caught), { Answers: {} });

    expect(ended).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(ended.cause).toContain(`"glue:startJobRun.sync": {"Return": {}}`);
    expect(ended.cause).toContain(`"Ask": {"Return": {}}`);
  });

  test('a job and a task token: the mock is the result', async () => {
    const job = await outcome(task('glue:startJobRun.sync:2'), {
      Answers: { 'glue:startJobRun': { Return: 1 } },
    });
    const resource = 'sns:publish.waitForTaskToken';
    const Parameters = { TopicArn: 't', Message: 'm' };
    const token = await outcome(task(resource, { Parameters }), { Answers: { [resource]: { Return: 2 } } });

    expect(job).toMatchObject({ status: 'SUCCEEDED', output: '1' });
    expect(token).toMatchObject({ status: 'SUCCEEDED', output: '2' });
    expect(token.events).toContain('TaskSubmitted');
  });

  test('an activity, also one that is not there: the mock is what its worker answers', async () => {
    const elsewhere = 'arn:aws:states:eu-west-1:222222222222:activity:review';
    const state = { Type: 'Task', Resource: elsewhere, End: true, ...RETRY };

    const answered = await outcome(state, { Answers: { Ask: [BUSY, { Return: { ok: true } }] } });
    const byResource = await outcome(state, { Answers: { [elsewhere]: { Return: 1 } } });

    expect(answered).toMatchObject({ status: 'SUCCEEDED', output: '{"ok":true}' });
    expect(answered.events.filter(type => type.startsWith('Activity'))).toEqual([
      ...['ActivityScheduled', 'ActivityStarted', 'ActivityFailed'],
      ...['ActivityScheduled', 'ActivityStarted', 'ActivitySucceeded'],
    ]);
    expect(byResource).toMatchObject({ output: '1' });
  });

  test('an operation that a built service does not have is rejected, as on AWS', async () => {
    await expect(outcome(task('dynamodb:scan'), {})).rejects.toThrow(/dynamodb:scan is not recognized/);
  });
});

describe('which answer counts', () => {
  const from = (name: string) => ({ Return: name });

  test.each([
    [
      'the state of this machine',
      { 'orders/Ask': from('a'), Ask: from('b'), 'sns:publish': from('c') },
      '"a"',
    ],
    ['the state', { 'other/Ask': from('a'), Ask: from('b'), 'sns:publish': from('c') }, '"b"'],
    ['the resource', { Other: from('b'), 'arn:aws:states:::sns:publish': from('c') }, '"c"'],
  ])('%s', async (_, Answers, output) => {
    expect(await outcome(task('sns:publish', { Parameters: { Message: 'a' } }), { Answers })).toMatchObject({
      output,
    });
  });

  test('a list: one call after another, and the last one stays', async () => {
    const retry = { Retry: [{ ErrorEquals: ['Busy'], MaxAttempts: 5 }] };
    const Answers = { Ask: [BUSY, BUSY, from('done')] };

    const ended = await outcome(task('athena:getQueryResults', retry), { Answers });

    expect(ended).toMatchObject({ status: 'SUCCEEDED', output: '"done"' });
    expect(ended.events.filter(type => type === 'TaskFailed')).toHaveLength(2);
  });
});

describe('the file of Step Functions Local', () => {
  const file = {
    StateMachines: { orders: { TestCases: { Busy: { Ask: 'busy' }, Fine: { Ask: 'fine' } } } },
    MockedResponses: {
      fine: { 0: { Return: { StatusCode: 200 } } },
      busy: { '0-1': BUSY, 2: { Return: 'late' } },
    },
  };

  test.each([
    ['#Fine', '{"StatusCode":200}'],
    ['#Busy', '"late"'],
  ])('the test case %s behind the ARN of the machine', async (suffix, output) => {
    const made = path.join(newDirectory(), 'MockConfigFile.json');
    writeFileSync(made, JSON.stringify(file));

    expect(await outcome(task('ecs:runTask', RETRY), made, { suffix })).toMatchObject({
      status: 'SUCCEEDED',
      output,
    });
  });

  test('an Express execution has a test case, too', async () => {
    const ended = await outcome(task('ecs:runTask'), file, { suffix: '#Fine', type: 'EXPRESS' });

    expect(ended).toMatchObject({ status: 'SUCCEEDED', output: '{"StatusCode":200}' });
  });

  test('a test case that is not there is rejected with those that are', async () => {
    await expect(outcome(task('ecs:runTask'), file, { suffix: '#None' })).rejects.toThrow(
      /no test case None.*Busy, Fine/,
    );
  });

  test('an attempt that the file does not have fails by its number', async () => {
    const ended = await outcome(
      task('ecs:runTask', { Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 3 }] }),
      {
        Answers: { Ask: { 0: BUSY } },
      },
    );

    expect(ended).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(ended.cause).toContain("no answer for attempt 1 of the state 'Ask'; they have 0");
  });
});

test.each([
  [{ answers: {} }, 'answers is not known; write Answers, StateMachines, MockedResponses'],
  [{ Answers: [] }, 'Answers must be an object'],
  [{ Answers: { Ask: { Return: 1, Throw: 2 } } }, 'Answers.Ask must be {"Return"'],
  [{ Answers: { Ask: { Throw: {} } } }, 'Answers.Ask must be {"Return"'],
  [{ Answers: { Ask: { '2-1': {} } } }, 'Answers.Ask.2-1 must be Return, Throw, or attempts'],
  [{ Answers: { Ask: [] } }, 'Answers.Ask is an empty list'],
  [{ Answers: { Ask: 'none' } }, 'names the response none, which MockedResponses does not have'],
  ['/no/such/file.json', '/no/such/file.json does not exist'],
])('the mocks %j are rejected', async (mocks, problem) => {
  await expect(outcome(task('ecs:runTask'), mocks)).rejects.toThrow(problem);
});

describe('the files of the README', () => {
  const file = (name: string) => path.join(__dirname, '../readme', name);

  test('the answers: by resource, and by the state of a machine', async () => {
    const asked = await outcome(task('bedrock:invokeModel'), file('mocks.json'));

    expect(asked).toMatchObject({ status: 'SUCCEEDED', output: '{"Body":{"text":"yes"}}' });
  });

  test('the test cases: read as they are', async () => {
    const asked = outcome(task('ecs:runTask'), file('step-functions-local.json'), { suffix: '#Happy' });

    await expect(asked).rejects.toThrow(/no test case Happy of orders; those of this state machine: none/);
  });
});
