import type { ExecutionDescription, Interceptor, Json, ServiceCall } from '@onceflow/local';
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  Map as MapState,
  Pass,
  ProvideItems,
  QueryLanguage,
  StateMachine,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, type IdempotentFragmentProps, Recovery } from '../../infra/index';
import { at, noFault, stopping } from '../support/faults';
import { randomFrom } from '../support/random';
import { runs as scaled } from '../support/scale';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const HOUR = 3_600_000;
const KEYS = ['reserve#order-7', 'charge#order-7'];

/** A machine of a team: two steps, of which the second has another key, with states of its own; and a step per item. */
const TEAM: Variant = {
  name: 'team-recovered',
  more: (stack, workflow) => {
    const step = stack.node.findChild('ChargePaymentFunction') as unknown as IdempotentFragmentProps['step'];
    const fragment = (id: string, idempotencyKey: string) =>
      new IdempotentFragment(stack, id, {
        table: workflow.table,
        scope: id.toLowerCase(),
        idempotencyKey: `{% ${idempotencyKey} %}`,
        step,
      });
    const reserve = fragment('Reserve', '$states.input.orderId');
    const charge = fragment('Charge', '$states.input.reserved');
    const pause = Wait.jsonata(stack, 'Pause', { time: WaitTime.seconds('{% 60 %}') });
    const isRejected = Choice.jsonata(stack, 'Is it rejected?')
      .when(
        Condition.jsonata('{% $states.input.run = 0 %}'),
        Fail.jsonata(stack, 'Out of stock', { error: 'Sold' }),
      )
      .otherwise(pause.next(charge));
    machine(stack, 'Order', reserve.next(isRejected), [reserve, charge]);

    const each = fragment('Each', '$states.input.orderId');
    each.addCatch(Pass.jsonata(stack, 'Left'), { errors: ['CardDeclined'] });
    const all = MapState.jsonata(stack, 'All', { items: ProvideItems.jsonata('{% $states.input.orders %}') });
    machine(stack, 'Items', all.itemProcessor(each), [each]);
  },
};

function machine(stack: Stack, id: string, body: IChainable, fragments: readonly IdempotentFragment[]): void {
  const stateMachine = new StateMachine(stack, id, {
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(body),
  });
  for (const one of fragments) one.grantTo(stateMachine);
  const recovery = Recovery.of(stateMachine);
  new CfnOutput(stack, `${id}Arn`, { value: stateMachine.stateMachineArn });
  new CfnOutput(stack, `${id}RecoveryArn`, { value: recovery.stateMachine.stateMachineArn });
}

const endsOf = (executions: readonly ExecutionDescription[]) =>
  executions.map(({ status, error }) => error ?? status);

/** A stack of the team's, its steps by script. */
class Team {
  /** The keys of every run of a step so far. */
  readonly runs: string[] = [];
  faults: Interceptor = noFault;
  step: World['step'] = () => returns({ reserved: 'order-7', run: this.runs.length });

  static async open(): Promise<Team> {
    return new Team(await openWorld(TEAM));
  }

  private constructor(readonly world: World) {
    const isStep = (call: ServiceCall) => call.stateName.endsWith(': Business step');
    world.faults = (call, next) =>
      this.faults(call, async () => {
        if (!isStep(call)) return next();
        const { Payload } = call.arguments as unknown as { Payload: Parameters<World['step']>[0] };
        this.runs.push(Payload.idempotencyKey);
        return this.step(Payload);
      });
  }

  async start(id: string, input: Json): Promise<string> {
    const stateMachineArn = this.world.stack.output(`${id}Arn`);
    const { runtime } = this.world.stack;
    return (await runtime.startExecution({ stateMachineArn, input: JSON.stringify(input) })).executionArn;
  }

  /** The executions of a state machine, oldest first. */
  async executions(output: string): Promise<ExecutionDescription[]> {
    const { executions } = await this.world.stack.runtime.listExecutions({
      stateMachineArn: this.world.stack.output(output),
      maxResults: 1000,
    });
    const described = executions.map(({ executionArn }) => this.world.execution(executionArn));
    return (await Promise.all(described)).reverse();
  }

  async statusOf(key: string): Promise<string | undefined> {
    return (await this.world.record(key))?.['status']?.S;
  }
}

describe('recovery of a state machine with fragments', () => {
  let team: Team;
  beforeEach(async () => {
    team = await Team.open();
  });
  afterEach(() => team.world.close());

  const ends = async (output: string) => endsOf(await team.executions(output));
  const statuses = () => Promise.all(KEYS.map(key => team.statusOf(key)));

  test.each([
    ['before the first claim', 'Reserve: Claim record', 'before', 2],
    ['within the first step', 'Reserve: Business step', 'before', 2],
    ['when the first step is done', 'Reserve: Business step', 'after', 3],
    ['before the second claim', 'Charge: Claim record', 'before', 2],
    ['within the second step', 'Charge: Business step', 'before', 2],
    ['before the second end is recorded', 'Charge: Record the result', 'before', 2],
  ] as const)(
    'an execution is interrupted %s: both steps are done, without another delivery',
    async (_, state, when, runs) => {
      team.faults = stopping(team.world, state, when);
      await team.start('Order', { orderId: 'order-7' });
      await team.world.settle();

      expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED']);
      expect(team.runs).toHaveLength(runs);
      expect(await ends('OrderRecoveryArn')).not.toContain('Idempotency.RecoveryGivenUp');
      expect((await ends('OrderArn')).filter(end => end === 'SUCCEEDED').length).toBeGreaterThan(0);
    },
  );

  test('it is interrupted in a state of its own: what is done answers, and the rest is done', async () => {
    const executionArn = await team.start('Order', { orderId: 'order-7' });
    await team.world.pass(30_000);
    await team.world.stop(executionArn);
    await team.world.settle();

    expect(team.runs).toEqual(KEYS);
    expect(await ends('OrderArn')).toEqual(['ABORTED', 'SUCCEEDED']);
  });

  test('several items of a Map are cut off: each is done', async () => {
    const orders = ['a', 'b', 'c'].map(orderId => ({ orderId }));
    team.step = () => team.world.never();
    const executionArn = await team.start('Items', { orders });
    await team.world.pass(1000);
    await team.world.stop(executionArn);
    team.step = () => returns('sent');
    await team.world.settle();

    expect(await Promise.all(['a', 'b', 'c'].map(id => team.statusOf(`each#${id}`)))).toEqual(
      Array(3).fill('COMPLETED'),
    );
    expect(team.runs.sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c'].map(id => `each#${id}`));
    expect(await team.world.execution(executionArn)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test.each([
    ['a step that fails', () => fails('CardDeclined'), 'CardDeclined', 1],
    ['a Fail state of its own', () => returns({ reserved: 'order-7', run: 0 }), 'Sold', 1],
  ] as const)('%s: left to the machine, in at most six transitions', async (_, step, error, runs) => {
    team.step = step;
    await team.start('Order', { orderId: 'order-7' });
    await team.world.settle();
    await team.world.pass(2 * HOUR);

    expect(await ends('OrderArn')).toEqual([error]);
    expect(team.runs).toHaveLength(runs);
    const [recovery] = await team.executions('OrderRecoveryArn');
    expect(recovery).toMatchObject({ status: 'SUCCEEDED', output: '{"deliveries":0}' });
    expect(team.world.stack.runtime.billedTransitions(recovery?.executionArn ?? '')).toBeLessThanOrEqual(6);
  });

  test('a duplicate that is rejected: no recovery', async () => {
    team.step = () => team.world.never();
    const executionArn = await team.start('Order', { orderId: 'order-7' });
    await team.world.pass(1000);
    await team.start('Order', { orderId: 'order-7' });
    await team.world.pass(1000);

    expect(await ends('OrderArn')).toEqual(['RUNNING', 'Idempotency.InProgress']);
    expect(await ends('OrderRecoveryArn')).toEqual([]);
    await team.world.stop(executionArn);
  });

  test('DynamoDB does not record an end for a day: recovered, and the step runs once', async () => {
    const end = team.world.clock.now() + 24 * HOUR;
    team.faults = at('Charge: Record the result', async (_call, next) =>
      team.world.clock.now() < end ? fails('DynamoDB.ProvisionedThroughputExceededException') : next(),
    );
    await team.start('Order', { orderId: 'order-7' });
    await team.world.settle();

    expect(team.world.clock.now()).toBeGreaterThan(end);
    expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED']);
    expect(team.runs).toEqual(KEYS);
    expect(await ends('OrderRecoveryArn')).not.toContain('Idempotency.RecoveryGivenUp');
    const [recovery] = await team.executions('OrderRecoveryArn');
    expect(await team.world.statesOf(recovery?.executionArn ?? '')).toContain('Read its history');
  });

  test('all status changes are lost: the search finds it', async () => {
    team.world.deliveries = async ({ targetArn }, next) =>
      targetArn === team.world.stack.output('OrderRecoveryArn') ? { executionArn: 'lost' } : next();
    team.faults = stopping(team.world, 'Charge: Business step', 'before');
    await team.start('Order', { orderId: 'order-7' });
    await team.world.settle();
    expect(await statuses()).toEqual(['COMPLETED', 'IN_PROGRESS']);

    await team.world.pass(HOUR);
    await team.world.settle();
    expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED']);
  });

  test('the function that redrives is away when it is delivered: delivered again', async () => {
    let rejections = 0;
    const stop = stopping(team.world, 'Charge: Business step', 'before');
    team.faults = async (call, next) => {
      if (call.stateName !== 'Charge: Redrive the owner' || rejections === 2) return stop(call, next);
      rejections += 1;
      return fails('Lambda.ResourceNotFoundException');
    };
    await team.start('Order', { orderId: 'order-7' });
    await team.world.settle();

    expect(rejections).toBe(2);
    expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED']);
    const [recovery] = await team.executions('OrderRecoveryArn');
    expect(JSON.parse(recovery?.output ?? '{}').deliveries).toBeGreaterThan(1);
  });

  test('a person has stopped it for good: left alone', async () => {
    team.step = () => team.world.never();
    const executionArn = await team.start('Order', { orderId: 'order-7' });
    await team.world.pass(1000);
    await team.world.stack.runtime.stopExecution({ executionArn, error: 'Idempotency.Stopped' });
    await team.world.pass(3 * HOUR);

    expect(await ends('OrderArn')).toEqual(['Idempotency.Stopped']);
    expect(await statuses()).toEqual(['IN_PROGRESS', undefined]);
  });

  test('it is interrupted at every resume: abandoned after eight deliveries', async () => {
    team.faults = at('Charge: Record the result', async call => {
      void team.world.stop(call.executionArn);
      return team.world.never();
    });
    await team.start('Order', { orderId: 'order-7' });
    await team.world.settle();

    const recoveries = await ends('OrderRecoveryArn');
    // Each end has a recovery of its own, and one of them is the last.
    expect(recoveries.filter(end => end !== 'SUCCEEDED')).toEqual(['Idempotency.RecoveryGivenUp']);
    expect((await ends('OrderArn')).length).toBeLessThanOrEqual(10);
  });
});

/** The orders that recovery has given up: those that an alarm tells of. */
async function givenUp(team: Team): Promise<readonly string[]> {
  const recoveries = await team.executions('OrderRecoveryArn');
  const failed = recoveries.filter(({ status }) => status === 'FAILED');
  expect(failed.filter(({ error }) => error !== 'Idempotency.RecoveryGivenUp')).toEqual([]);
  const orders = failed.map(async ({ cause }) => {
    const { execution } = JSON.parse(cause ?? '{}') as { execution: string };
    const { input } = await team.world.execution(execution);
    return (JSON.parse(input ?? '{}') as { orderId: string }).orderId;
  });
  return Promise.all(orders);
}

describe('orders that are each started once, without another start', () => {
  test.each(Array.from({ length: scaled(8, 50) }, (_, index) => index + 1))(
    'seed %i: both steps of each are done, or an alarm tells',
    async seed => {
      const team = await Team.open();
      const random = randomFrom(seed);
      const chance = (probability: number) => random() < probability;
      let deaths = 0;
      team.step = ({ idempotencyKey }) =>
        returns({ reserved: idempotencyKey.slice(idempotencyKey.indexOf('#') + 1), run: 1 });
      team.faults = async (call, next) => {
        if (deaths >= 10 || !chance(0.2)) return next();
        deaths += 1;
        if (chance(0.5)) await next();
        void team.world.stop(call.executionArn);
        return team.world.never();
      };
      team.world.deliveries = async (_attempt, next) => {
        if (chance(0.3)) return { executionArn: 'lost' };
        if (chance(0.3)) await team.world.pause(HOUR / 2);
        return next();
      };
      try {
        const orders = ['order-1', 'order-2', 'order-3'];
        for (const orderId of orders) {
          await team.start('Order', { orderId });
          await team.world.pass(Math.floor(random() * 20_000));
        }
        await team.world.pass(36 * HOUR);

        const alarmed = await givenUp(team);
        const left = orders.filter(orderId => !alarmed.includes(orderId));
        const keys = left.flatMap(id => [`reserve#${id}`, `charge#${id}`]);
        const statuses = await Promise.all(keys.map(key => team.statusOf(key)));
        expect(statuses).toEqual(keys.map(() => 'COMPLETED'));
        expect(team.world.stack.runtime.running()).toEqual([]);
      } finally {
        await team.world.close();
      }
    },
  );
});
