import { type ApiWorld, call, openApi } from '../../api/test-endpoint';

/** SQS on an endpoint of its own for each test, asked over HTTP. */
export function openSqs() {
  const world: { current?: ApiWorld } = {};
  beforeEach(async () => {
    world.current = await openApi();
  });
  afterEach(() => world.current?.close());
  const current = () => {
    if (!world.current) throw new Error('a test asks before it began');
    return world.current;
  };

  async function sqs(operation: string, request: object) {
    const { status, headers, body } = await call(current().api, `AmazonSQS.${operation}`, request);
    return { status, code: headers.get('x-amzn-query-error'), body: body as Record<string, unknown> };
  }

  async function create(QueueName: string, Attributes?: object): Promise<string> {
    return String((await sqs('CreateQueue', { QueueName, Attributes })).body['QueueUrl']);
  }

  return { sqs, create, advanceBy: (ms: number) => current().clock.advanceBy(ms) };
}

/** An answer that rejects a request. */
export const rejected = (code: string, message: unknown) => ({
  status: 400,
  code: `${code};Sender`,
  body: { __type: expect.any(String), message },
});
