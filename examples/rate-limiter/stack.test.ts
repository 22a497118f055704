import { SFNClient } from '@aws-sdk/client-sfn';
import { startLocal } from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { startOnce } from 'onceflow/client';
import { checkFindings } from '../findings';
import { Limiter, REQUESTS_PER_DAY, type Request, synthesizeLimiter } from './limiter';
import { RateLimiterStack } from './stack';

const request = (number: number): Request & { readonly requestId: string } => ({
  requestId: `request-${number}`,
  user: 'ada',
  at: '2026-11-20T09:00:00Z',
});

describe('the rate limiter, asked by startOnce', () => {
  const { assembly, remove } = synthesizeLimiter();
  afterAll(remove);

  test('a pass, the same again, one too many: the caller learns which', async () => {
    const stack = await startLocal({ assembly, port: 0 });
    const client = new SFNClient({
      region: stack.region,
      endpoint: stack.endpoint,
      credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    });
    const ask = (one: Request) =>
      startOnce(client, {
        stateMachineArn: stack.output('StateMachineArn'),
        table: stack.output('RecordTableName'),
        scope: 'RateLimiter',
        key: one.requestId,
        input: { detail: one },
        waitUpTo: 30_000,
      });
    try {
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(request).map(ask));
      const isPass = ({ outcome }: (typeof answers)[number]) => outcome === 'started';

      expect(answers.filter(isPass)).toHaveLength(REQUESTS_PER_DAY);
      expect(answers.find(answer => !isPass(answer))).toMatchObject({
        outcome: 'failed',
        error: 'RateLimiter.QuotaExceeded',
      });
      expect(await ask(request(1 + answers.findIndex(isPass)))).toMatchObject({ outcome: 'duplicate' });
    } finally {
      client.destroy();
      await stack.close();
    }
  });
});

describe('the rate limiter that answers with { limited }', () => {
  const { assembly, remove } = synthesizeLimiter('limited');
  afterAll(remove);

  test('seven requests, and all again: five pass, two are limited, and each keeps its answer', async () => {
    const limiter = await new Limiter().open(assembly);
    try {
      const seven = [1, 2, 3, 4, 5, 6, 7].map(request);
      const ask = async () => (await limiter.ask(...seven)).map(({ output }) => JSON.parse(output ?? 'null'));
      const answers = await ask();

      expect(answers.filter(({ limited }) => limited === false)).toHaveLength(REQUESTS_PER_DAY);
      expect(answers.filter(({ limited }) => limited === true)).toHaveLength(2);
      expect(await ask()).toEqual(answers);
      expect(await limiter.countedOf('ada#2026-11-20')).toHaveLength(REQUESTS_PER_DAY);
    } finally {
      await limiter.close();
    }
  });
});

describe('the stack of the rate limiter', () => {
  const newApp = () => new App({ context: { 'aws:cdk:bundling-stacks': [] } });

  test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
    expect(() =>
      checkFindings(app => new RateLimiterStack(app, 'RateLimiter', { requestsPerDay: 5 })),
    ).not.toThrow();
  });

  test('no Lambda function takes part, but the one that brings an ended owner back', () => {
    const stack = new RateLimiterStack(newApp(), 'RateLimiter', { requestsPerDay: 5 });
    const functions = Object.keys(Template.fromStack(stack).findResources('AWS::Lambda::Function'));

    expect(functions).toEqual([expect.stringMatching(/RedriveFunction/)]);
  });

  test.each([0, -1, 2.5, 201, Number.NaN])('%d requests a day: rejected with the bounds', requestsPerDay => {
    expect(() => new RateLimiterStack(newApp(), 'RateLimiter', { requestsPerDay })).toThrow(
      /whole number from 1 to 200, got/,
    );
  });
});
