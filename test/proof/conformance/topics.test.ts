import { Queues } from '../../../packages/local/services/sqs/queues';
import type { CaseBase } from '../../../proof/conformance/cases/recorded-case';
import { ENVIRONMENT, queueArn, queueName, topicName } from '../../../proof/conformance/environment/names';
import { topicsOf } from '../../../proof/conformance/environment/topics';

const ARN = `arn:aws:sns:us-east-1:111111111111:${topicName('t')}`;

function open(setup: readonly object[]) {
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const queues = new Queues({ ...ENVIRONMENT, now: () => 0, newId });
  queues.create(queueName('q'));
  const recorded = { topics: { t: {} }, setup } as unknown as CaseBase;
  const references = new Map([
    ['TopicArn:t', ARN],
    ['QueueArn:q', queueArn('q')],
  ]);
  return { queues, topics: topicsOf(recorded, { queues, now: () => 0, newId, references }) };
}

describe('the topics of a case', () => {
  test('a queue that was subscribed: gets what is published, in an envelope', async () => {
    const request = { TopicArn: '${TopicArn:t}', Protocol: 'sqs', Endpoint: '${QueueArn:q}' };
    const { queues, topics } = open([{ service: 'sns', op: 'Subscribe', request }]);
    await topics.publish(ARN, { message: 'hello' });

    const [message] = queues.receive(queueName('q')) ?? [];
    expect(JSON.parse(message?.body ?? '{}')).toMatchObject({ Type: 'Notification', Message: 'hello' });
  });

  test('one that was deleted before: is not there', () => {
    const { topics } = open([{ service: 'sns', op: 'DeleteTopic', request: { TopicArn: '${TopicArn:t}' } }]);

    expect(topics.has(ARN)).toBe(false);
  });
});
