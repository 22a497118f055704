import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  type IdempotentWorkflowProps,
  Monitoring,
  Recovery,
  Redrive,
  Results,
  SuccessDestination,
} from '../../infra/index';
import { everySource } from '../support/every-source';
import { synthesized } from '../support/synthesize';

type Settings = (stack: Stack) => Partial<IdempotentWorkflowProps>;

const VARIANTS: Readonly<Record<string, Settings>> = {
  'every option that adds a resource': stack => ({
    results: Results.inBucket(new Bucket(stack, 'Results')),
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
    onSuccess: SuccessDestination.eventBus(new EventBus(stack, 'Successes')),
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 5 } }),
    keepPayload: true,
    payload: '{% $states.input.detail %}',
    metrics: true,
  }),
  'at most once, redriven directly': () => ({ delivery: 'at-most-once', redrive: Redrive.direct() }),
  Express: () => ({ type: 'EXPRESS', timeout: Duration.minutes(2), metrics: true }),
};

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** A workflow with every source, of which no resource is the app's own: those are named outside `Pay`. */
function resourcesOf(settings: Settings, props: Partial<IdempotentWorkflowProps> = {}) {
  const template: Template = synthesized(stack => {
    const all = { ...settings(stack), ...props };
    const workflow = everySource(stack, all);
    if (all.metrics) new Monitoring(stack, 'PayMonitoring', { workflow });
  });
  const { Resources } = template.toJSON() as { Resources: Record<string, Resource> };
  return Object.entries(Resources).filter(([name]) => name.startsWith('Pay'));
}

/** Names that need be unique in an account and region; an inline policy's is its role's affair. */
function literalNameOf({ Type, Properties = {} }: Resource): string | undefined {
  if (Type === 'AWS::IAM::Policy') return undefined;
  const kind = Type.split('::')[2];
  const name = Properties['Name'] ?? Properties[`${kind}Name`];
  return typeof name === 'string' ? name : undefined;
}

describe.each(Object.entries(VARIANTS))('a workflow with %s', (_, settings) => {
  let byDefault: ReturnType<typeof resourcesOf>;
  beforeAll(() => {
    byDefault = resourcesOf(settings);
  });

  test('by default: what is retained goes when the deployment that creates it is rolled back', () => {
    const policies = byDefault.map(([, { DeletionPolicy = 'Delete' }]) => DeletionPolicy);

    expect(new Set(policies)).toEqual(new Set(['Delete', 'RetainExceptOnCreate']));
  });

  test('by default: what is retained has no name that the next deployment would give again', () => {
    const retained = byDefault.filter(([, one]) => one.DeletionPolicy !== undefined);

    expect(retained.filter(([, one]) => literalNameOf(one) !== undefined)).toEqual([]);
  });

  test('DESTROY: nothing is retained', () => {
    const all = resourcesOf(settings, { removalPolicy: RemovalPolicy.DESTROY });
    const isKept = (one: Resource) => /Retain/.test(`${one.DeletionPolicy} ${one.UpdateReplacePolicy}`);

    expect(all.filter(([, one]) => isKept(one)).map(([name]) => name)).toEqual([]);
  });
});
