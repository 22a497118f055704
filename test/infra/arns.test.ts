import { App, Stack } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { type ArnKind, arnPattern, requireArn } from '../../infra/cdk/arns';
import { RESOURCE_BOUNDS } from '../../infra/cdk/resource-bounds';
import { Source, workflowTemplate } from '../../infra/index';
import type { PlainObject } from '../../infra/template/plain';
import { from, GIVEN, workflow } from '../support/given-resources';

// CDK imports what an ARN names as what its caller says. AWS rejects it in a deployment, or at the first delivery.

const PLACE = 'eu-west-1:111111111111';
/** An ARN of each kind, behind the partition. */
const ARNS: Readonly<Record<ArnKind, string>> = {
  function: `lambda:${PLACE}:function:charge:live`,
  table: `dynamodb:${PLACE}:table/records`,
  tableStream: `dynamodb:${PLACE}:table/records/stream/2026-11-20T00:00:00.000`,
  bucket: 's3:::results',
  queue: `sqs:${PLACE}:orders`,
  topic: `sns:${PLACE}:orders`,
  eventBus: `events:${PLACE}:event-bus/aws.partner/example.com/orders`,
  customEventBus: `events:${PLACE}:event-busv2/orders/1a2b3c`,
  role: 'iam::111111111111:role/teams/pay@shop',
  policy: 'iam::aws:policy/PowerUserAccess',
  key: `kms:${PLACE}:key/mrk-1a2b`,
  logGroup: `logs:${PLACE}:log-group:/aws/vendedlogs/pay:*`,
  stateMachine: `states:${PLACE}:stateMachine:Pay`,
  stream: `kinesis:${PLACE}:stream/orders`,
  cluster: `kafka:${PLACE}:cluster/shop/1a2b-3`,
  secret: `secretsmanager:${PLACE}:secret:AmazonMSK_login-1a2b3c`,
};
const KINDS = Object.keys(ARNS) as ArnKind[];

/** Texts that are not the ARN of a kind, each with its fault. */
function wrong(kind: ArnKind): readonly (readonly [what: string, arn: string])[] {
  const arn = `arn:aws:${ARNS[kind]}`;
  const others = KINDS.filter(other => other !== kind).map(other => `arn:aws:${ARNS[other]}`);
  const parts = arn.split(':');
  return [
    ['a blank behind it', `${arn} `],
    ['a line end behind it', `${arn}\n`],
    ['a blank before it', ` ${arn}`],
    ['upper case', arn.replace('arn:', 'ARN:')],
    ['a service in upper case', parts.with(2, parts[2]?.toUpperCase() ?? '').join(':')],
    ['no partition', parts.with(1, '').join(':')],
    ['the partition of no region', parts.with(1, 'aws-cn').join(':')],
    ['no resource', parts.slice(0, 5).join(':')],
    ['an empty resource', `${parts.slice(0, 5).join(':')}:`],
    ['a name alone', 'orders'],
    ...others.map(other => [`the ARN of another kind, ${other}`, other] as const),
  ];
}

test.each(KINDS)('%s: its ARN is accepted, and nothing else', kind => {
  expect(() => requireArn('option', kind, `arn:aws:${ARNS[kind]}`, 'eu-west-1')).not.toThrow();
  const accepted = wrong(kind).filter(([, arn]) => {
    try {
      requireArn('option', kind, arn, 'eu-west-1');
      return true;
    } catch {
      return false;
    }
  });

  expect(accepted).toEqual([]);
  expect(() => requireArn('option', kind, 'orders')).toThrow(
    /^`option` must be the ARN of an? .*, such as arn:aws:.*, got "orders"$/,
  );
});

test.each(['aws-cn:sqs:cn-north-1', 'aws-us-gov:sqs:us-gov-west-1', 'aws-new:sqs:a-new-region-1'])(
  'a queue of %s: accepted',
  place => {
    expect(() => requireArn('queue', 'queue', `arn:${place}:111111111111:orders.fifo`)).not.toThrow();
  },
);

const OTHER: Readonly<Record<string, string>> = {
  lambda: 'lambda:eu-west-1:111111111111:layer:charge:1',
  dynamodb: 'dynamodb:eu-west-1:111111111111:table/records/index/ByTime',
  sqs: 'sns:eu-west-1:111111111111:orders',
  sns: 'sns:eu-west-1:111111111111:orders:0c1d-2e3f',
  events: 'events:eu-west-1:111111111111:rule/orders',
  iam: 'iam::111111111111:user/payments',
  s3: 's3:eu-west-1:111111111111:accesspoint/results',
  kms: 'kms:eu-west-1:111111111111:alias/orders',
  logs: 'logs:eu-west-1:111111111111:log-stream:payments',
  states: 'states:eu-west-1:111111111111:express:Old:a:b',
  kinesis: 'kinesis:eu-west-1:111111111111:stream/orders/consumer/a:1',
  kafka: 'kafka:eu-west-1:111111111111:topic/shop/1a2b-3/orders',
  secretsmanager: 'ssm:eu-west-1:111111111111:parameter/login-1a2b3c',
};

const WAYS = Object.entries(GIVEN).flatMap(([option, ways]) =>
  Object.entries(ways).flatMap(([way, given]) =>
    /ARN|attributes|with a schema/.test(way) ? [{ option, way, given }] : [],
  ),
);

describe('an import of another kind of resource', () => {
  test('each option that a construct by ARN is given to is among them', () => {
    // The API of a resource, and constructs of the app alone.
    const constructsAlone = ['Source.http', 'grantTo', 'Monitoring'];
    expect([...new Set(WAYS.map(({ option }) => option)), ...constructsAlone].sort()).toEqual(
      Object.keys(RESOURCE_BOUNDS).sort(),
    );
  });

  test.each(WAYS.filter(({ given }) => /\barn\(/.test(String(given))))(
    '$option, $way: rejected',
    ({ option, given }) => {
      const app = new App();
      const [own, other] = ['Own', 'Other'].map(
        id => new Stack(app, id, { env: { account: '111111111111', region: 'eu-west-1' } }),
      ) as [Stack, Stack];
      const arn = (service: string) => `arn:aws:${OTHER[service]}`;

      const named = new RegExp(`\`${option}\` (?:must be the ARN of an? |takes a |must be a list of )`);
      expect(() => given({ own, other, arn })).toThrow(named);
    },
  );

  test.each<[string, (stack: Stack) => unknown]>([
    [
      'a table with a blank',
      stack => workflow(stack, { table: Table.fromTableName(stack, 'T', 'records ') }),
    ],
    [
      'a table whose name is an ARN',
      stack => workflow(stack, { table: Table.fromTableName(stack, 'T', `arn:aws:${ARNS.table}`) }),
    ],
    [
      'a bus whose name is an ARN',
      stack =>
        from(
          stack,
          Source.eventBridge(EventBus.fromEventBusName(stack, 'E', `arn:aws:${ARNS.eventBus}`), {
            source: ['shop'],
          }),
        ),
    ],
  ])('%s, by its name: rejected', (_, define) => {
    expect(() => define(new Stack(new App(), 'Own'))).toThrow(/must be the ARN of an? .*, got "arn:\*:/);
  });
});

describe('a file with another ARN or name', () => {
  const idempotencyKey = '{% $states.input.detail.id %}';
  /** Each member that takes an ARN, or a name: its kind, and what is accepted beside the ARN. */
  const MEMBERS: Readonly<Record<string, readonly [kind: ArnKind, (arn: string) => PlainObject]>> = {
    step: ['function', step => ({ step })],
    table: ['table', table => ({ table })],
    'table.fromTable.table': ['table', table => ({ table: { fromTable: { table, partitionKey: 'PK' } } })],
    role: ['role', role => ({ role })],
    encryptionKey: ['key', encryptionKey => ({ encryptionKey })],
    permissionsBoundary: ['policy', permissionsBoundary => ({ permissionsBoundary })],
    'monitoring.topic': ['topic', topic => ({ monitoring: { topic } })],
    'onFailure.queue': ['queue', queue => ({ onFailure: { queue: { queue } } })],
    'onFailure.eventBus': ['eventBus', eventBus => ({ onFailure: { eventBus: { eventBus } } })],
    'onSuccess.queue': ['queue', queue => ({ onSuccess: { queue: { queue } } })],
    'onSuccess.eventBus': ['eventBus', eventBus => ({ onSuccess: { eventBus: { eventBus } } })],
    'eventBridge.eventBus': [
      'eventBus',
      eventBus => ({ sources: [{ eventBridge: { eventBus, eventPattern: { source: ['shop'] } } }] }),
    ],
    'customEventBus.eventBus': [
      'customEventBus',
      eventBus => ({ sources: [{ customEventBus: { eventBus } }] }),
    ],
    'queue.queue': ['queue', queue => ({ sources: [{ queue: { queue } }] })],
    'topic.topic': ['topic', topic => ({ sources: [{ topic: { topic } }] })],
    'results.inBucket.bucket': ['bucket', bucket => ({ results: { inBucket: { bucket } } })],
    formerStateMachines: ['stateMachine', former => ({ formerStateMachines: [former] })],
  };

  test.each(Object.entries(MEMBERS))('%s: rejected by its name', (member, [kind, plain]) => {
    const other = kind === 'role' ? ARNS.function : ARNS.role;
    const named = new RegExp(`\`(?:${member}|${member.split('.')[0]})\` must be |Invalid S3 bucket name`);
    for (const given of [`arn:aws:${other}`, `arn:aws:${ARNS[kind]} `, 'orders of today'])
      expect(() => workflowTemplate({ idempotencyKey, scope: 'pay', ...plain(given) })).toThrow(named);
  });

  test.each([
    ['StepFunctionArn', 'function'],
    ['AlarmTopicArn', 'topic'],
    ['PermissionsBoundaryArn', 'policy'],
  ] as const)('a deployment may set %s to the ARN of a %s alone', (parameter, kind) => {
    const { template } = workflowTemplate({
      idempotencyKey,
      step: `arn:aws:${ARNS.function}`,
      permissionsBoundary: `arn:aws:${ARNS.policy}`,
      monitoring: { topic: `arn:aws:${ARNS.topic}`, oldestUnfinished: 'PT1H' },
    });

    expect(template['Parameters']).toMatchObject({ [parameter]: { AllowedPattern: arnPattern(kind) } });
  });
});
