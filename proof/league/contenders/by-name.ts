import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Order } from '../world/play';
import type { World } from '../world/world';
import type { Contender, Entrant } from './contender';
import { MachineWatch } from './machine';

const OUTPUT = 'StateMachineArn';
const STEP_STATE = 'Charge';
const START_EXECUTION =
  'https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html';

/** A Standard state machine that is just the step; its execution is named by the key. */
export const BY_NAME: Contender = {
  id: 'name',
  title: 'the execution name alone',
  settings:
    'A Standard state machine with the step as LambdaInvoke of the CDK makes it; each delivery starts it under the name of the key.',
  documentation: START_EXECUTION,
  limit: {
    words: 'StartExecution is idempotent for STANDARD workflows.',
    source: START_EXECUTION,
  },
  assembly: synthesize,
  open,
};

function open(world: World): Entrant {
  const { stack, work } = world;
  const stateMachineArn = stack.output(OUTPUT);
  /** Which delivery has started an execution. */
  const deliveries = new Map<string, number | undefined>();
  const watch = new MachineWatch(world, {
    stateMachineArn,
    stepState: STEP_STATE,
    answerOf: () => undefined,
    deliveryOf: executionArn => deliveries.get(executionArn),
  });
  const start = async (order: Order) => {
    // The id that distinguishes deliveries here is not among the values that a sender sends twice. With the same input,
    // a start by the name of a running execution returns the same answer as a new start, and does not say that the work
    // is done.
    const { delivery, ...sent } = order;
    const input = JSON.stringify(sent);
    try {
      const { executionArn } = await stack.runtime.startExecution({
        stateMachineArn,
        name: order.key,
        input,
      });
      if (!deliveries.has(executionArn)) deliveries.set(executionArn, delivery);
    } catch (error) {
      if (!(error instanceof Error && /ExecutionAlreadyExists/.test(`${error.name} ${error.message}`)))
        throw error;
      // The name is all that is known of it: the sender takes it for done.
      world.play.answered(order, 'duplicate');
    }
  };
  return {
    deliver: async order => {
      work.begin();
      await start(order).finally(() => work.end());
    },
    reportedKeys: () => watch.told,
    reset: () => {
      watch.reset();
      deliveries.clear();
    },
  };
}

function synthesize(outdir: string): string {
  const app = new App({ outdir });
  const stack = new Stack(app, 'League');
  const lambdaFunction = new LambdaFunction(stack, 'Step', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => ({});'),
    timeout: Duration.seconds(30),
  });
  const charge = new LambdaInvoke(stack, STEP_STATE, { lambdaFunction });
  const machine = new StateMachine(stack, 'Orders', { definitionBody: DefinitionBody.fromChainable(charge) });
  new CfnOutput(stack, OUTPUT, { value: machine.stateMachineArn });
  return app.synth().directory;
}
