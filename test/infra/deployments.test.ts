import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Annotations, Match, type Template } from 'aws-cdk-lib/assertions';
import { EventBus, Schedule } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  RecordTable,
  Recovery,
  Redrive,
  Source,
  Key as WorkflowKey,
} from '../../infra/index';
import { grantsIn, someFunction, synthesized } from '../support/synthesize';

/** The deployed resources of a workflow, its bus and its queue. */
interface Deployed {
  readonly id?: string;
  readonly props?: Partial<IdempotentWorkflowProps>;
  readonly sources?: readonly ('bus' | 'queue' | 'schedule')[];
  readonly isThere?: boolean;
}

const IDEMPOTENCY_KEY = WorkflowKey.unchecked('{% $states.input.source %}', {
  reason: 'nothing is delivered',
});

function deployed({
  id = 'Pay',
  props,
  sources = ['bus', 'queue'],
  isThere = true,
}: Deployed = {}): Template {
  return synthesized(stack => {
    const step = someFunction(stack);
    const bus = new EventBus(stack, 'Orders');
    const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 };
    const queue = new Queue(stack, 'Messages', { deadLetterQueue });
    if (!isThere) return;
    const workflow = new IdempotentWorkflow(stack, id, { idempotencyKey: IDEMPOTENCY_KEY, step, ...props });
    const all = {
      bus: () => Source.eventBridge(bus, { source: ['shop'] }),
      queue: () => Source.queue(queue),
      schedule: () => Source.schedule(Schedule.rate(Duration.hours(1))),
    };
    for (const source of sources) workflow.startFrom(all[source]());
  });
}

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

function resourcesOf(template: Template): Readonly<Record<string, Resource>> {
  return (template.toJSON() as { Resources: Record<string, Resource> }).Resources;
}

/** What may be lost where a resource is deleted: executions, what they need to end, events, records. */
const STATEFUL = new Set([
  'AWS::StepFunctions::StateMachine',
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::DynamoDB::Table',
]);

/** Properties whose change replaces the resource, of those that a workflow's settings reach. */
const REPLACING: Readonly<Record<string, readonly string[]>> = {
  'AWS::StepFunctions::StateMachine': ['StateMachineName', 'StateMachineType'],
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'AttributeDefinitions'],
};

/** The stateful resources that a deployment deletes: gone from the template or replaced, and not retained. */
function deletedBy(before: Template, after: Template): string[] {
  const next = resourcesOf(after);
  return Object.entries(resourcesOf(before)).flatMap(([name, resource]) => {
    if (!STATEFUL.has(resource.Type)) return [];
    const { [name]: same } = next;
    const isReplaced = (REPLACING[resource.Type] ?? []).some(
      property =>
        JSON.stringify(resource.Properties?.[property]) !== JSON.stringify(same?.Properties?.[property]),
    );
    if (!same) return /^Retain/.test(resource.DeletionPolicy ?? '') ? [] : [`${name}: deleted`];
    return isReplaced && resource.UpdateReplacePolicy !== 'Retain' ? [`${name}: replaced`] : [];
  });
}

describe('a deployment', () => {
  test.each<[string, Deployed, Deployed]>([
    ['the construct is renamed', {}, { id: 'Payments' }],
    [
      'Standard becomes Express',
      {},
      { props: { type: 'EXPRESS', timeout: Duration.seconds(96) }, sources: ['bus'] },
    ],
    [
      'Express becomes Standard',
      { props: { type: 'EXPRESS', timeout: Duration.seconds(96) }, sources: ['bus'] },
      {},
    ],
    ['the state machine gets a name', {}, { props: { stateMachineName: 'payments' } }],
    ['a source leaves', {}, { sources: ['bus'] }],
    ['all sources leave', {}, { sources: [] }],
    ['the function that redrives leaves', {}, { props: { redrive: Redrive.direct() } }],
    ['the function that redrives comes', { props: { redrive: Redrive.direct() } }, {}],
    ['the workflow leaves', {}, { isThere: false }],
  ])('%s: nothing that holds a promise is deleted', (_, before, after) => {
    expect(deletedBy(deployed(before), deployed(after))).toEqual([]);
  });

  test('sources in another order, and one more: the same resources', () => {
    const before = resourcesOf(deployed());
    const after = resourcesOf(deployed({ sources: ['schedule', 'queue', 'bus'] }));

    expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(before)));
    for (const [name, resource] of Object.entries(before)) expect(after[name]).toEqual(resource);
  });

  test('removal as a decision: everything goes', () => {
    const before = deployed({ props: { removalPolicy: RemovalPolicy.DESTROY } });

    expect(deletedBy(before, deployed({ isThere: false }))).not.toEqual([]);
  });

  test('a table of its own with a name, protected and bounded: as given', () => {
    const template = synthesized(stack => {
      new RecordTable(stack, 'Records', {
        tableName: 'payment-records',
        deletionProtection: true,
        maxWriteRequestUnits: 1000,
        maxReadRequestUnits: 500,
      });
    });

    template.hasResourceProperties('AWS::DynamoDB::Table', {
      TableName: 'payment-records',
      DeletionProtectionEnabled: true,
      OnDemandThroughput: { MaxWriteRequestUnits: 1000, MaxReadRequestUnits: 500 },
    });
  });
});

describe('two sources of one workflow', () => {
  function sourcesOf(ids: readonly (string | undefined)[]) {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Test');
    const bus = new EventBus(stack, 'Orders');
    const step = someFunction(stack);
    const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: IDEMPOTENCY_KEY, step });
    for (const id of ids) {
      workflow.startFrom(Source.eventBridge(bus, { source: ['shop'] }, id === undefined ? {} : { id }));
    }
  }

  test('of one bus: rejected until one of them has another id', () => {
    expect(() => sourcesOf([undefined, undefined])).toThrow(
      "the workflow already has a source with the id 'Orders'. Give one of them another id: { id: '…' }",
    );
    expect(() => sourcesOf([undefined, 'Refunds'])).not.toThrow();
  });
});

describe('the scope of the records', () => {
  const advice = /the id of this construct is the prefix of its records.*Set `scope`/;

  test.each([
    ['left to the id: said at synth', {}, 1],
    ['given: nothing is said', { scope: 'payments' }, 0],
  ])('%s', (_, props, said) => {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Test');
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: IDEMPOTENCY_KEY,
      step: someFunction(stack),
      ...props,
    });

    expect(Annotations.fromStack(stack).findInfo('*', Match.stringLikeRegexp(advice.source))).toHaveLength(
      said,
    );
  });
});

describe('what is said of a source of events', () => {
  const failedStep = /if the step of an event fails, the event is not delivered again/;
  const wholePayload = /each duplicate from this source costs an execution if the payload contains id, time/;

  test.each<[string, Partial<IdempotentWorkflowProps>, number, number]>([
    ['nobody sees to a step that fails', {}, 1, 0],
    ['it is retried', { retry: { errors: ['Busy'] } }, 0, 0],
    [
      'its event is delivered again',
      { recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } }) },
      0,
      0,
    ],
    ['the payload is the event as a whole', { payload: '{% $states.input %}' }, 1, 1],
    [
      'the payload is what a call leaves of the event',
      { payload: "{% $sift($states.input, function($v, $k) { $k in ['detail', 'source'] }) %}" },
      1,
      1,
    ],
    ['the payload is made of members', { payload: "{% $states.input.{'amount': detail.amount} %}" }, 1, 0],
    ['the payload is within a call', { payload: '{% $sort($states.input.detail.a) %}' }, 1, 0],
    ['the payload is a member', { payload: '{% $states.input.detail %}' }, 1, 0],
  ])('%s', (_, props, infos, warnings) => {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Test');
    const step = someFunction(stack);
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: IDEMPOTENCY_KEY,
      step,
      ...props,
    });
    workflow.startFrom(Source.eventBridge(new EventBus(stack, 'Orders'), { source: ['shop'] }));

    const said = Annotations.fromStack(stack);
    expect(said.findInfo('*', Match.stringLikeRegexp(failedStep.source))).toHaveLength(infos);
    expect(said.findWarning('*', Match.stringLikeRegexp(wholePayload.source))).toHaveLength(warnings);
  });
});

describe('settings of the state machine', () => {
  test('handed on as given', () => {
    const template = synthesized(stack => {
      const destination = new LogGroup(stack, 'Log');
      new IdempotentWorkflow(stack, 'Pay', {
        idempotencyKey: IDEMPOTENCY_KEY,
        step: someFunction(stack),
        stateMachineName: 'payments',
        role: new Role(stack, 'Runs', { assumedBy: new ServicePrincipal('states.amazonaws.com') }),
        logs: { destination, level: LogLevel.ALL },
        tracingEnabled: true,
        encryptionKey: new Key(stack, 'Key'),
      });
    });

    template.hasResourceProperties('AWS::StepFunctions::StateMachine', {
      StateMachineName: 'payments',
      RoleArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Runs'), 'Arn'] },
      LoggingConfiguration: Match.objectLike({ Level: 'ALL' }),
      TracingConfiguration: { Enabled: true },
      EncryptionConfiguration: Match.objectLike({ Type: 'CUSTOMER_MANAGED_KMS_KEY' }),
    });
  });

  test('logs of an Express workflow and of a dispatcher: errors, without data, in a group that AWS advises', () => {
    const express = deployed({ props: { type: 'EXPRESS', timeout: Duration.seconds(96) }, sources: ['bus'] });
    const dispatched = deployed({ sources: ['bus'] });

    for (const template of [express, dispatched]) {
      template.hasResourceProperties('AWS::StepFunctions::StateMachine', {
        StateMachineType: 'EXPRESS',
        LoggingConfiguration: Match.objectLike({ Level: 'ERROR', IncludeExecutionData: false }),
      });
      template.hasResourceProperties('AWS::Logs::LogGroup', {
        LogGroupName: {
          'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('^/aws/vendedlogs/states/')])],
        },
      });
    }
  });
});

describe('state machines that a workflow has had before', () => {
  test('by name, by ARN and as a construct: it may ask about their executions, and its recovery redrives them', () => {
    const template = synthesized(stack => {
      const step = someFunction(stack);
      const old = StateMachine.fromStateMachineArn(stack, 'Old', machine('Old'));
      const formerStateMachines = ['Older', machine('Oldest'), old];
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: IDEMPOTENCY_KEY, step, formerStateMachines });
    });

    const policies = grantsIn(template).map(([, statements]) => JSON.stringify(statements));
    const asking = policies.filter(policy => policy.includes('states:DescribeExecution'));
    const redriving = policies.filter(policy => policy.includes('states:RedriveExecution'));
    // The workflow, and its recovery.
    expect(asking).toHaveLength(2);
    expect(redriving).toHaveLength(1);
    for (const policy of [...asking, ...redriving]) {
      for (const name of ['Older', 'Oldest', 'Old']) expect(policy).toContain(`:execution:${name}:*`);
    }
  });
});

function machine(name: string): string {
  return `arn:aws:states:us-east-1:111111111111:stateMachine:${name}`;
}
