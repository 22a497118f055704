import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, type FunctionProps, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { definitionParts } from './definition-parts';

const ROOT = path.join(__dirname, '../..');

/** A stack in an app of its own, whose functions are not bundled. */
export function newStack(): Stack {
  const context = { 'aws:cdk:bundling-stacks': [], '@aws-cdk/aws-iam:minimizePolicies': true };
  return new Stack(new App({ context }), 'Test');
}

/** A stack with one thing in it, synthesized without bundling. */
export function synthesized(define: (stack: Stack) => void): Template {
  const stack = newStack();
  define(stack);
  return Template.fromStack(stack);
}

/**
 * Synthesizes the app in a file of this repository into a directory, as `cdk synth` does, without bundling. CDK
 * synthesizes each app once more at the end of the process: here at once, so that apps leave no listeners behind.
 */
export function synthesizeFile(file: string, outdir: string): void {
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
  const environment = process.env;
  const unbundled = { ...context, 'aws:cdk:bundling-stacks': [] };
  process.env = { ...environment, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(unbundled) };
  const once = jest.spyOn(process, 'once').mockReturnValue(process);
  try {
    require(path.join(ROOT, file));
    for (const [event, listener] of once.mock.calls) if (String(event) === 'beforeExit') listener();
  } finally {
    once.mockRestore();
    process.env = environment;
  }
}

/** A function whose code does not matter. */
export function someFunction(scope: Construct, props: Partial<FunctionProps> = {}): LambdaFunction {
  return new LambdaFunction(scope, 'Charge', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => 1'),
    ...props,
  });
}

/** The states of a definition, as far as tests look into them. */
export interface Definition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, StateText>>;
}

/** One state as it is rendered. */
export type StateText = Readonly<Record<string, unknown>> & { readonly Type: string };

/** The definition of the state machine whose logical id fits, each token replaced by the `${logical id}` it means. */
export function definitionIn(template: Template, id = /^(?!.*Dispatcher)/): Definition {
  const machines = Object.entries(template.findResources('AWS::StepFunctions::StateMachine'));
  const [, machine] = machines.find(([name]) => id.test(name)) ?? [];
  const parts = definitionParts(template.toJSON(), machine?.['Properties']);
  return JSON.parse(
    parts.map(part => (typeof part === 'string' ? part : placeholder(part))).join(''),
  ) as Definition;
}

function placeholder(token: unknown): string {
  const [value] = Object.values(token as Record<string, string | string[]>);
  return value === 'AWS::Partition' ? 'aws' : `\${${String(value)}}`;
}

/** A statement of a policy. */
export interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, object>>;
}

/** What each role may do, by its logical id: its own statements, and those of policies that are for this role. */
export function grantsIn(template: Template): readonly (readonly [role: string, readonly Statement[]])[] {
  const policies = Object.values(template.findResources('AWS::IAM::Policy'));
  return Object.entries(template.findResources('AWS::IAM::Role')).map(([role, { Properties }]) => {
    const own = (Properties['Policies'] ?? []).flatMap(
      (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
    );
    const attached = policies
      .filter(policy => policy['Properties'].Roles.some((one: { Ref?: string }) => one.Ref === role))
      .flatMap(policy => policy['Properties'].PolicyDocument.Statement as Statement[]);
    return [role, [...own, ...attached].flatMap(statement => forRole(role, statement))];
  });
}

/** A statement as far as it is for one role; a policy of several roles says for which. */
function forRole(role: string, { Condition = {}, ...statement }: Statement): Statement[] {
  const { ArnEquals, ...others } = Condition;
  const principals = (ArnEquals as Record<string, object> | undefined)?.['aws:PrincipalArn'];
  if (principals && !JSON.stringify(principals).includes(`"${role}"`)) return [];
  return [{ ...statement, ...(Object.keys(others).length > 0 && { Condition: others }) }];
}

/** What the roles whose logical id fits may do. */
export function statementsOf(template: Template, role: RegExp): readonly Statement[] {
  return grantsIn(template).flatMap(([id, statements]) => (role.test(id) ? statements : []));
}

/** The same as `action resource`. */
export function allowed(template: Template, role: RegExp): string[] {
  return statementsOf(template, role).map(
    ({ Action, Resource }) => `${[Action].flat().join(',')} ${JSON.stringify(Resource)}`,
  );
}
