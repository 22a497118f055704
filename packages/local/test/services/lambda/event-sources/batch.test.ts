import { recordOf } from '../../../../services/lambda/event-sources/batch';
import { Queues } from '../../../../services/sqs/queues';

const ORIGIN = { queueArn: 'arn:aws:sqs:eu-west-1:1:dead', region: 'eu-west-1', account: '1' };

describe('a message as a record of the batch', () => {
  test('moved to a dead-letter queue, with attributes of texts and bytes: says where from, and each', () => {
    const queues = new Queues({ region: 'eu-west-1', account: '1', now: () => 0, newId: () => 'id' });
    queues.create('dead');
    const redrivePolicy = { deadLetterTargetArn: ORIGIN.queueArn, maxReceiveCount: 1 };
    queues.create('q', { redrivePolicy });
    const messageAttributes = {
      text: { DataType: 'String', StringValue: 'x' },
      bytes: { DataType: 'Binary', BinaryValue: 'AAE=' },
    };
    queues.send('q', 'a', { messageAttributes });
    queues.receive('q', { visibilitySeconds: 0 });
    queues.receive('q');

    const [record] = (queues.receive('dead') ?? []).map(message => recordOf(message, ORIGIN));

    expect(record).toMatchObject({
      eventSourceARN: ORIGIN.queueArn,
      attributes: {
        ApproximateReceiveCount: '2',
        DeadLetterQueueSourceArn: 'arn:aws:sqs:eu-west-1:1:q',
      },
      messageAttributes: {
        text: { dataType: 'String', stringValue: 'x', stringListValues: [], binaryListValues: [] },
        bytes: { dataType: 'Binary', binaryValue: 'AAE=', stringListValues: [], binaryListValues: [] },
      },
    });
    expect(record?.['messageAttributes']).not.toHaveProperty('bytes.stringValue');
  });
});
