import type { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { IdempotentWorkflow, Source } from '../../infra/index';
import { startDelaySeconds } from '../../state-machine/contract/start-delay';
import { type Backlog, workOff } from '../support/backlog';
import { randomFrom } from '../support/random';
import { definitionIn, someFunction, synthesized } from '../support/synthesize';

jest.setTimeout(120_000);

const MESSAGES = 200_000;
/** AWS Step Functions Developer Guide, "Service quotas": StartExecution, in the region with the lowest quota. */
const QUOTA = { perSecond: 150, bucket: 800 };

interface Mapping {
  readonly BatchSize: number;
  readonly ScalingConfig: { readonly MaximumConcurrency: number };
}

interface MessageQueue {
  readonly VisibilityTimeout: number;
  readonly RedrivePolicy: { readonly maxReceiveCount: number };
}

/** The properties of the one resource of a type whose id has this in it. */
function propertiesOf<Properties>(template: Template, type: string, part: string): Properties {
  const found = Object.entries(template.findResources(type)).filter(([id]) => id.includes(part));
  expect(found).toHaveLength(1);
  return found[0]?.[1]['Properties'] as Properties;
}

/** What a topic's queue, its function and its dispatcher are deployed with. */
function deployed(): Backlog {
  const template = synthesized(stack => {
    const idempotencyKey = '{% $states.input.orderId %}';
    const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack) });
    workflow.startFrom(Source.topic(new Topic(stack, 'Orders')));
  });
  const mapping = propertiesOf<Mapping>(template, 'AWS::Lambda::EventSourceMapping', 'Starter');
  const queue = propertiesOf<MessageQueue>(template, 'AWS::SQS::Queue', 'Messages');
  const { Retry: retriers } = definitionIn(template, /Dispatcher/).States['Start by key'] as unknown as {
    readonly Retry: readonly (Backlog['retry'] & { readonly JitterStrategy?: string })[];
  };
  const [retry] = retriers.filter(({ JitterStrategy }) => JitterStrategy === 'FULL');
  if (!retry) throw new Error('a rejected start is not retried by chance');
  const random = randomFrom(1);
  return {
    messages: MESSAGES,
    quota: QUOTA,
    batchSize: mapping.BatchSize,
    maximumConcurrency: mapping.ScalingConfig.MaximumConcurrency,
    visibilityTimeout: queue.VisibilityTimeout,
    maxReceiveCount: queue.RedrivePolicy.maxReceiveCount,
    retry,
    delayAfter: receives => startDelaySeconds(receives, random()),
  };
}

describe('a backlog of 200,000 messages where 150 can be started in a second', () => {
  const shipped = deployed();
  const { maximumConcurrency: _bound, delayAfter: _delay, ...withoutEither } = shipped;

  test('as it is deployed: every message is started, as fast as the quota lets them, in one receive each', () => {
    expect(workOff(shipped)).toEqual({
      started: MESSAGES,
      givenUp: 0,
      minutes: 22,
      invocations: MESSAGES / shipped.batchSize,
    });
  });

  test('with all the concurrency that Lambda has: started all the same, with three times the invocations', () => {
    const { started, givenUp, invocations } = workOff({ ...shipped, maximumConcurrency: 1000 });

    expect({ started, givenUp }).toEqual({ started: MESSAGES, givenUp: 0 });
    expect(invocations / (MESSAGES / shipped.batchSize)).toBeGreaterThan(2);
  });

  test('without a bound and without delays, and a visibility timeout of a minute: a third is given up', () => {
    const { givenUp } = workOff({ ...withoutEither, visibilityTimeout: 60 });

    expect(givenUp / MESSAGES).toBeGreaterThan(0.28);
  });

  test('without a bound and without delays: six times the timeout of the function is not enough', () => {
    const { givenUp } = workOff(withoutEither);

    expect(givenUp / MESSAGES).toBeGreaterThan(0.15);
  });

  test('nothing can be started for 40 minutes: every message is started afterwards', () => {
    const outage = { messages: 1_000, outageMinutes: 40 };

    expect(workOff({ ...shipped, ...outage })).toMatchObject({ started: 1_000, givenUp: 0 });
    expect(workOff({ ...withoutEither, ...outage })).toMatchObject({ started: 0, givenUp: 1_000 });
  });
});
