import { CfnOutput, Duration } from 'aws-cdk-lib';
import { DefinitionBody, QueryLanguage, StateMachine, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, type IdempotentFragmentProps, Recovery } from '../../infra/index';
import type { Variant } from '../support/variant';
import { openWorld, returns, type World } from '../support/world';

const MINUTE = 60_000;
const KEY = 'charge#order-7';

/** A state machine of a team's: a step whose records are kept for 20 minutes, and a pause of three behind it. */
const TEAM: Variant = {
  name: 'team with a short retention',
  more: (stack, workflow) => {
    const charge = new IdempotentFragment(stack, 'Charge', {
      table: workflow.table,
      scope: 'charge',
      idempotencyKey: '{% $states.input.orderId %}',
      step: stack.node.findChild('ChargePaymentFunction') as unknown as IdempotentFragmentProps['step'],
      retention: Duration.days(1),
      failedRetention: Duration.minutes(20),
    });
    const pause = Wait.jsonata(stack, 'Pause', { time: WaitTime.duration(Duration.minutes(3)) });
    const order = new StateMachine(stack, 'Order', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(charge.next(pause)),
    });
    charge.grantTo(order);
    const { stateMachine, search } = Recovery.of(order);
    new CfnOutput(stack, 'OrderArn', { value: order.stateMachineArn });
    new CfnOutput(stack, 'OrderRecoveryArn', { value: stateMachine.stateMachineArn });
    new CfnOutput(stack, 'OrderSearchArn', { value: search.stateMachineArn });
  },
};

describe('recovery of a state machine whose records are kept for 20 minutes', () => {
  let world: World;
  let runs: number;
  beforeEach(async () => {
    world = await openWorld(TEAM);
    runs = 0;
    world.deliveries = async ({ targetArn }, next) =>
      targetArn === world.stack.output('OrderRecoveryArn') ? { executionArn: 'lost' } : next();
    world.faults = async (call, next) => {
      if (call.stateName !== 'Charge: Business step') return next();
      runs += 1;
      return returns({ charge: runs });
    };
  });
  afterEach(() => world.close());

  async function started(output: string, input: object): Promise<string> {
    const stateMachineArn = world.stack.output(output);
    const { runtime } = world.stack;
    return (await runtime.startExecution({ stateMachineArn, input: JSON.stringify(input) })).executionArn;
  }

  async function executions(output: string) {
    const stateMachineArn = world.stack.output(output);
    return [...(await world.stack.runtime.listExecutions({ stateMachineArn })).executions].reverse();
  }

  /** An order that is stopped in its pause, after so many minutes in all. */
  async function stoppedAfter(minutes: number): Promise<string> {
    const executionArn = await started('OrderArn', { orderId: 'order-7' });
    await world.pass(MINUTE);
    await world.stop(executionArn);
    await world.pass((minutes - 1) * MINUTE);
    return executionArn;
  }

  /** How a recovery of an execution ends that begins now. */
  async function recovered(executionArn: string) {
    const recoveryArn = await started('OrderRecoveryArn', {
      detail: { executionArn },
      workflowArn: world.stack.output('OrderArn'),
    });
    await world.settle();
    return world.execution(recoveryArn);
  }

  const IS_GIVEN_UP = {
    status: 'FAILED',
    error: 'Idempotency.RecoveryGivenUp',
    cause: expect.stringMatching(/records that its fragments have finished may be gone by now/),
  };

  test('the record of a step may be gone: given up by name, and the step runs once', async () => {
    const executionArn = await stoppedAfter(1);
    // The search is away as well.
    world.deliveries = async () => ({ executionArn: 'lost' });
    await world.pass(20 * MINUTE);
    await world.deleteRecord(KEY);

    expect(await recovered(executionArn)).toMatchObject(IS_GIVEN_UP);
    expect(runs).toBe(1);
    expect(await executions('OrderArn')).toHaveLength(1);
  });

  test('within half of the retention: delivered, and the record answers', async () => {
    const executionArn = await stoppedAfter(4);
    await world.pass(MINUTE);

    expect((await recovered(executionArn)).status).toBe('SUCCEEDED');
    expect((await executions('OrderArn')).map(({ status }) => status)).toEqual(['ABORTED', 'SUCCEEDED']);
    expect(runs).toBe(1);
  });

  test('all status changes are lost: a search comes in time, four times within the retention', async () => {
    await stoppedAfter(1);
    await world.pass(9 * MINUTE);

    expect(await executions('OrderSearchArn')).toHaveLength(2);
    expect((await executions('OrderArn')).map(({ status }) => status)).toEqual(['ABORTED', 'SUCCEEDED']);
    expect(runs).toBe(1);
  });

  test('what recovery has started is interrupted in its turn, when its half of the time is over: given up', async () => {
    const executionArn = await stoppedAfter(4);
    world.deliveries = async () => ({ executionArn: 'lost' });
    const recovery = await started('OrderRecoveryArn', {
      detail: { executionArn },
      workflowArn: world.stack.output('OrderArn'),
    });
    await world.pass(MINUTE);
    const [, delivery] = await executions('OrderArn');
    await world.stop(delivery?.executionArn ?? '');
    // Seven minutes after its own start, and less than twelve after that of the first.
    await world.pass(6 * MINUTE);

    expect(await recovered(delivery?.executionArn ?? '')).toMatchObject(IS_GIVEN_UP);
    expect((await world.execution(recovery)).status).toBe('SUCCEEDED');
    expect(await executions('OrderArn')).toHaveLength(2);
    expect(runs).toBe(1);
  });
});
