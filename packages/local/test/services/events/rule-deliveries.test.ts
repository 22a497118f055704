import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { WorkTracker } from '../../../runtime/time/work-tracker';
import type { RuleIdentity } from '../../../services/events/buses';
import { RuleDeliveries } from '../../../services/events/rule-deliveries';
import { TargetError } from '../../../services/rule-target';
import { Queues } from '../../../services/sqs/queues';
import { sampleEvent } from './sample-event';

const RULE = { name: 'r', arn: 'arn:aws:events:us-east-1:1:rule/r', eventBusName: 'b' } as RuleIdentity;
const TARGET = 'arn:aws:states:us-east-1:1:stateMachine:m';
const DEAD = 'arn:aws:sqs:us-east-1:1:dead';

/** Deliveries to a target that rejects so for good. */
function rejecting(error: unknown) {
  const queues = new Queues({ region: 'us-east-1', account: '1', now: () => 0, newId: () => 'id' });
  queues.create('dead');
  const deliveries = new RuleDeliveries({
    services: { ownerOf: () => ({ target: { deliver: () => Promise.reject(error) }, queues }) as never },
    clock: new VirtualClock(0),
    work: new WorkTracker(),
    random: () => 0,
  });
  return { queues, deliveries };
}

describe('an event that is given up', () => {
  const gone = new TargetError('NO_RESOURCE', 'there is no such machine', false);

  test.each([
    ['in its dead-letter queue', DEAD, `the event is in the dead-letter queue ${DEAD}`],
    [
      'dropped, as that queue is not there',
      `${DEAD}-2`,
      `the event is dropped, for its dead-letter queue ${DEAD}-2 is not there`,
    ],
    ['dropped, as it has none', undefined, 'the event is dropped, for the target has no dead-letter queue'],
  ])('%s: the error says so', async (_, deadLetterArn, where) => {
    const { deliveries, queues } = rejecting(gone);
    const target = { id: 't', arn: TARGET, ...(deadLetterArn !== undefined && { deadLetterArn }) };

    await expect(deliveries.deliver(target, '{}', sampleEvent(), RULE)).rejects.toThrow(
      `there is no such machine; ${where}`,
    );
    expect(queues.peek('dead')).toHaveLength(deadLetterArn === DEAD ? 1 : 0);
  });

  test('the rejection has no words: its code in their place, as an attribute cannot be empty', async () => {
    const { deliveries, queues } = rejecting(new TargetError('NO_RESOURCE', '', false));
    const target = { id: 't', arn: TARGET, deadLetterArn: DEAD };

    await expect(deliveries.deliver(target, '{}', sampleEvent(), RULE)).rejects.toThrow(TargetError);
    expect(queues.peek('dead')).toMatchObject([
      { messageAttributes: { ERROR_MESSAGE: { StringValue: 'NO_RESOURCE' } } },
    ]);
  });

  test('no input can be made of it: in the dead-letter queue as it came, with the reason', () => {
    const { deliveries, queues } = rejecting(gone);
    const event = sampleEvent();

    deliveries.discard({ id: 't', arn: TARGET, deadLetterArn: DEAD }, 'no such path', event, RULE);

    const [message] = queues.peek('dead') ?? [];
    expect(JSON.parse(message?.body ?? '')).toEqual(event);
    expect(message?.messageAttributes).toMatchObject({
      RULE_ARN: { StringValue: RULE.arn },
      TARGET_ARN: { StringValue: TARGET },
      ERROR_CODE: { StringValue: 'SDK_CLIENT_ERROR' },
      ERROR_MESSAGE: { StringValue: 'no such path' },
      RETRY_ATTEMPTS: { StringValue: '0' },
    });
  });
});

describe('a rejection', () => {
  /** The codes of an event that is given up at its first attempt, from its dead-letter queue. */
  async function codesOf(error: unknown, targetArn = TARGET): Promise<unknown> {
    const { deliveries, queues } = rejecting(error);
    const policy = { retryPolicy: { maximumRetryAttempts: 0 }, deadLetterArn: DEAD };
    await deliveries
      .deliver({ id: 't', arn: targetArn, ...policy }, '{}', sampleEvent(), RULE)
      .catch(() => {});
    const { ERROR_CODE: code, EXHAUSTED_RETRY_CONDITION: condition } =
      queues.peek('dead')?.[0]?.messageAttributes ?? {};
    return { code, isRetriable: condition !== undefined };
  }

  test.each<[string, Error, string, boolean]>([
    ['by the target, for good', new TargetError('NO_RESOURCE', 'x', false), 'NO_RESOURCE', false],
    ['by the target, for now', new TargetError('ERROR_FROM_TARGET', 'x', true), 'ERROR_FROM_TARGET', true],
    ['a fault on the way', new Error('socket hang up'), 'ERROR_FROM_TARGET', true],
  ])('%s: its code, and whether it is tried again', async (_, error, code, isRetriable) => {
    expect(await codesOf(error)).toMatchObject({ code: { StringValue: code }, isRetriable });
  });

  test('a target of a service that is not here: rejected for good', async () => {
    const deliveries = new RuleDeliveries({
      services: { ownerOf: () => undefined },
      clock: new VirtualClock(0),
      work: new WorkTracker(),
      random: () => 0,
    });
    const target = { id: 't', arn: 'arn:aws:sns:us-east-1:1:topic' };

    await expect(deliveries.deliver(target, '{}', sampleEvent(), RULE)).rejects.toMatchObject({
      code: 'NO_RESOURCE',
      message: expect.stringContaining('arn:aws:sns:us-east-1:1:topic has no local counterpart'),
      isRetriable: false,
    });
  });
});
