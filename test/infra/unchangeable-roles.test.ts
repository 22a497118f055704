import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  RecordTable,
  Recovery,
  Redrive,
  Results,
} from '../../infra/index';
import { everySource } from '../support/every-source';
import { grantsIn, someFunction, synthesized } from '../support/synthesize';

const idempotencyKey = '{% $states.input.source %}';

interface Granted {
  readonly Action: string | readonly string[];
}

interface Trust {
  readonly Principal: { readonly Service: string };
  readonly Condition?: { readonly StringEquals: object };
}

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly AssumeRolePolicyDocument?: { readonly Statement: readonly Trust[] };
  };
  readonly Metadata?: { readonly 'aws:cdk:path': string };
}

interface Written {
  readonly Resources: Readonly<Record<string, Resource>>;
}

type Define = (stack: Stack) => unknown;

/** A team's own state machine with two fragments and recovery. */
function fragments(stack: Stack): void {
  const table = new RecordTable(stack, 'Records');
  const step = someFunction(stack);
  const byFunction = new IdempotentFragment(stack, 'Pay', { idempotencyKey, table, step });
  const redrive = Redrive.direct();
  const directly = new IdempotentFragment(stack, 'Ship', { idempotencyKey, table, step, redrive });
  const orders = new StateMachine(stack, 'Orders', {
    definitionBody: DefinitionBody.fromChainable(byFunction.next(directly)),
    queryLanguage: QueryLanguage.JSONATA,
  });
  byFunction.grantTo(orders);
  directly.grantTo(orders);
  Recovery.of(orders);
}

const DEFINED: Readonly<Record<string, Define>> = {
  'every source and option': stack =>
    everySource(stack, {
      results: Results.inBucket(new Bucket(stack, 'Results')),
      onFailure: FailureDestination.eventBus(new EventBus(stack, 'Failures')),
      recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 5 } }),
      encryptionKey: new Key(stack, 'Key'),
      metrics: true,
    }),
  'redrives of its own': stack => everySource(stack, { redrive: Redrive.direct(), delivery: 'at-most-once' }),
  Express: stack => everySource(stack, { type: 'EXPRESS', timeout: Duration.minutes(2) }),
  fragments,
};

/** What the app gives each role, by its path: operations on resources are many, so their names alone. */
type Actions = Readonly<Record<string, readonly string[]>>;

function app(define: Define, customized: boolean) {
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  const root = new App({ context });
  if (customized) Role.customizeRoles(root);
  const stack = new Stack(root, 'Test');
  define(stack);
  // Roles that are not named are an error, which the report is for.
  const assembly = root.synth({ errorOnDuplicateSynth: false });
  const { Resources } = assembly.getStackByName('Test').template as Written;
  return { directory: assembly.directory, resources: Object.entries(Resources) };
}

function actionsIn(statements: readonly Granted[]): string[] {
  return [...new Set(statements.flatMap(({ Action }) => Action))].sort();
}

function granted(define: Define): Actions {
  const { resources } = app(define, false);
  const pathOf = (id: string) =>
    resources.find(([name]) => name === id)?.[1].Metadata?.['aws:cdk:path'].replace(/\/Resource$/, '') ?? '';
  const template = Template.fromJSON({ Resources: Object.fromEntries(resources) });
  return Object.fromEntries(
    grantsIn(template).map(([role, statements]) => [pathOf(role), actionsIn(statements)]),
  );
}

interface Report {
  readonly roles: readonly {
    readonly roleConstructPath: string;
    readonly identityPolicyStatements: readonly Granted[];
  }[];
}

describe.each(Object.entries(DEFINED))('Role.customizeRoles: %s', (_, define) => {
  let made: ReturnType<typeof app>;
  beforeAll(() => {
    made = app(define, true);
  });

  test('no role and no policy is in the template', () => {
    const ofIam = made.resources.filter(([, { Type }]) => Type.startsWith('AWS::IAM::'));

    expect(ofIam.map(([name]) => name)).toEqual([]);
  });

  test('the report has every action of every role', () => {
    const file = path.join(made.directory, 'iam-policy-report.json');
    const { roles } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const reported = roles.map(one => [one.roleConstructPath, actionsIn(one.identityPolicyStatements)]);

    // CDK reports the role of a table's scaling as well, which AWS has made.
    expect(Object.fromEntries(reported)).toMatchObject(granted(define));
  });
});

function workflow(stack: Stack, props: Partial<IdempotentWorkflowProps>): void {
  new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), ...props });
}

describe('the option `role`', () => {
  const ARN = 'arn:aws:iam::111111111111:role/payments';
  const own = (stack: Stack) =>
    new Role(stack, 'Own', { assumedBy: new ServicePrincipal('states.amazonaws.com') });

  test.each<[string, (stack: Stack) => IRole, number]>([
    ['imported with mutable: false', stack => Role.fromRoleArn(stack, 'R', ARN, { mutable: false }), 0],
    ['withoutPolicyUpdates', stack => own(stack).withoutPolicyUpdates(), 0],
    ['imported', stack => Role.fromRoleArn(stack, 'R', ARN), 2],
    ['of the app', own, 2],
  ])('%s: has its policies, or none', (_, roleIn, count) => {
    const template = synthesized(stack => workflow(stack, { role: roleIn(stack) }));
    const policies = Object.values(template.findResources('AWS::IAM::Policy'));
    const isOfIt = (roles: unknown) => /"payments"|"Own/.test(JSON.stringify(roles));

    expect(policies.filter(({ Properties }) => isOfIt(Properties['Roles']))).toHaveLength(count);
  });
});

/** The services that may assume a role without a condition. */
const UNBOUND = [
  // API Gateway does not say for which account it assumes the role of an integration: each request would fail.
  'apigateway.amazonaws.com',
  // CDK's own roles of functions: Lambda assumes one only for a function of the role's account.
  'lambda.amazonaws.com',
];

test.each(Object.entries(DEFINED))(
  '%s: a role names the account for which a service assumes it',
  (_, define) => {
    const roles = app(define, false).resources.filter(([, { Type }]) => Type === 'AWS::IAM::Role');
    const bounds = roles.flatMap(([name, { Properties }]) => {
      const [trust] = Properties.AssumeRolePolicyDocument?.Statement ?? [];
      const isUnbound = UNBOUND.includes(trust?.Principal.Service ?? '');
      return isUnbound ? [] : [{ name, bound: trust?.Condition?.StringEquals }];
    });

    expect(bounds).not.toEqual([]);
    const bound = { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } };
    expect(bounds).toEqual(bounds.map(({ name }) => ({ name, bound })));
  },
);
