import { App } from 'aws-cdk-lib';
import { defineVariants } from '../../proof/explore/variants/stacks';
import { FrontDoorStack } from '../../proof/front-door/stack';
import { definitionParts, type Mappings } from '../support/definition-parts';
import { goldenDefinitions } from '../support/golden';

/** Every expression of every definition that is rendered, without `{% %}`, with a place where it stands. */
export function renderedExpressions(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!process.env['SKIP_GOLDEN'])
    for (const [name, definition] of goldenDefinitions()) collect(definition, name, found);
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  defineVariants(app);
  new FrontDoorStack(app, 'FrontDoor', { delivery: 'at-most-once', onDuplicateInProgress: 'wait' });
  for (const { stackName, template } of app.synth().stacks) {
    for (const definition of definitionsOf(template)) collect(definition, stackName, found);
  }
  return found;
}

function collect(value: unknown, place: string, found: Map<string, string>): void {
  if (typeof value === 'string') {
    const source = /^\{%([\s\S]*)%\}$/.exec(value)?.[1]?.trim();
    if (source !== undefined && !found.has(source)) found.set(source, place);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) collect(member, `${place}/${name}`, found);
}

/** What CloudFormation would make of each definition; where it names what it has deployed, a state machine's ARN. */
function definitionsOf(template: TemplateJson): object[] {
  const machines = Object.values(template.Resources).filter(
    ({ Type }) => Type === 'AWS::StepFunctions::StateMachine',
  );
  return machines.map(({ Properties }) => {
    const parts = definitionParts(template, Properties);
    return JSON.parse(parts.map(part => (typeof part === 'string' ? part : deployed(part))).join(''));
  });
}

interface TemplateJson extends Mappings {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: object }>>;
}

function deployed(token: unknown): string {
  return 'Ref' in (token as object) && (token as { Ref: string }).Ref === 'AWS::Partition'
    ? 'aws'
    : 'arn:aws:states:eu-west-1:1:stateMachine:Pay';
}
