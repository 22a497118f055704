import { readdirSync } from 'node:fs';
import { App, CfnResource, Lazy, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { newDirectory } from './shared';
import { synthesizeFile } from './synthesize';

/** A resource with a null deep in a property. */
function ruleWithNull(stack: Stack): void {
  const properties = { EventPattern: { detail: { error: ['Failed', null] } } };
  new CfnResource(stack, 'Rule', { type: 'AWS::Events::Rule', properties });
}

describe('a suite that synthesizes a template with a null fails', () => {
  test('a stack fails', () => {
    const stack = new Stack(new App(), 'Main');
    ruleWithNull(stack);

    expect(() => Template.fromStack(stack)).toThrow(
      /^'null' values.*\nMain\.template\.json: \[\/Resources\/Rule\/Properties\/EventPattern\/detail\/error\/1\]$/,
    );
  });

  test('a nested stack fails', () => {
    const app = new App();
    ruleWithNull(new NestedStack(new Stack(app, 'Main'), 'Inner'));

    expect(() => app.synth()).toThrow(/MainInner.*\.nested\.template\.json: \[/);
  });

  test('a stack of a stage fails', () => {
    const app = new App();
    ruleWithNull(new Stack(new Stage(app, 'Production'), 'Main'));

    expect(() => app.synth()).toThrow(/Main.*\.template\.json: \[/);
  });
});

test('a suite that computes with the number of a token in a template fails', () => {
  const time = Lazy.number({ produce: () => 30 });
  const synthesize = (value: unknown) => () => {
    const stack = new Stack(new App(), 'Main');
    new CfnResource(stack, 'Rule', { type: 'AWS::Events::Rule', properties: { value } });
    return Template.fromStack(stack);
  };

  expect(synthesize(time)).not.toThrow();
  expect(synthesize(`in ${time} seconds`)).not.toThrow();
  for (const computed of [time * 1000, 2 * time, `in ${time * 60} seconds`, -time]) {
    expect(synthesize(computed)).toThrow(/arithmetic on the number of a token: Main/);
  }
});

test('the app of a file is synthesized, and leaves no listener and no variable of the environment behind', () => {
  const before = [process.listenerCount('beforeExit'), process.env];
  const directory = newDirectory();

  synthesizeFile('proof/front-door/app.ts', directory);

  expect(readdirSync(directory)).toContain('FrontDoor.template.json');
  expect([process.listenerCount('beforeExit'), process.env]).toEqual(before);
});
