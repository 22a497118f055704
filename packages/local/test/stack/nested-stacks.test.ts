import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CfnOutput, CfnParameter, CfnStack, Fn, NestedStack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { readAssembly, runToEnd } from '../../index';
import { bodiesOf, machine, newDirectory, start, synthesize } from './world';

function sendTo(queueUrl: string) {
  const Arguments = { QueueUrl: queueUrl, MessageBody: 'got' };
  return { Send: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Arguments, End: true } };
}

describe('nested stacks', () => {
  test('of the CDK: they and their own run, with what they give and get', async () => {
    const world = await start(stack => {
      const outer = new Queue(stack, 'Orders', { queueName: 'outer' });
      const nested = new NestedStack(stack, 'Nested');
      const inner = new NestedStack(nested, 'Inner');
      // One path, and so one logical id, in all three.
      const own = new Queue(nested, 'Orders');
      new Queue(inner, 'Orders');
      machine(inner, 'Inmost', sendTo(outer.queueUrl));
      machine(stack, 'Outmost', sendTo(own.queueUrl));
    });
    const { stack, clock } = world;

    for (const { arn } of stack.assembly.stateMachines)
      await stack.runtime.startExecution({ stateMachineArn: arn });
    await runToEnd(stack.runtime, clock);

    expect(stack.notRun).toEqual([]);
    expect(bodiesOf(world, 'outer')).toEqual(['got']);
    expect(bodiesOf(world, stack.find('Main/Nested/Orders').name)).toEqual(['got']);
    expect(bodiesOf(world, stack.find('Main/Nested/Inner/Orders').name)).toEqual([]);
  });

  test('get parameters, also from the Parameter Store, before those that the caller gives to the app', () => {
    const assembly = synthesize(stack => {
      new StringParameter(stack, 'Entry', { parameterName: '/shop/url', stringValue: 'http://shop' });
      const nested = new NestedStack(stack, 'Nested', {
        parameters: { Stage: 'fixed', Url: '/shop/url', Names: 'a,b' },
      });
      const type = 'AWS::SSM::Parameter::Value<String>';
      const stage = new CfnParameter(nested, 'Stage');
      const url = new CfnParameter(nested, 'Url', { type });
      const names = new CfnParameter(nested, 'Names', { type: 'CommaDelimitedList' });
      const other = new CfnParameter(nested, 'Other', { default: 'default' });
      const all = [
        stage.valueAsString,
        url.valueAsString,
        other.valueAsString,
        Fn.select(1, names.valueAsList),
      ];
      new CfnOutput(nested, 'All', { value: all.join(' ') });
    });
    const all = (parameters: Record<string, string>) =>
      readAssembly(assembly, { parameters }).outputs.find(({ name }) => name === 'All')?.value;

    expect(all({ Stage: 'given', Other: 'given' })).toBe('fixed http://shop given b');
  });

  test('of a template that is elsewhere are listed, and what needs their outputs, too', async () => {
    const { stack } = await start(scope => {
      const elsewhere = new CfnStack(scope, 'Elsewhere', {
        templateUrl: 'https://s3.amazonaws.com/b/t.json',
      });
      machine(scope, 'Machine', sendTo(elsewhere.getAtt('Outputs.Url').toString()));
      machine(scope, 'Other', { Done: { Type: 'Pass', End: true } });
    });

    expect(stack.notRun).toMatchObject([
      { reason: expect.stringContaining('t.json, which is not on this machine') },
      { reason: expect.stringContaining('refers to the attribute `Outputs.Url` of `Elsewhere`') },
    ]);
  });

  test('without an output that is asked for: the start says which', async () => {
    const starting = start(scope => {
      const nested = new NestedStack(scope, 'Nested');
      new Queue(nested, 'Queue');
      const resource = nested.nestedStackResource as CfnStack;
      machine(scope, 'Machine', sendTo(resource.getAtt('Outputs.Nothing').toString()));
    });

    await expect(starting).rejects.toThrow('reads the output `Nothing` of stack `Main-Nested');
  });

  test('of SAM and CloudFormation, by the path of their template', async () => {
    const directory = newDirectory();
    const write = (name: string, content: object) =>
      writeFileSync(path.join(directory, name), JSON.stringify(content));
    const Definition = { StartAt: 'Answer', States: { Answer: { Type: 'Pass', End: true } } };
    const child = (Type: string) => ({
      Parameters: { Name: { Type: 'String' } },
      Resources: {
        Flow: { Type, Properties: { Name: { Ref: 'Name' }, StateMachineName: { Ref: 'Name' }, Definition } },
      },
      Outputs: { Arn: { Value: { Ref: 'Flow' } } },
    });
    write('sam.json', child('AWS::Serverless::StateMachine'));
    write('plain.json', child('AWS::StepFunctions::StateMachine'));
    write('template.json', {
      Resources: {
        Sam: {
          Type: 'AWS::Serverless::Application',
          Properties: { Location: './sam.json', Parameters: { Name: 'a' } },
        },
        Plain: {
          Type: 'AWS::CloudFormation::Stack',
          Properties: { TemplateURL: 'plain.json', Parameters: { Name: 'b' } },
        },
        Foreign: {
          Type: 'AWS::Serverless::Application',
          Properties: { Location: { ApplicationId: 'arn:aws:serverlessrepo:app', SemanticVersion: '1.0.0' } },
        },
      },
      Outputs: { Arns: { Value: { 'Fn::Sub': '${Sam.Outputs.Arn} ${Plain.Outputs.Arn}' } } },
    });
    const { stack } = await start(directory);

    const arns = ['a', 'b'].map(name => `arn:aws:states:us-east-1:111111111111:stateMachine:${name}`);
    expect(stack.output('Arns')).toBe(arns.join(' '));
    expect(stack.notRun).toMatchObject([
      { logicalId: 'Foreign', reason: expect.stringContaining('serverlessrepo') },
    ]);
  });
});
