import {
  advanceBy,
  type Interceptor,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
} from '@onceflow/local';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Pass, TaskInput, Timeout, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { IdempotentWorkflow, type IdempotentWorkflowProps, RecordTable, Recovery } from '../../infra/index';
import { failing } from '../support/faults';
import { answerOfRedriver } from '../support/redriver';
import { newDirectory } from '../support/shared';
import { someFunction } from '../support/synthesize';
import { fails, returns, T0 } from '../support/world';

const MINUTE = 60_000;
const OLD_STEP_MINUTES = 30;

/** The deployed app: a step that charges, lets that settle for ten minutes, and says which version it is. */
interface Deployed {
  readonly version: 'old' | 'new';
  readonly id?: string;
  readonly props?: Partial<IdempotentWorkflowProps>;
}

function synthesize({ version, id = 'Pay', props = {} }: Deployed): string {
  const outdir = newDirectory();
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Shop');
  const charge = LambdaInvoke.jsonata(stack, 'Charge it', {
    lambdaFunction: someFunction(stack),
    payload: TaskInput.fromText('{% $states.input %}'),
    taskTimeout: Timeout.duration(Duration.minutes(1)),
    retryOnServiceExceptions: false,
  });
  const settle = Wait.jsonata(stack, 'Settle', { time: WaitTime.duration(Duration.minutes(10)) });
  const tell = Pass.jsonata(stack, `Tell ${version}`, { outputs: { by: version } });
  const workflow = new IdempotentWorkflow(stack, id, {
    idempotencyKey: '{% $states.input.id %}',
    table: new RecordTable(stack, 'Records', { tableName: 'records' }),
    scope: 'pay',
    step: charge.next(settle).next(tell),
    stepTimeout: Duration.minutes(version === 'old' ? OLD_STEP_MINUTES : 2),
    // What the old version leaves waits for the new one.
    recovery: version === 'old' ? Recovery.none() : Recovery.automatic(),
    ...props,
  });
  new CfnOutput(stack, 'Machine', { value: workflow.stateMachine.stateMachineArn });
  app.synth();
  return outdir;
}

/** A stack that is deployed again and again over one state directory. */
class Deployments {
  /** For which keys the step was charged, in their order. */
  readonly charged: string[] = [];
  /** What happens to the calls of the state machines from now on. */
  faults: Interceptor = (_call, next) => next();
  readonly #state = newDirectory();
  #stack: LocalStack | undefined;
  #clock = new VirtualClock(T0);

  get stack(): LocalStack {
    if (!this.#stack) throw new Error('nothing is deployed');
    return this.#stack;
  }

  /** Ends the process, as far as it is one, and begins another one with what is deployed now. */
  async deploy(deployed: Deployed): Promise<LocalStack> {
    await this.close();
    this.#clock = new VirtualClock(this.#clock.now());
    this.#stack = await startLocal({
      assembly: synthesize(deployed),
      state: this.#state,
      clock: this.#clock,
      interceptor: (call, next) =>
        this.faults(call, async () => {
          if (call.stateName !== 'Charge it') return answerOfRedriver(this.stack, call) ?? next();
          const { Payload } = call.arguments as unknown as { Payload: { idempotencyKey: string } };
          this.charged.push(Payload.idempotencyKey);
          return returns('charged');
        }),
    });
    return this.#stack;
  }

  /** Starts the workflow that is deployed now, and lets a minute pass: a new execution is in its step then. */
  async deliver(id: string, more: object = {}): Promise<string> {
    const { executionArn } = await this.stack.runtime.startExecution({
      stateMachineArn: this.stack.output('Machine'),
      input: JSON.stringify({ id, ...more }),
    });
    await this.pass(MINUTE);
    return executionArn;
  }

  /** The same to its end, and everybody else's. */
  async delivered(id: string, more: object = {}) {
    const executionArn = await this.deliver(id, more);
    await runToEnd(this.stack.runtime, this.#clock);
    return this.execution(executionArn);
  }

  pass(milliseconds: number): Promise<void> {
    return advanceBy(this.stack.runtime, this.#clock, milliseconds);
  }

  execution(executionArn: string) {
    return this.stack.runtime.describeExecution({ executionArn });
  }

  /** How the executions of a state machine have ended, oldest first. */
  async ends(stateMachineName: string) {
    const stateMachineArn = this.stack.output('Machine').replace(/[^:]*$/, stateMachineName);
    const { executions } = await this.stack.runtime.listExecutions({ stateMachineArn });
    const described = await Promise.all(executions.map(({ executionArn }) => this.execution(executionArn)));
    return described.map(({ status, error }) => error ?? status).reverse();
  }

  async close(): Promise<void> {
    await this.#stack?.close();
    this.#stack = undefined;
  }
}

const ONCE_EACH = ['dead', 'retrying', 'in-step', 'fresh'].map(id => `pay#${id}`);
const BY_OLD = { status: 'SUCCEEDED', output: '{"by":"old"}' };
const BY_NEW = { status: 'SUCCEEDED', output: '{"by":"new"}' };

describe('a deployment while executions are under way', () => {
  let deployments: Deployments;
  beforeEach(() => {
    deployments = new Deployments();
  });
  afterEach(() => deployments.close());

  /**
   * One execution that is in its step, one that waits to finish its record once more, one that was interrupted in its
   * step.
   */
  async function underWay() {
    const dead = await deployments.deliver('dead');
    await deployments.stack.runtime.stopExecution({ executionArn: dead });
    const retrying = await deployments.deliver('retrying');
    deployments.faults = async (call, next) =>
      call.stateName === 'Record the result' ? fails('DynamoDB.SdkClientException') : next();
    await deployments.pass(9.02 * MINUTE);
    const inStep = await deployments.deliver('in-step');
    deployments.faults = (_call, next) => next();
    return { dead, retrying, inStep };
  }

  /** The outcome, and that of one more delivery of each key. */
  async function expectNothingLost({ dead, retrying, inStep }: Awaited<ReturnType<typeof underWay>>) {
    expect(await deployments.delivered('fresh')).toMatchObject(BY_NEW);
    for (const arn of [retrying, inStep]) expect(await deployments.execution(arn)).toMatchObject(BY_OLD);
    expect(await deployments.delivered('in-step')).toMatchObject(BY_OLD);
    expect(await deployments.delivered('retrying')).toMatchObject(BY_OLD);
    expect(await deployments.execution(dead)).toMatchObject({ status: 'ABORTED' });
    await deployments.pass(OLD_STEP_MINUTES * MINUTE);
    await deployments.delivered('dead');
    expect(await deployments.execution(dead)).toMatchObject({ ...BY_OLD, redriveCount: 1 });
    expect(await deployments.delivered('dead')).toMatchObject(BY_OLD);
  }

  test('another definition: each goes on with its own, redriven as well, and its result answers', async () => {
    await deployments.deploy({ version: 'old' });
    const executions = await underWay();

    await deployments.deploy({ version: 'new', props: { retention: Duration.days(3) } });

    expect(deployments.stack.resumed).toBe(2);
    await expectNothingLost(executions);
    expect(deployments.charged).toEqual(ONCE_EACH);
  });

  test('the construct renamed, the names pinned: as if it had the old one', async () => {
    const props = { stateMachineName: 'pay' };
    await deployments.deploy({ version: 'old', props });
    const executions = await underWay();

    await deployments.deploy({ version: 'new', id: 'Payments', props });

    expect(deployments.stack.resumed).toBe(2);
    await expectNothingLost(executions);
    expect(deployments.charged).toEqual(ONCE_EACH);
  });

  test('the construct renamed, another state machine: that of before goes on, and recovery redrives it', async () => {
    await deployments.deploy({ version: 'old', props: { stateMachineName: 'pay' } });
    const executions = await underWay();
    const props = { stateMachineName: 'charge', formerStateMachines: ['pay'] };

    await deployments.deploy({ version: 'new', id: 'Payments', props });

    expect(deployments.stack.resumed).toBe(2);
    await expectNothingLost(executions);
    expect(deployments.charged).toEqual(ONCE_EACH);
  });

  test.each([
    ['is interrupted behind it: its status change tells', 'after'],
    ['was interrupted before it: the first search finds it', 'before'],
  ] as const)('another state machine, with recovery; an execution of that of before %s', async (_, when) => {
    const stop = (executionArn: string) => deployments.stack.runtime.stopExecution({ executionArn });
    await deployments.deploy({ version: 'old', props: { stateMachineName: 'pay' } });
    const dead = await deployments.deliver('dead');
    if (when === 'before') await stop(dead);

    await deployments.deploy({
      version: 'new',
      id: 'Payments',
      props: {
        stateMachineName: 'charge',
        // One of them was never here, as if it were deleted by now.
        formerStateMachines: ['pay', 'older'],
        recovery: Recovery.automatic(),
      },
    });
    if (when === 'after') await stop(dead);
    await deployments.pass(3 * 60 * MINUTE);

    expect(await deployments.execution(dead)).toMatchObject({ ...BY_OLD, redriveCount: 1 });
    expect(deployments.charged).toEqual(['pay#dead']);
    expect(await deployments.delivered('dead')).toMatchObject(BY_OLD);
    expect(await deployments.ends('charge')).toEqual(['SUCCEEDED']);
  });

  test('another state machine, with redeliverFailed; the step of that of before fails behind it: done by the new one', async () => {
    await deployments.deploy({ version: 'old', props: { stateMachineName: 'pay' } });
    deployments.faults = failing('Charge it', 'Shop.Away', 1);
    const failed = await deployments.deliver('late');

    const recovery = Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } });
    const props = { stateMachineName: 'charge', formerStateMachines: ['pay'], recovery };
    await deployments.deploy({ version: 'new', id: 'Payments', props });
    await deployments.pass(3 * 60 * MINUTE);

    expect(await deployments.execution(failed)).toMatchObject({ error: 'Shop.Away' });
    expect(await deployments.ends('charge')).toEqual(['SUCCEEDED']);
    expect(deployments.charged).toEqual(['pay#late']);
  });

  test('another payload to compare: what was claimed before is rejected, and nothing runs', async () => {
    const payload = '{% $states.input.amount %}';
    await deployments.deploy({ version: 'old', props: { payload } });
    expect(await deployments.delivered('done', { amount: 1 })).toMatchObject(BY_OLD);
    const inStep = await deployments.deliver('in-step', { amount: 1 });

    await deployments.deploy({
      version: 'new',
      props: { payload: "{% {'amount': $states.input.amount} %}" },
    });

    const rejected = { status: 'FAILED', error: 'Idempotency.PayloadMismatch' };
    for (const id of ['done', 'in-step'])
      expect(await deployments.delivered(id, { amount: 1 })).toMatchObject(rejected);
    expect(await deployments.execution(inStep)).toMatchObject(BY_OLD);
    expect(deployments.charged).toEqual(['pay#done', 'pay#in-step']);
  });

  test('a payload to compare that was not compared before: what was claimed before answers', async () => {
    await deployments.deploy({ version: 'old' });
    await deployments.deliver('in-step', { amount: 1 });

    await deployments.deploy({ version: 'new', props: { payload: '{% $states.input.amount %}' } });

    expect(await deployments.delivered('fresh', { amount: 1 })).toMatchObject(BY_NEW);
    expect(await deployments.delivered('in-step', { amount: 1 })).toMatchObject(BY_OLD);
    expect(deployments.charged).toEqual(['pay#in-step', 'pay#fresh']);
  });
});
