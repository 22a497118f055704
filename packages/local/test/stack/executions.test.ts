import type { Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { startLocal } from '../../index';
import { machine, newDirectory, start, synthesize } from './world';

const stateMachineType = sfn.StateMachineType.EXPRESS;

const MACHINE = 'arn:aws:states:us-east-1:111111111111:stateMachine:';
const definitionBody = (stack: Stack, seconds: number) =>
  sfn.DefinitionBody.fromChainable(
    sfn.Wait.jsonata(stack, `Wait ${seconds}`, { time: sfn.WaitTime.seconds(`{% ${seconds} %}`) }),
  );

const assembly = () =>
  synthesize(stack => {
    for (const [name, seconds] of [
      ['waits', 3600],
      ['ends', 0],
    ] as const) {
      const body = definitionBody(stack, seconds);
      new sfn.StateMachine(stack, name, {
        stateMachineName: name,
        definitionBody: body,
        queryLanguage: sfn.QueryLanguage.JSONATA,
      });
    }
  });

describe('a stack with a state directory', () => {
  test('stop: the execution that is named does not go on, another one does', async () => {
    const [app, state] = [assembly(), newDirectory()];
    const { stack } = await start(app, { state });
    const arnOf = async (name: string) => {
      const started = await stack.runtime.startExecution({ stateMachineArn: `${MACHINE}waits`, name });
      return started.executionArn;
    };
    const [stopped, other] = [await arnOf('stopped'), await arnOf('other')];
    await stack.runtime.work.idle();
    await stack.close();

    await expect(start(app, { state, stop: ['nobody'] })).rejects.toThrow(
      'stop: no execution `nobody` was left running\n  these were: `stopped`, `other`',
    );
    const { runtime } = (await start(app, { state, stop: ['stopped'] })).stack;
    await runtime.work.idle();

    expect(await runtime.describeExecution({ executionArn: stopped })).toMatchObject({ status: 'ABORTED' });
    expect(runtime.running()).toEqual([other]);
  });

  test('resumed: what was under way, without an Express execution that a delivery begins anew', async () => {
    const [app, state] = [
      synthesize(stack => {
        const states = { W: { Type: 'Wait', Seconds: 3600, End: true } };
        machine(stack, 'waits', states);
        const express = machine(stack, 'express', { W: { ...states.W, Seconds: 200 } }, { stateMachineType });
        new Rule(stack, 'R', { eventPattern: { source: ['shop'] }, targets: [new SfnStateMachine(express)] });
      }),
      newDirectory(),
    ];
    const { stack } = await start(app, { state });
    const { executionArn } = await stack.runtime.startExecution({ stateMachineArn: `${MACHINE}waits` });
    await stack.eventBuses.putEvents([{ source: 'shop', detailType: 'd', detail: '{}' }]);
    await stack.runtime.work.idle();
    expect(stack.runtime.running()).toHaveLength(2);
    await stack.close();

    const again = (await start(app, { state })).stack;
    await again.runtime.work.idle();

    expect(again.runtime.running()).toEqual([executionArn, expect.stringContaining(':express:express:')]);
    expect(again.resumed).toBe(1);
  });

  test('the clock of the machine set back by an hour between two processes: what was due soon is due soon', async () => {
    const app = synthesize(stack => {
      machine(stack, 'soon', { W: { Type: 'Wait', Seconds: 1, End: true } });
      new Queue(stack, 'Q', { queueName: 'q' });
    });
    const options = { assembly: app, state: newDirectory() };
    const first = await startLocal(options);
    const { executionArn } = await first.runtime.startExecution({ stateMachineArn: `${MACHINE}soon` });
    first.queues.send('q', 'a');
    first.queues.receive('q', { visibilitySeconds: 1 });
    await first.runtime.work.idle();
    await first.close();
    const machineNow = Date.now.bind(Date);
    const back = jest.spyOn(Date, 'now').mockImplementation(() => machineNow() - 3_600_000);

    const second = await startLocal(options);
    await second.runtime.whenEnded(executionArn);
    await new Promise(resolve => setTimeout(resolve, 1_000));

    expect(second.queues.receive('q')).toMatchObject([{ body: 'a', receiveCount: 2 }]);
    await second.close();
    back.mockRestore();
  });

  test('keep: more are forgotten on disk as well, also those that were there before', async () => {
    const [app, state] = [assembly(), newDirectory()];
    const stateMachineArn = `${MACHINE}ends`;
    const names = async (keep: number, more: readonly string[]) => {
      const { runtime, close } = (await start(app, { state, keep })).stack;
      for (const name of more) {
        const { executionArn } = await runtime.startExecution({ stateMachineArn, name });
        await runtime.whenEnded(executionArn);
      }
      for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve));
      const { executions } = await runtime.listExecutions({ stateMachineArn });
      await close();
      return executions.map(({ name }) => name).sort();
    };

    expect(await names(3, ['a', 'b', 'c', 'd'])).toEqual(['b', 'c', 'd']);
    expect(await names(3, [])).toEqual(['b', 'c', 'd']);
    expect(await names(2, [])).toEqual(['c', 'd']);
    expect(await names(9, ['a'])).toEqual(['a', 'c', 'd']);
  });
});
