import path from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { deliverEvent, runToEnd } from '../../index';
import { bodiesOf, start } from './world';

const APP = path.join(__dirname, 'sam');

describe('a template of SAM', () => {
  test('becomes what CloudFormation would deploy', async () => {
    const { stack } = await start(APP);
    const { stateMachines, functions, tables, rules, schedules, queueSources } = stack.assembly;

    expect(stateMachines.map(({ name, type }) => [name, type])).toEqual([
      ['sam-Flow', 'STANDARD'],
      ['quick', 'EXPRESS'],
    ]);
    expect(functions.map(({ name }) => name)).toEqual(['greet']);
    expect(tables.map(({ name }) => name)).toEqual(['orders']);
    expect(rules.map(({ pattern, schedule, enabled }) => [pattern ?? schedule, enabled])).toEqual([
      [{ source: ['shop'] }, true],
      ['rate(1 day)', false],
    ]);
    expect(schedules.map(({ expression, enabled }) => [expression, enabled])).toEqual([
      ['rate(7 days)', false],
    ]);
    expect(queueSources.map(({ batchSize }) => batchSize)).toEqual([1]);
    expect(stack.restApis.map(({ name, stage, methods }) => [name, stage, methods])).toEqual([
      ['web', 'v1', ['POST /quick/{id}', 'ANY /else']],
      ['ServerlessRestApi', 'Prod', ['GET /greet/{name}', 'POST /flow']],
    ]);
  });

  test('lists what is not run, each with its reason', async () => {
    const { stack } = await start(APP);

    expect(stack.notRun.map(({ logicalId, type, reason }) => `${logicalId}: ${reason ?? type}`)).toEqual([
      'GreetUpload: AWS::Serverless::Event::S3',
      'Old: it has the runtime java25',
      expect.stringMatching(/^Unbuilt: its code is not built: there is no .*sam.dist$/),
      'Socket: it is an HTTP or WebSocket API; of API Gateway, REST APIs are run',
      'Layer: AWS::Serverless::LayerVersion',
      'Fn::ForEach::Topics: Fn::ForEach',
    ]);
  });

  test('an event starts a state machine, whose definition is in a file and calls a function in a directory', async () => {
    const { stack } = await start(APP, { parameters: { Greeting: 'hi' } });

    const event = { source: 'shop', 'detail-type': 'placed', detail: { orderId: 'o-1' } };
    const executions = await deliverEvent(stack, event, 'default');

    expect(executions).toMatchObject([
      { status: 'SUCCEEDED', output: '{"orderId":"o-1","greeting":"hi function"}' },
    ]);
    const Key = { orderId: { S: 'o-1' } };
    const saved = await stack.dynamoDb.client.send(new GetItemCommand({ TableName: 'orders', Key }));
    expect(saved.Item).toEqual(Key);
  });

  test('a message of a queue reaches its function', async () => {
    const world = await start(APP);
    world.stack.queues.send('sam-Mails', 'a');
    await runToEnd(world.stack.runtime, world.clock);

    expect(bodiesOf(world, 'sam-Mails')).toEqual([]);
  });

  test('the APIs answer: of events, and of an OpenAPI document', async () => {
    const { stack, clock } = await start(APP);
    const asked = async (url: string, init: RequestInit = {}) => {
      const received = stack.httpRequests.received + 1;
      const answer = fetch(url, { ...init, headers: { 'content-type': 'application/json' } });
      while (stack.httpRequests.received < received) await new Promise(resolve => setTimeout(resolve, 1));
      await runToEnd(stack.runtime, clock);
      return (await answer).text();
    };
    const [web, pages] = stack.restApis.map(({ url }) => url);

    expect(await asked(`${stack.output('Pages')}greet/Ann`)).toBe('hello function Ann');
    expect(await asked(`${web}quick/1`, { method: 'POST', body: '{"a":1}' })).toBe('{"a":1}');
    expect(await asked(`${web}else`)).toMatch(
      /"ANY \/else is not run here: it has an integration of type HTTP_PROXY/,
    );
    expect(
      JSON.parse(await asked(`${pages}flow`, { method: 'POST', body: '{"orderId":"o"}' })),
    ).toMatchObject({
      executionArn: expect.stringContaining(':execution:sam-Flow:'),
    });
  });
});
