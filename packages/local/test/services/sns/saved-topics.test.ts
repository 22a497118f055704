import { ServiceRegistry } from '../../../services/service-registry';
import { SUBSCRIPTION, type SubscriptionSpec, TOPIC } from '../../../services/sns/cloudformation';
import { SNS } from '../../../services/sns/service';
import { SQS } from '../../../services/sqs/service';
import type { StateDirectory } from '../../../state/directory';
import type { ValueKind } from '../../../state/persistent-values';
import { cleanUp, newPath, open, reopen } from '../../state/world';
import { contextOf } from '../service-context';

afterEach(cleanUp);

const TOPIC_ARN = 'arn:aws:sns:us-east-1:111111111111:made';
const queueArn = (name: string) => `arn:aws:sqs:us-east-1:111111111111:${name}`;

/** SNS and SQS on a directory, with a template's subscriptions of the topic, which it deploys, too. */
async function opened(directory: StateDirectory, deployed: readonly SubscriptionSpec[] = []) {
  const services = new ServiceRegistry();
  const topic = { name: 'made', arn: TOPIC_ARN, subscriptions: [] };
  const of = (type: object) => {
    if (type === TOPIC) return (deployed.length > 0 ? [topic] : []) as never[];
    return (type === SUBSCRIPTION ? deployed : []) as never[];
  };
  const context = contextOf({ directory, services, resources: { of, notRun: [], inert: [] } });
  const sqs = await SQS.open(context);
  services.add(sqs);
  services.add(await SNS.open(context));
  await services.restore();
  services.start();
  for (const name of ['a', 'b', 'c']) sqs.queues.create(name);

  const request = async (form: Record<string, string>) => {
    const route = services.ownerOf(TOPIC_ARN)?.route;
    const head = { method: 'POST', path: '/', query: new URLSearchParams(), headers: {} };
    const body = Buffer.from(new URLSearchParams(form).toString());
    const target = { service: '', operation: '' };
    const answer = await route?.handle({ ...head, target, body, requestId: 'r' });
    return String(answer?.body);
  };
  const bodiesIn = (name: string) => sqs.queues.peek(name)?.map(({ body }) => body);
  return { request, bodiesIn };
}

const subscribe = (name: string, ...attributes: readonly (readonly [string, string])[]) => ({
  Action: 'Subscribe',
  TopicArn: TOPIC_ARN,
  Protocol: 'sqs',
  Endpoint: queueArn(name),
  ...Object.fromEntries(
    attributes.flatMap(([key, value], index) => [
      [`Attributes.entry.${index + 1}.key`, key],
      [`Attributes.entry.${index + 1}.value`, value],
    ]),
  ),
});
const publish = { Action: 'Publish', TopicArn: TOPIC_ARN, Message: 'hello' };
const spec = (name: string, raw = true): SubscriptionSpec => {
  return { topicArn: TOPIC_ARN, protocol: 'sqs', endpoint: queueArn(name), raw };
};

describe('topics in a state directory', () => {
  test('made by request, with subscriptions, one of them ended: as they were, with attributes and order', async () => {
    const path = newPath();
    const { request } = await opened(await open(path));
    await request({ Action: 'CreateTopic', Name: 'made' });
    await request({ Action: 'CreateTopic', Name: 'gone' });
    await request(subscribe('c', ['RawMessageDelivery', 'true']));
    await request(subscribe('b', ['RawMessageDelivery', 'true'], ['FilterPolicy', '{"colour":["red"]}']));
    const answer = await request(subscribe('a'));
    const SubscriptionArn = /<SubscriptionArn>(.*)<\/SubscriptionArn>/.exec(answer)?.[1] ?? '';
    await request({ Action: 'Unsubscribe', SubscriptionArn });
    await request({ Action: 'DeleteTopic', TopicArn: TOPIC_ARN.replace('made', 'gone') });
    const before = await request({ Action: 'ListSubscriptions' });

    const again = await opened(await reopen(path));

    expect(await again.request({ Action: 'ListSubscriptions' })).toBe(before);
    expect(await again.request({ Action: 'ListTopics' })).not.toContain('gone');
    expect(await again.request(publish)).toContain('<MessageId>');
    expect([again.bodiesIn('a'), again.bodiesIn('b'), again.bodiesIn('c')]).toEqual([[], [], ['hello']]);
  });

  test('deployed, and the next template has another one instead: the old one ends, the ARN of the others stays', async () => {
    const path = newPath();
    const first = await opened(await open(path), [spec('a'), spec('b', false)]);
    await first.request(subscribe('c', ['RawMessageDelivery', 'true']));
    const before = await first.request({ Action: 'ListSubscriptions' });

    const again = await opened(await reopen(path), [spec('b')]);
    await again.request(publish);

    expect([again.bodiesIn('a'), again.bodiesIn('b'), again.bodiesIn('c')]).toEqual([
      [],
      ['hello'],
      ['hello'],
    ]);
    const arns = (text: string) => [...text.matchAll(/<SubscriptionArn>(.*?)</g)].map(([, arn]) => arn);
    const after = arns(await again.request({ Action: 'ListSubscriptions' }));
    expect(after.toSorted()).toEqual(arns(before).slice(1).toSorted());
  });

  const SUBSCRIBED = { arn: 's', number: 1, topicArn: 't', protocol: 'sqs', endpoint: 'q', raw: true };
  test.each<[string, ValueKind, string, object, string]>([
    ['a subscription of no topic', 'subscription', 's', SUBSCRIBED, 'the topic t is lost'],
    ['a subscription without members', 'subscription', 's', {}, 'subscription "s" is not what'],
    ['a filter that is none', 'subscription', 's', { ...SUBSCRIBED, policy: 5 }, 'subscription "s" is not'],
    ['a topic of another name', 'topic', 't', { topic: 'u' }, 'topic "t" is not what'],
  ])('%s: named', async (_case, kind, key, value, words) => {
    const directory = await open(newPath());
    await directory.write([{ kind, key, value }]);

    await expect(opened(directory)).rejects.toMatchObject({
      name: 'DamagedState',
      message: expect.stringContaining(words),
    });
  });
});
