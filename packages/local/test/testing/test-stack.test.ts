import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import type { Json } from '../../json/json';
import { startTestStack, type TestStack } from '../../testing/test-stack';
import { synthesizeShop } from './shop';

const DAY = 24 * 3600 * 1000;
const ORDER = { orderId: 'order-1' };
const EVENT = { source: 'shop', 'detail-type': 'OrderPlaced', detail: ORDER };

let assembly: string;
let stack: TestStack;
beforeAll(() => {
  assembly = synthesizeShop();
});
beforeEach(async () => {
  stack = await startTestStack({ assembly });
});
afterEach(() => stack.close());

describe('a test stack delivers', () => {
  test('an event to a bus: its execution, a day later, with its output and its calls', async () => {
    const outcome = await stack.deliver({ eventBus: 'Shop/Orders/Bus', event: EVENT });

    expect(outcome).toMatchObject({
      ms: DAY,
      waiting: [],
      answers: [{ matchedRules: [expect.stringContaining('Placed')] }],
      executions: [
        {
          stateMachine: 'Shop/Orders/Machine',
          type: 'STANDARD',
          status: 'SUCCEEDED',
          input: ORDER,
          output: { receipt: 'r-order-1' },
        },
      ],
    });
    expect(outcome.calls.map(({ resource, stateName }) => [stateName, resource])).toEqual([
      ['Save order', 'dynamodb:putItem'],
      ['Charge', 'lambda:invoke'],
    ]);
    expect(outcome.calls[1]).toMatchObject({ answer: { output: { Payload: { receipt: 'r-order-1' } } } });
  });

  test('a message to a queue: taken by its function, nothing is left', async () => {
    const lines: string[] = [];
    await stack.close();
    stack = await startTestStack({ assembly, log: (_name, text) => lines.push(text) });
    const { answers } = await stack.deliver({ queue: 'Shop/Inbox', body: ORDER });

    expect(answers).toEqual([expect.objectContaining({ messageId: expect.any(String) })]);
    expect(lines.join('')).toContain('{"orderId":"order-1"}');
    expect(stack.messages('Shop/Inbox')).toEqual([]);
  });

  test('a message to a topic: it is in the queue that subscribes', async () => {
    await stack.deliver({ topic: 'Shop/News', message: 'hello' });

    expect(stack.messages('Shop/Mail')).toMatchObject([{ body: 'hello' }]);
  });

  test('an execution, three times at once: three, each with its own name', async () => {
    const { executions, answers } = await stack.deliver({
      stateMachine: 'Orders/Machine',
      input: ORDER,
      times: 3,
    });

    expect(answers).toHaveLength(3);
    expect(new Set(executions.map(({ name }) => name)).size).toBe(3);
  });

  test('a request to a REST API: its answer', async () => {
    const { answers } = await stack.deliver({ restApi: 'Shop/Api', path: '/orders', body: { a: 1 } });

    expect(answers).toEqual([expect.objectContaining({ status: 201, body: { got: { a: 1 } } })]);
  });

  test('an event to a function, and the firing of a schedule: answered, and the execution that it starts', async () => {
    const invoked = await stack.deliver({ function: 'Orders/ChargeFunction', payload: { orderId: 'x' } });
    const fired = await stack.deliver({ schedule: 'Shop/Orders/EachDay' });

    expect(invoked.answers).toEqual([{ kind: 'succeeded', payload: { receipt: 'r-x' } }]);
    expect(fired.executions).toMatchObject([{ stateMachine: 'Shop/Orders/Report', output: { sum: 7 } }]);
  });

  test('what waits for a token: named, and over when the token comes back', async () => {
    const { executions, waiting } = await stack.deliver({ stateMachine: 'Shop/Approval', input: {} });
    expect(executions).toMatchObject([{ status: 'RUNNING' }]);
    expect(waiting).toEqual([executions[0]?.executionArn]);

    const [message] = stack.messages('Shop/Mail');
    const taskToken = message?.body ?? '';
    const outcome = await stack.act(() => stack.runtime.taskResults.succeed({ taskToken, output: '"yes"' }));
    expect(outcome).toMatchObject({ waiting: [], executions: [{ status: 'SUCCEEDED', output: 'yes' }] });
  });

  test('an Express execution: its outcome', async () => {
    const { executions } = await stack.deliver({
      stateMachine: 'Shop/Short',
      input: { Records: [{ body: 1 }] },
    });

    expect(executions).toMatchObject([{ type: 'EXPRESS', status: 'SUCCEEDED', stateMachine: 'Shop/Short' }]);
  });

  test('that does not say where it goes: says what there is', async () => {
    await expect(stack.deliver({} as never)).rejects.toMatchObject({
      message: expect.stringMatching(
        /one of eventBus, queue, topic, stateMachine, function, restApi or schedule/,
      ),
    });
  });

  test('to a path that is of something else: says what it is, and no time passes', async () => {
    await expect(stack.deliver({ queue: 'Shop/News', body: '' })).rejects.toThrow(
      'Shop/News is not of the type AWS::SQS::Queue, but an AWS::SNS::Topic',
    );
    await expect(stack.deliver({ schedule: 'Shop/News' })).rejects.toThrow(
      'Shop/News (AWS::SNS::Topic) has no schedule',
    );
  });
});

describe('a test stack', () => {
  test('lets time pass: schedules fire', async () => {
    const { executions, ms } = await stack.pass(3 * DAY);

    expect(executions.map(({ stateMachine }) => stateMachine)).toEqual(Array(3).fill('Shop/Orders/Report'));
    expect(ms).toBe(3 * DAY);
  });

  test('an action that fails: rejects so, when all is at rest', async () => {
    const failing = stack.act(async () => {
      await stack.runtime.startExecution({
        stateMachineArn: stack.find('Shop/Orders/Machine').arn ?? '',
        input: JSON.stringify(ORDER),
      });
      throw new Error('gone wrong');
    });

    await expect(failing).rejects.toThrow('gone wrong');
    expect(stack.runtime.running()).toEqual([]);
  });

  test('started at a time: that is the time', async () => {
    await stack.close();
    stack = await startTestStack({ assembly, startAt: '2026-11-20T09:00:00Z' });

    expect(stack.now()).toBe(Date.parse('2026-11-20T09:00:00Z'));
  });
});

describe('faults of a test stack', () => {
  const order = async () => {
    const { executions, calls } = await stack.deliver({ stateMachine: 'Shop/Orders/Machine', input: ORDER });
    const [{ status, error } = { status: undefined, error: undefined }] = executions;
    return { status, error, called: calls.map(({ stateName }) => stateName) };
  };
  const saved = async () => {
    const { name } = stack.find('Shop/Orders/Table');
    const request = new GetItemCommand({ TableName: name, Key: { orderId: { S: 'order-1' } } });
    return (await stack.dynamoDb.client.send(request)).Item !== undefined;
  };

  test('a lost answer: the write is there, the state tries again', async () => {
    const fault = stack.faults.loseAnswer('dynamodb:putItem');

    expect(await order()).toEqual({ status: 'SUCCEEDED', called: ['Save order', 'Save order', 'Charge'] });
    expect(stack.calls[0]?.answer).toMatchObject({ error: 'DynamoDB.SdkClientException' });
    expect(fault.happened).toBe(1);
  });

  test('a step that fails twice: so it does, and then no more', async () => {
    stack.faults.failStep('Charge', { error: 'CardDeclined', times: 2 });

    expect(await order()).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
    expect(await order()).toMatchObject({ status: 'FAILED' });
    expect(await order()).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('killed after the call: aborted, and the call is made; before: it is not', async () => {
    stack.faults.killIn('Save order', { when: 'before' });
    expect(await order()).toMatchObject({ status: 'ABORTED', called: ['Save order'] });
    expect(await saved()).toBe(false);

    stack.faults.killIn('Save order');
    expect(await order()).toMatchObject({ status: 'ABORTED', called: ['Save order'] });
    expect(await saved()).toBe(true);
  });

  test('an Express execution that is killed: times out', async () => {
    stack.faults.killIn('Quick');
    const { executions, ms } = await stack.deliver({ stateMachine: 'Shop/Short', input: {} });

    expect(executions).toMatchObject([{ status: 'TIMED_OUT' }]);
    expect(ms).toBe(5 * 60_000);
  });

  test('throttled: by the error of its service', async () => {
    stack.faults.throttle('lambda:invoke');
    expect(await order()).toMatchObject({ status: 'FAILED', error: 'Lambda.TooManyRequestsException' });

    stack.faults.throttle('Save order');
    expect(await order()).toMatchObject({ error: 'DynamoDB.ProvisionedThroughputExceededException' });
  });

  test('a late answer, a failure behind it: both; a frozen call: waits', async () => {
    stack.faults.delayAnswer('Charge', { ms: 5000 });
    stack.faults.failStep('Charge', { error: 'Late' });
    const outcome = await stack.deliver({ stateMachine: 'Shop/Orders/Machine', input: ORDER });
    expect(outcome).toMatchObject({ ms: DAY + 5000, executions: [{ error: 'Late' }] });

    stack.faults.freeze('Charge');
    const frozen = await stack.deliver({ stateMachine: 'Shop/Orders/Machine', input: ORDER });
    expect(frozen.waiting).toHaveLength(1);
  });

  test('answered by the test: every call, by what it was called with', async () => {
    stack.faults.answerWith('Charge', ({ arguments: given }) => ({
      Payload: (given as { readonly Payload: Json }).Payload,
    }));
    const { executions } = await stack.deliver({ stateMachine: 'Shop/Orders/Machine', input: ORDER });

    expect(executions).toMatchObject([{ output: ORDER }]);
  });

  test('of one state machine: the same call of another goes on', async () => {
    const fault = stack.faults.failStep('lambda:invoke', { stateMachine: 'Shop/Short' });

    expect(await order()).toMatchObject({ status: 'SUCCEEDED' });
    expect(fault.happened).toBe(0);
    expect(stack.faults.outstanding.map(({ description }) => description)).toEqual([
      '"lambda:invoke" fails with States.TaskFailed',
    ]);
  });

  test('of a state in a distributed Map: happens in one of its executions', async () => {
    const fault = stack.faults.failStep('One', { error: 'Sick', stateMachine: 'Shop/Distributed' });
    const { executions } = await stack.deliver({ stateMachine: 'Shop/Distributed', input: {} });

    expect(fault.happened).toBe(1);
    const [parent, ...children] = executions.map(({ stateMachine }) => stateMachine);
    expect(parent).toBe('Shop/Distributed');
    expect(children).toEqual(Array(2).fill(expect.stringMatching(/^Shop\/Distributed\/[^/]+$/)));
  });

  test('taken back: does not happen', async () => {
    stack.faults.failStep('Charge').remove();
    stack.faults.failStep('Charge');
    stack.faults.clear();

    expect(await order()).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('of a call that no service makes: rejected, with the existing calls', () => {
    expect(() => stack.faults.failStep('charge')).toThrow(/no state is called "charge".*\n.*"Charge"/);
    expect(() => stack.faults.failStep('Think')).toThrow('the state "Think" calls no service');
    expect(() => stack.faults.failStep('Charge', { times: 0 })).toThrow('from 1, or Infinity, got 0');
  });
});

describe('without a port', () => {
  test('clients have an endpoint all the same', async () => {
    const { name } = stack.find('Shop/Orders/Machine', 'AWS::StepFunctions::StateMachine');
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const sfn = new SFNClient({ endpoint: stack.endpoint, region: stack.region, credentials });

    const { stateMachines } = await sfn.send(new ListStateMachinesCommand({}));
    sfn.destroy();

    expect(stateMachines?.map(machine => machine.name)).toContain(name);
    expect(stack.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
