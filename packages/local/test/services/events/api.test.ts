import { createEventBuses } from '../../../services/events/buses';
import { type ApiWorld, call, openApi } from '../../api/test-endpoint';

const delivered: string[] = [];
let world: ApiWorld;

beforeAll(async () => {
  const arn = 'arn:aws:states:us-east-1:111111111111:stateMachine:m';
  const eventBuses = createEventBuses({
    region: 'us-east-1',
    account: '111111111111',
    buses: ['orders'],
    rules: [
      {
        name: 'all',
        arn: 'arn:aws:events:us-east-1:111111111111:rule/orders/all',
        eventBusName: 'orders',
        pattern: { source: ['shop'] },
        enabled: true,
        targets: [{ id: 't', arn }],
      },
    ],
    deliveries: {
      deliver: async (_target, input) => delivered.push(input),
      discard: () => undefined,
      written: async () => undefined,
    },
    clock: { now: () => 0, at: () => () => undefined },
    newId: () => '00000000-0000-4000-8000-000000000000',
  });
  world = await openApi({ eventBuses });
});

afterAll(() => world.close());

describe('EventBridge on the endpoint', () => {
  const put = (body: unknown) => call(world.api, 'AWSEvents.PutEvents', body);
  const Entry = { Source: 'shop', DetailType: 'Placed', Detail: '{"n":1}', EventBusName: 'orders' };

  test('an event: its id, and it is delivered', async () => {
    const { status, headers, body } = await put({ Entries: [Entry] });

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-amz-json-1.1');
    expect(body).toEqual({
      Entries: [{ EventId: '00000000-0000-4000-8000-000000000000' }],
      FailedEntryCount: 0,
    });
    expect(JSON.parse(delivered[0] ?? '')).toMatchObject({ source: 'shop', detail: { n: 1 } });
  });

  test('an entry without JSON: that entry fails, the request does not', async () => {
    const { body } = await put({ Entries: [{ ...Entry, Detail: '{' }] });

    expect(body).toMatchObject({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'MalformedDetail' }] });
  });

  test('no entry: the whole request is rejected', async () => {
    const { status, body } = await put({ Entries: [] });

    expect(status).toBe(400);
    expect(body).toMatchObject({ __type: 'com.amazon.coral.validate#ValidationException' });
  });

  test('another operation: unknown', async () => {
    expect((await call(world.api, 'AWSEvents.PutRule', {})).status).toBe(400);
  });
});
