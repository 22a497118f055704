import { Duration, RemovalPolicies, RemovalPolicy, type Stack } from 'aws-cdk-lib';
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
    payload: '{% $exists($states.input.source) ? $states.input.source : $states.input.eventSource %}',
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
function resourcesOf(
  settings: Settings,
  props: Partial<IdempotentWorkflowProps> = {},
  aspect: (stack: Stack) => void = () => undefined,
) {
  const template: Template = synthesized(stack => {
    aspect(stack);
    const all = { ...settings(stack), ...props };
    const workflow = everySource(stack, all);
    if (all.metrics) new Monitoring(stack, 'PayMonitoring', { workflow });
  });
  const { Resources } = template.toJSON() as { Resources: Record<string, Resource> };
  return Object.entries(Resources).filter(([name]) => name.startsWith('Pay'));
}

/** A name that a resource would have again when it is put back: one that no other resource is part of. */
function fixedNameOf({ Type, Properties = {} }: Resource): unknown {
  // An inline policy's name is its role's affair.
  if (Type === 'AWS::IAM::Policy') return undefined;
  const kind = Type.split('::')[2];
  const name = Properties['Name'] ?? Properties[`${kind}Name`];
  return /"Fn::GetAtt"|"Ref":"(?!AWS::)/.test(JSON.stringify(name ?? null)) ? undefined : name;
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

  test('by default: what is retained has no name that it would have again when it is put back', () => {
    const retained = byDefault.filter(([, one]) => /Retain/.test(one.DeletionPolicy ?? ''));

    expect(retained.filter(([, one]) => fixedNameOf(one) !== undefined)).toEqual([]);
  });

  test.each<[string, Parameters<typeof resourcesOf>[1], Parameters<typeof resourcesOf>[2]]>([
    ['DESTROY', { removalPolicy: RemovalPolicy.DESTROY }, undefined],
    ['RemovalPolicies of the app', {}, stack => RemovalPolicies.of(stack.node.root).destroy()],
    [
      'RemovalPolicies of the app beside the option',
      { removalPolicy: RemovalPolicy.RETAIN },
      stack => RemovalPolicies.of(stack.node.root).destroy(),
    ],
  ])('%s: nothing is retained', (_, props, aspect) => {
    const all = resourcesOf(settings, props, aspect);
    const isKept = (one: Resource) => /Retain/.test(`${one.DeletionPolicy} ${one.UpdateReplacePolicy}`);

    expect(all.filter(([, one]) => isKept(one)).map(([name]) => name)).toEqual([]);
  });
});
