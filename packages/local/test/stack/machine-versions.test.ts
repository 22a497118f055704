import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { deliverEvent, runToEnd } from '../../index';
import { machine, newDirectory, type Started, start } from './world';

const PASS = { Answer: { Type: 'Pass', End: true, Output: 'done' } };

/** A machine with two versions and an alias. */
function published(stack: Stack): { readonly version: string; readonly alias: string } {
  const { stateMachineArn } = machine(stack, 'Orders', PASS);
  const stateMachineRevisionId = (stack.node.findChild('Orders').node.defaultChild as sfn.CfnStateMachine)
    .attrStateMachineRevisionId;
  const first = new sfn.CfnStateMachineVersion(stack, 'First', { stateMachineArn, stateMachineRevisionId });
  const second = new sfn.CfnStateMachineVersion(stack, 'Second', {
    stateMachineArn,
    stateMachineRevisionId,
    description: 'the second',
  });
  const alias = new sfn.CfnStateMachineAlias(stack, 'Live', {
    name: 'live',
    routingConfiguration: [
      { stateMachineVersionArn: first.ref, weight: 40 },
      { stateMachineVersionArn: second.attrArn, weight: 60 },
    ],
  });
  return { version: first.attrArn, alias: alias.ref };
}

/** Starts an execution, and describes how it ends. */
async function ended({ stack, clock }: Started, stateMachineArn: string) {
  const { executionArn } = await stack.runtime.startExecution({ stateMachineArn });
  await runToEnd(stack.runtime, clock);
  return await stack.runtime.describeExecution({ executionArn });
}

describe('versions and aliases of state machines in a template', () => {
  test('have the ARNs of AWS, and executions start by them', async () => {
    const world = await start(scope => {
      published(scope);
    });
    const orders = 'arn:aws:states:us-east-1:111111111111:stateMachine:Orders';

    expect(world.stack.notRun).toEqual([]);
    expect(['First', 'Second', 'Live'].map(id => world.stack.find(`Main/${id}`).ref)).toEqual([
      `${orders}:1`,
      `${orders}:2`,
      `${orders}:live`,
    ]);
    expect(await ended(world, `${orders}:live`)).toMatchObject({
      output: '"done"',
      stateMachineAliasArn: `${orders}:live`,
    });
    expect(await ended(world, `${orders}:2`)).toMatchObject({
      output: '"done"',
      stateMachineVersionArn: `${orders}:2`,
    });
  });

  test('are targets of rules, and of other state machines', async () => {
    const world = await start(scope => {
      const { version, alias } = published(scope);
      new CfnRule(scope, 'Rule', {
        eventPattern: { source: ['shop'] },
        targets: [{ id: 'Orders', arn: alias, roleArn: 'arn:aws:iam::111111111111:role/events' }],
      });
      machine(scope, 'Parent', {
        Start: {
          Type: 'Task',
          Resource: 'arn:aws:states:::states:startExecution.sync:2',
          Arguments: { StateMachineArn: version, Input: {} },
          Output: '{% $states.result.StateMachineVersionArn %}',
          End: true,
        },
      });
    });

    const { stack } = world;
    const delivered = await deliverEvent(stack, { source: 'shop', 'detail-type': 'x', detail: {} });
    const [parent] = stack.assembly.stateMachines.filter(({ name }) => name === 'Parent');

    expect(delivered).toMatchObject([{ stateMachineAliasArn: expect.stringMatching(/:Orders:live$/) }]);
    expect(await ended(world, parent?.arn ?? '')).toMatchObject({
      output: expect.stringMatching(/:Orders:1"$/),
    });
  });

  test('follow a changed definition over the same state', async () => {
    const state = newDirectory();
    const define = (output: string) => (scope: Stack) => {
      const { stateMachineArn } = machine(scope, 'Orders', {
        Answer: { Type: 'Pass', End: true, Output: output },
      });
      const version = new sfn.CfnStateMachineVersion(scope, 'V', {
        stateMachineArn,
        stateMachineRevisionId: 'x',
      });
      new sfn.CfnStateMachineAlias(scope, 'Live', {
        name: 'live',
        deploymentPreference: { stateMachineVersionArn: version.ref, type: 'LINEAR', percentage: 10 },
      });
    };
    const { stack: before } = await start(define('old'), { state });
    await before.close();

    const world = await start(define('new'), { state });
    const live = 'arn:aws:states:us-east-1:111111111111:stateMachine:Orders:live';

    expect(await ended(world, live)).toMatchObject({ output: '"new"' });
  });

  test('of a state machine that is not run are listed, and a routing that AWS rejects stops the start', async () => {
    const of = (weight: number, arn?: string) => (scope: Stack) => {
      const stateMachineArn = arn ?? machine(scope, 'Orders', PASS).stateMachineArn;
      const version = new sfn.CfnStateMachineVersion(scope, 'V', {
        stateMachineArn,
        stateMachineRevisionId: 'x',
      });
      const routingConfiguration = [{ stateMachineVersionArn: version.ref, weight }];
      new sfn.CfnStateMachineAlias(scope, 'Live', { name: 'live', routingConfiguration });
    };

    const { stack } = await start(of(100, 'arn:aws:states:us-east-1:111111111111:stateMachine:Elsewhere'));

    const reason = 'its state machine is not run';
    expect(stack.notRun).toMatchObject([
      { logicalId: 'V', reason },
      { logicalId: 'Live', reason },
    ]);
    await expect(start(of(90))).rejects.toThrow(
      'Main/Live: Sum of routing configuration weights must equal 100',
    );
  });

  test('of SAM: the alias that it publishes is the target of events, if asked for', async () => {
    const directory = newDirectory();
    mkdirSync(path.join(directory, 'app'));
    const Definition = { StartAt: 'Answer', States: { Answer: { Type: 'Pass', End: true } } };
    const Properties = {
      Name: 'orders',
      Definition,
      AutoPublishAlias: 'live',
      UseAliasAsEventTarget: true,
      Events: { Placed: { Type: 'EventBridgeRule', Properties: { Pattern: { source: ['shop'] } } } },
    };
    const Resources = { Orders: { Type: 'AWS::Serverless::StateMachine', Properties } };
    writeFileSync(path.join(directory, 'app', 'template.json'), JSON.stringify({ Resources }));
    const { stack } = await start(path.join(directory, 'app'));

    const delivered = await deliverEvent(stack, { source: 'shop', 'detail-type': 'x', detail: {} });

    expect(stack.notRun).toEqual([]);
    expect(delivered).toMatchObject([{ stateMachineAliasArn: expect.stringMatching(/:orders:live$/) }]);
  });
});
