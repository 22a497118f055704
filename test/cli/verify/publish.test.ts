import { SFNClient } from '@aws-sdk/client-sfn';
import { cbor } from '@smithy/core/cbor';
import { publish } from '../../../cli/verify/publish';

const BUS = 'arn:aws:events:eu-west-1:111111111111:event-busv2/orders/1a2b3c4d5e6f7g8h9i0j1k2l3';
// Texts on both sides of the lengths at which CBOR writes another head.
const EVENTS = [3, 30, 300].map(length => ({
  Source: 'onceflow.verify',
  DetailType: 'OrderPlaced',
  Detail: JSON.stringify({ orderId: 'ä'.repeat(length) }),
}));

interface Sent {
  readonly hostname: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A client whose requests are answered with this status, and not sent. */
function clientOf(statusCode: number) {
  const sent: Sent[] = [];
  const sfn = new SFNClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: {
      handle: async (request: unknown) => {
        sent.push(request as Sent);
        return { response: { statusCode, headers: {}, body: Buffer.from([0xa0]) } } as never;
      },
    },
  });
  return { sent, aws: { sfn, signal: undefined } };
}

describe('PutEvents of a custom event bus', () => {
  test.each(EVENTS)('goes to the host of the service on AWS, signed for it: event %#', async event => {
    const { sent, aws } = clientOf(200);

    await publish(aws, BUS, event);

    const [{ hostname, path, headers, body } = {} as Sent] = sent;
    expect([hostname, headers['host'], path]).toEqual([
      'eventsv2.eu-west-1.amazonaws.com',
      'eventsv2.eu-west-1.amazonaws.com',
      '/service/AWSEventsV2/operation/PutEvents',
    ]);
    expect(headers['authorization']).toContain('/eu-west-1/events/aws4_request');
    expect(headers).toMatchObject({ 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' });
    expect(cbor.deserialize(body)).toEqual({ EventBusArn: BUS, Entries: [event] });
  });

  test('leaves the client as it was: its next call is one of Step Functions', async () => {
    const { sent, aws } = clientOf(200);
    const [event] = EVENTS;
    if (event) await publish(aws, BUS, event);

    expect(aws.sfn.middlewareStack.identify().filter(name => name.includes('PutEvents'))).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  test('rejected: says the status', async () => {
    const { aws } = clientOf(404);
    const [event] = EVENTS;
    if (!event) throw new Error('there is an event');

    await expect(publish(aws, BUS, event)).rejects.toThrow('PutEvents was answered 404');
  });
});
