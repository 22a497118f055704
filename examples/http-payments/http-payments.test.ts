import { type LocalStack, startLocal } from '@onceflow/local';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { synthesized } from '../fixture';
import { charges, pay, play } from './play';
import { HttpPaymentsStack } from './stack';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

describe('payments by HTTP', () => {
  const { assembly, remove } = synthesized(app => {
    new HttpPaymentsStack(app, 'HttpPayments');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  });
  let stack: LocalStack;
  let url: string;
  beforeAll(async () => {
    stack = await startLocal({ assembly });
    url = stack.output('Url');
  });
  afterAll(async () => {
    await stack?.close();
    remove();
  });

  test('first, again, another amount, no key, declined, five at once: as the guide says, each charged once', async () => {
    const rows = await play(url);

    expect(rows.filter(row => !row.isRight)).toEqual([]);
    expect([...(await charges(stack))].sort()).toEqual([
      ['order-1', 1],
      ['order-3', 1],
    ]);
  });

  test('the local stack: tells which state machine the method starts', () => {
    const stateMachineArn = expect.stringMatching(/FrontDoor/);

    expect(stack.restApis[0]?.starts).toContainEqual({ method: 'POST /payments', stateMachineArn });
  });

  test('a client that does not wait: 202, and the answer at its location', async () => {
    const order = { orderId: 'order-4', amount: 4 };
    const sent = await pay(url, order, { 'Idempotency-Key': 'k-4', Prefer: 'respond-async' });
    const location = new URL(sent.headers.get('Location') ?? '', url);
    let answer = await fetch(location);
    while (answer.status === 202) answer = await fetch(location);

    expect(sent).toMatchObject({ status: 202, body: '{"status":"accepted"}' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('ETag')).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(await answer.json()).toMatchObject(order);
  });

  test('what a client writes is text: it adds no member, and no quote ends it', async () => {
    const orderId = `x@@y ' " \\ \n $input.body #set($x=1) \${q} </script> é 💳`;
    const headers = { 'Idempotency-Key': '"k-\\"5\\\\"', 'X-A': 'x", "principal": "root' };
    const sent = await pay(url, { orderId, amount: 5 }, headers);
    const { executions } = await stack.runtime.listExecutions({
      stateMachineArn: stack.output('StateMachineArn'),
      maxResults: 1,
    });
    const { input } = await stack.runtime.describeExecution(executions[0] ?? { executionArn: '' });

    expect(JSON.parse(sent.body)).toMatchObject({ orderId });
    expect(JSON.parse(input ?? '')).toEqual({
      idempotencyKey: ['anonymous', 'k-"5\\'],
      principal: 'anonymous',
      path: {},
      body: { orderId, amount: 5 },
    });
  });

  test('a page of a shop: its preflight and each answer name it, and what it may read', async () => {
    const Origin = 'https://pay.example';
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { Origin } });
    const rejected = await pay(url, { orderId: 'order-7', amount: 7 }, { Origin });

    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Idempotency-Key');
    expect(rejected.status).toBe(400);
    const untyped = { Origin, 'Content-Type': 'text/plain', 'Idempotency-Key': 'k-8' };
    const unread = await fetch(url, { method: 'POST', headers: untyped, body: '{}' });
    expect([unread.status, unread.headers.get('Content-Type')]).toEqual([415, 'application/problem+json']);
    expect(await unread.json()).toEqual({
      type: expect.stringMatching(/http-problems\.md#rejected$/),
      title: expect.stringMatching(/^The request was rejected/),
      reason: 'UNSUPPORTED_MEDIA_TYPE',
    });
    for (const { headers } of [preflight, rejected, unread]) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin);
      expect(headers.get('Access-Control-Expose-Headers')).toContain('Idempotent-Replayed');
    }
  });

  test('a body that is not JSON, and one that does not say so: rejected, and charged nothing', async () => {
    const post = (body: string, type: string) =>
      fetch(url, { method: 'POST', headers: { 'Content-Type': type, 'Idempotency-Key': 'k-6' }, body });
    const broken = await post('{"orderId":"order-6"', 'application/json');

    expect(broken.status).toBe(400);
    expect(broken.headers.get('Content-Type')).toContain('application/problem+json');
    expect(await broken.json()).toMatchObject({ type: expect.stringMatching(/#invalid-payload$/) });
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect(await charges(stack)).not.toContainEqual(['order-6', 1]);
  });
});
