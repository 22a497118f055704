import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Fn, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { forwardOrders, startFromForwarded } from '../../docs/guide/snippets/central-bus';
import { RESOURCE_BOUNDS } from '../../infra/cdk/resource-bounds';
import { RecordTable, Source } from '../../infra/index';
import type { Environment } from '../../state-machine/template/environment';
import { events, from, GIVEN, type Given, workflow } from '../support/given-resources';

const OWN: Environment = { account: '111111111111', region: 'eu-west-1' };
const OTHER_ACCOUNT: Environment = { account: '222222222222', region: 'eu-west-1' };
const OTHER_REGION: Environment = { account: '111111111111', region: 'eu-central-1' };
/** The template of an app whose workflow is in one environment, or in none, and its resource in another. */
function templateWith(given: Given, its: Environment, own: Environment | undefined): string {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Own', own && { env: own });
  const other = new Stack(app, 'Other', { env: its });
  const places: Readonly<Record<string, string>> = { iam: `:${its.account}`, s3: ':' };
  const arn = (service: string, resource: string) =>
    `arn:aws:${service}:${places[service] ?? `${its.region}:${its.account}`}:${resource}`;
  given({ own: stack, other, arn });
  return JSON.stringify(app.synth().getStackByName('Own').template);
}

/** CDK itself rejects these stacks, because each would depend on the other. */
const CIRCULAR = ['role', 'grantTo', 'Source.http'];

const CASES = Object.entries(GIVEN).flatMap(([option, ways]) =>
  Object.entries(ways).map(([way, given]) => ({ option: option as keyof typeof GIVEN, way, given })),
);

const PARTS = { account: OTHER_ACCOUNT, region: OTHER_REGION } as const;

describe.each(Object.entries(PARTS))('a resource of another %s', (part, its) => {
  const isOwn = (option: keyof typeof GIVEN) =>
    (RESOURCE_BOUNDS[option].own as readonly string[]).includes(part);

  // The ARN of a bucket says neither.
  const rejected = CASES.filter(
    ({ option, way }) => isOwn(option) && !(option === 'results' && way === 'by ARN'),
  );

  test.each(rejected)('$option, $way: rejected', ({ option, given }) => {
    const { own, because, remedy } = RESOURCE_BOUNDS[option];
    const where = own.map(one => OWN[one]).join(' and ');
    const got = own.map(one => its[one]).join(' and ');

    expect(() => templateWith(given, its, OWN)).toThrow(
      new RegExp(
        `\`${option}\` must be in the ${own.join(' and ')} of the stack, ${where}, because ${because}; got \\S+ of ${got}\\. `,
      ),
    );
    expect(() => templateWith(given, its, OWN)).toThrow(remedy);
  });

  const named = CASES.filter(({ option, way }) => !isOwn(option) && (option !== 'role' || way === 'by ARN'));

  test.each(named)('$option, $way: named with where it is', ({ option, given }) => {
    const template = templateWith(given, its, OWN);
    // A role is global, and the names of buckets are.
    if (option !== 'role' && option !== 'results') expect(template).toContain(its[part as keyof Environment]);
    expect(template).not.toMatch(/"TableName\\*":\\*"records/);
  });
});

describe('a resource of the own account and region', () => {
  const possible = CASES.filter(({ option, way }) => way !== 'of a stack' || !CIRCULAR.includes(option));

  test.each(possible)('$option, $way: accepted', ({ given }) => {
    expect(templateWith(given, OWN, OWN)).not.toMatch(/"TableName\\*":\\*"arn/);
  });
});

// A stack without `env` is deployed anywhere: what has an ARN is named by it, and AWS decides.
describe('a stack whose account and region only the deployment knows', () => {
  const byArn = CASES.filter(({ way }) => /ARN|attributes/.test(way));

  test.each(byArn)('$option, $way: no name alone', ({ given }) => {
    const template = templateWith(given, OTHER_ACCOUNT, undefined);

    expect(template).not.toMatch(/"TableName\\*":\\*"records/);
    expect(template).not.toContain('"EventBusName":"default"');
  });

  test('a bus and a table out of parameters: as they are', () => {
    const app = new App();
    const stack = new Stack(app, 'Own');
    const bus = EventBus.fromEventBusArn(stack, 'E', Fn.importValue('bus'));
    const table = Table.fromTableArn(stack, 'T', Fn.importValue('table'));
    workflow(stack, { table }).startFrom(Source.eventBridge(bus, events));
    const template = JSON.stringify(app.synth().getStackByName('Own').template);

    expect(template).toContain('"EventBusName":{"Fn::ImportValue":"bus"}');
    expect(template).toContain('\\"TableName\\":\\"",{"Fn::ImportValue":"table"}');
  });
});

test('a queue of a stack of another account: rejected, because its policy cannot name the roles of the source', () => {
  const given: Given = ({ own, other }) => {
    const deadLetterQueue = { queue: new Queue(other, 'D'), maxReceiveCount: 5 };
    from(own, Source.queue(new Queue(other, 'Q', { queueName: 'orders', deadLetterQueue })));
  };

  expect(() => templateWith(given, OTHER_ACCOUNT, OWN)).toThrow(
    'Own/Pay: `Source.queue` takes a queue of another account by its ARN, such as Queue.fromQueueArn(…), got Other/Q. ' +
      'Its policy must permit the functions of the source',
  );
});

describe('the guide on a central bus', () => {
  const template = (env: Environment, define: (stack: Stack) => void) => {
    const stack = new Stack(new App(), 'Stack', { env });
    define(stack);
    return Template.fromStack(stack);
  };

  test('the central account forwards by the ARN of the bus, with a role', () => {
    const central = template(OTHER_ACCOUNT, stack =>
      forwardOrders(stack, EventBus.fromEventBusName(stack, 'Central', 'central')),
    );

    central.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: 'central',
      Targets: [
        {
          Arn: 'arn:aws:events:eu-west-1:111111111111:event-bus/orders',
          RoleArn: { 'Fn::GetAtt': [Match.anyValue(), 'Arn'] },
        },
      ],
    });
  });

  test('the account of the workflow accepts the events, and starts from its own bus', () => {
    const own = template(OWN, stack => startFromForwarded(stack, workflow(stack)));

    own.hasResourceProperties('AWS::Events::EventBusPolicy', {
      Statement: Match.objectLike({ Action: 'events:PutEvents', Effect: 'Allow' }),
    });
    own.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['shop.orders'] },
      EventBusName: { Ref: Match.anyValue() },
    });
  });
});

test('docs/reference/constructs.md has every option, and what it takes', () => {
  const page = readFileSync(path.join(__dirname, '../../docs/reference/constructs.md'), 'utf8');
  const table = page.split('## Other accounts and regions\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| (`.*?) \| (.*?) \| (.*?) \|$/gm)].flatMap(
    ([, names = '', account = '', region = '']) =>
      [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => [
        name,
        account.startsWith('no'),
        region.startsWith('no'),
      ]),
  );

  const bounds = Object.entries(RESOURCE_BOUNDS).map(([name, { own }]) => {
    const parts: readonly string[] = own;
    return [name, parts.includes('account'), parts.includes('region')];
  });
  expect(rows.sort()).toEqual(bounds.sort());
});

test('a table of a stack without a name: CDK says what it needs', () => {
  const given: Given = ({ own, other }) => workflow(own, { table: new RecordTable(other, 'T') });

  expect(() => templateWith(given, OTHER_ACCOUNT, OWN)).toThrow(
    "Cannot use resource 'Other/T/Resource' in a cross-environment fashion, the resource's physical name must be",
  );
});
