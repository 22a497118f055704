import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Interceptor, ServiceCall } from '@onceflow/local';
import { CfnOutput } from 'aws-cdk-lib';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, type IdempotentFragmentProps, Redrive } from '../../infra/index';
import { at, failing, loseFirstAnswer, noFault, stopping } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type StepInput, type World } from '../support/world';

const KEY = 'pay#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A state machine of a team that is one fragment. */
function team(name: string, props: Partial<IdempotentFragmentProps> = {}): Variant {
  return {
    name,
    bundles: name.startsWith('bundled'),
    more: (stack, workflow) => {
      const step = stack.node.findChild(
        'ChargePaymentFunction',
      ) as unknown as IdempotentFragmentProps['step'];
      const idempotencyKey = '{% $states.input.detail.orderId %}';
      const pay = new IdempotentFragment(stack, 'Pay', {
        table: workflow.table,
        scope: 'pay',
        idempotencyKey,
        step,
        ...props,
      });
      const stateMachine = new StateMachine(stack, 'Team', {
        queryLanguage: QueryLanguage.JSONATA,
        definitionBody: DefinitionBody.fromChainable(pay),
      });
      pay.grantTo(stateMachine);
      new CfnOutput(stack, 'TeamArn', { value: stateMachine.stateMachineArn });
    },
  };
}

/** A world whose deliveries go to the machine of the team. States have their names without that of the fragment. */
async function openTeam(variant: Variant): Promise<World> {
  const base = await openWorld(variant);
  base.isRedriverReal = variant.bundles ?? false;
  const runs: StepInput[] = [];
  const { runtime } = base.stack;
  const stateMachineArn = base.stack.output('TeamArn');
  const withoutPrefix = (name: string) => name.replace(/^Pay: /, '');
  const invoke: Interceptor = async call => {
    const { Payload } = call.arguments as unknown as { readonly Payload: StepInput };
    runs.push(Payload);
    return world.step(Payload);
  };
  base.faults = (call, next) => {
    const own: ServiceCall = { ...call, stateName: withoutPrefix(call.stateName) };
    return world.faults(own, () => (own.stateName === 'Business step' ? invoke(own, next) : next()));
  };
  const world: World = Object.assign(Object.create(base), {
    runs,
    faults: noFault,
    step: () => returns({ charge: runs.length }),
    async deliver(detail: object) {
      return (await runtime.startExecution({ stateMachineArn, input: JSON.stringify({ detail }) }))
        .executionArn;
    },
    async delivered(detail: object) {
      const executionArn = await world.deliver(detail);
      await world.settle();
      return world.execution(executionArn);
    },
    async statesOf(executionArn: string) {
      return (await base.statesOf(executionArn)).map(withoutPrefix);
    },
  } satisfies Partial<World>);
  return world;
}

describe('in the machine of a team, an owner that ended', () => {
  let world: World;
  beforeEach(async () => {
    world = await openTeam(team('one fragment'));
  });
  afterEach(() => world.close());

  async function deadOwner(stateName: string, when: 'before' | 'after'): Promise<string> {
    world.faults = stopping(world, stateName, when);
    const owner = await world.deliver(ORDER);
    await world.settle();
    world.faults = noFault;
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED' });
    expect(await world.record(KEY)).toMatchObject({ owner: { S: owner } });
    return owner;
  }

  test('aborted after the step, before finalize: the next delivery redrives it, the step does not run again', async () => {
    const owner = await deadOwner('Record the result', 'before');
    await world.pass(GRACE_MS);
    world.step = () => returns('a second run');

    const redriving = await world.delivered(ORDER);
    const later = await world.delivered(ORDER);

    expect(redriving).toMatchObject({ status: 'FAILED', error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(later).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('aborted after finalize was written: the record answers, without a redrive', async () => {
    const owner = await deadOwner('Record the result', 'after');
    await world.pass(GRACE_MS);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
  });

  test('aborted during the step: no delivery starts it within the grace, then it runs again in its own execution', async () => {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    world.step = () => returns('second');

    await world.pass(GRACE_MS - 1);
    const within = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    expect(await world.execution(within)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });

    await world.pass(1);
    await world.delivered(ORDER);
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', output: '"second"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('aborted with its claim written and not answered: redriven, it claims again and runs once', async () => {
    const owner = await deadOwner('Claim record', 'after');
    await world.pass(GRACE_MS);

    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.runs).toHaveLength(1);
  });

  test('aborted in the wait behind a lost answer: redriven, it waits again and records the failure', async () => {
    world.step = () => fails('Lambda.SdkClientException');
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    await world.pass(GRACE_MS);

    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.SdkClientException',
    });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' } });
    expect(world.runs).toHaveLength(1);
  });

  test('two deliveries that see it dead at once: redriven once', async () => {
    const owner = await deadOwner('Business step', 'before');
    await world.pass(GRACE_MS);
    let seen = 0;
    let release = () => {};
    const bothHaveSeen = new Promise<void>(resolve => {
      release = resolve;
    });
    world.faults = async (call, next) => {
      const answer = await next();
      if (call.stateName !== 'Ask about the owner') return answer;
      seen += 1;
      if (seen === 2) release();
      await bothHaveSeen;
      return answer;
    };

    await Promise.all([world.deliver(ORDER), world.deliver(ORDER)]);
    await world.settle();

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(world.runs).toHaveLength(1);
    expect(world.calls.filter(call => call.endsWith('Redrive the owner'))).toHaveLength(2);
  });

  test('redriven, the answer of the redrive lost: asked again with the same token, redriven once', async () => {
    const owner = await deadOwner('Record the result', 'before');
    await world.pass(GRACE_MS);
    world.faults = loseFirstAnswer('Redrive the owner', 'Lambda.SdkClientException');

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test('ended again after a redrive: redriven again', async () => {
    const owner = await deadOwner('Record the result', 'before');
    await world.pass(GRACE_MS);
    world.faults = stopping(world, 'Record the result', 'before');
    await world.delivered(ORDER);
    world.faults = noFault;
    await world.pass(GRACE_MS);
    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 2 });
    expect(world.runs).toHaveLength(1);
  });

  test('ended again after each redrive that deliveries may make: told by name, until a person redrives it', async () => {
    const owner = await deadOwner('Record the result', 'before');
    for (const redriveCount of [1, 2, 3]) {
      world.faults = stopping(world, 'Record the result', 'before');
      await world.pass(GRACE_MS);
      expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
      expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount });
    }
    await world.pass(GRACE_MS);
    world.faults = noFault;

    for (const _ of [1, 2]) {
      const { error, cause = '' } = await world.delivered(ORDER);
      expect(error).toBe('Idempotency.RedrivesExhausted');
      expect(JSON.parse(cause)).toMatchObject({ owner, ownerStatus: 'ABORTED', redriveCount: 3 });
    }
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 3 });
    await world.stack.runtime.redriveExecution({ executionArn: owner });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.runs).toHaveLength(1);
  });

  test('too old to be redriven: taken over, the step runs again as the next attempt', async () => {
    const owner = await deadOwner('Business step', 'before');
    await world.pass(15 * DAY);

    const execution = await world.delivered(ORDER);

    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record(KEY)).toMatchObject({
      owner: { S: execution.executionArn },
      attempt: { N: '2' },
    });
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED' });
  });

  test('that gave its claim up before the step: taken over, as a redrive would only end it again', async () => {
    const owner = await deadOwner('Business step', 'before');
    await world.pass(GRACE_MS);
    world.faults = async (call, next) => {
      const answer = await next();
      if (call.stateName !== 'Ask about the owner' || answer.kind !== 'succeeded') return answer;
      const output = { ...(answer.output as object), Status: 'FAILED', Error: 'Idempotency.InvalidEvent' };
      return { ...answer, output };
    };

    const execution = await world.delivered(ORDER);

    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.execution(owner)).toMatchObject({ redriveCount: 0 });
  });

  test('that failed, its error not told without its data: asked about once more, then taken over', async () => {
    await deadOwner('Business step', 'before');
    await world.pass(GRACE_MS);
    const asked: unknown[] = [];
    world.faults = async (call, next) => {
      const answer = await next();
      if (call.stateName !== 'Ask about the owner' || answer.kind !== 'succeeded') return answer;
      const { IncludedData } = call.arguments as { IncludedData: string };
      asked.push(IncludedData, Object.keys(answer.output as object).includes('Input'));
      const failed = { ...(answer.output as object), Status: 'FAILED' };
      if (IncludedData === 'METADATA_ONLY') return { ...answer, output: failed };
      return { ...answer, output: { ...failed, Error: 'Idempotency.InvalidEvent' } };
    };

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(asked).toEqual(['METADATA_ONLY', false, 'ALL_DATA', true]);
  });

  test('that failed without an error: asked about twice, then resumed', async () => {
    const owner = await deadOwner('Business step', 'before');
    await world.pass(GRACE_MS);
    world.faults = async (call, next) => {
      const answer = await next();
      if (call.stateName !== 'Ask about the owner' || answer.kind !== 'succeeded') return answer;
      const isOld = (await world.execution(owner)).status === 'ABORTED';
      return isOld ? { ...answer, output: { ...(answer.output as object), Status: 'FAILED' } } : answer;
    };

    await world.deliver(ORDER);
    await world.settle();
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test('not visible yet to DescribeExecution: in progress; still unknown after 15 minutes: taken over', async () => {
    world.step = async () => world.never();
    await world.deliver(ORDER);
    world.faults = failing('Ask about the owner', 'Sfn.ExecutionDoesNotExistException');

    const soon = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    expect(await world.execution(soon)).toMatchObject({ error: 'Idempotency.InProgress' });

    world.step = () => returns('taken over');
    await world.pass(15 * MINUTE);
    expect(await world.delivered(ORDER)).toMatchObject({ output: '"taken over"' });
  });

  /** Leaves the record of an unknown execution of this workflow. */
  async function left(status: string, more: Record<string, AttributeValue> = {}) {
    const machine = world.stack.output('TeamArn').replace(':stateMachine:', ':execution:');
    const record = {
      idempotencyKey: { S: KEY },
      status: { S: status },
      owner: { S: `${machine}:gone` },
      attempt: { N: '1' },
      claimedAt: { S: '2026-11-19T09:00:00.000Z' },
      ...more,
    };
    await world.putRecord(record);
    return record;
  }

  test('gone with its state machine: its step gets its time from the look on; what it still writes is the answer', async () => {
    const owner = await left('IN_PROGRESS');
    const delivery = await world.deliver(ORDER);
    await world.pass(GRACE_MS - 1000);
    expect(await world.execution(delivery)).toMatchObject({ status: 'RUNNING' });
    expect(world.runs).toHaveLength(0);
    await world.putRecord({ ...owner, status: { S: 'COMPLETED' }, result: { S: '"paid"' } });
    await world.settle();

    expect(await world.execution(delivery)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    expect(world.runs).toHaveLength(0);
  });

  test('gone with its state machine, its step longer than this one: that time is waited for', async () => {
    await left('IN_PROGRESS', { stepTimeout: { N: '600' } });
    const delivery = await world.deliver(ORDER);
    await world.pass(599_000);
    expect(await world.execution(delivery)).toMatchObject({ status: 'RUNNING' });
    expect(world.runs).toHaveLength(0);
    await world.settle();

    expect(world.runs).toEqual([expect.objectContaining({ attempt: 2 })]);
  });

  test('about to be redriven: in progress, without another redrive', async () => {
    const owner = await deadOwner('Business step', 'before');
    await world.pass(GRACE_MS);
    world.faults = async (call, next) => {
      const answer = await next();
      if (call.stateName !== 'Ask about the owner' || answer.kind !== 'succeeded') return answer;
      return { ...answer, output: { ...(answer.output as object), Status: 'PENDING_REDRIVE' } };
    };

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
  });

  test('running: its duplicates are in progress, however long it takes', async () => {
    world.step = async () => {
      await world.pause(9000);
      return returns('done');
    };
    const owner = await world.deliver(ORDER);
    await world.pass(8000);
    const duplicate = await world.deliver(ORDER);
    await world.settle();

    expect(await world.execution(duplicate)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ output: '"done"' });
  });

  test("within the step's time no delivery asks about it, and behind that deliveries do", async () => {
    world.faults = async (call, next) => {
      if (call.stateName === 'Record the result') await world.pause(60_000);
      return next();
    };
    await world.deliver(ORDER);
    await world.pass(1000);
    const early = await world.deliver(ORDER);
    await world.pass(44_000);
    const late = await world.deliver(ORDER);
    await world.settle();

    expect(await world.execution(early)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.execution(late)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.statesOf(early)).not.toContain('Ask about the owner');
    expect(await world.statesOf(late)).toContain('Ask about the owner');
  });

  test('succeeded between the read of its record and the question: the record is read again', async () => {
    world.faults = async (call, next) => {
      if (call.stateName === 'Record the result') await world.pause(60_000);
      if (call.stateName === 'Ask about the owner') await world.pause(30_000);
      return next();
    };
    world.step = () => returns('done');
    await world.deliver(ORDER);
    await world.pass(45_000);
    const duplicate = await world.deliver(ORDER);
    await world.settle();

    expect(await world.execution(duplicate)).toMatchObject({ status: 'SUCCEEDED', output: '"done"' });
    expect((await world.statesOf(duplicate)).filter(name => name === 'Read record')).toHaveLength(2);
  });

  test('without the permission to ask: in progress, and the cause says why', async () => {
    await deadOwner('Business step', 'before');
    await world.pass(GRACE_MS);
    world.faults = at('Ask about the owner', async () => fails('Sfn.SfnException', 'not authorized'));

    const execution = await world.delivered(ORDER);
    expect(execution).toMatchObject({ status: 'FAILED', error: 'Idempotency.InProgress' });
    expect(JSON.parse(execution.cause ?? '')).toMatchObject({
      serviceError: 'Sfn.SfnException: not authorized',
    });
  });
});

describe.each([
  ['by the direct integration', team('redrives directly', { redrive: Redrive.direct() })],
  ['by the function as it is bundled', team('bundled redriver')],
] as const)('an owner that is redriven %s', (_, variant) => {
  test('two deliveries at once: redriven once, and both are in progress', async () => {
    const world = await openTeam(variant);
    try {
      world.faults = stopping(world, 'Record the result', 'before');
      const owner = await world.deliver(ORDER);
      await world.settle();
      await world.pass(GRACE_MS);
      world.faults = noFault;
      const arns = [await world.deliver(ORDER), await world.deliver(ORDER)];
      await world.settle();

      const errors = (await Promise.all(arns.map(world.execution))).map(({ error }) => error);
      expect(errors).toEqual(['Idempotency.InProgress', 'Idempotency.InProgress']);
      expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
      expect(world.runs).toHaveLength(1);
    } finally {
      await world.close();
    }
  }, 30_000);
});
