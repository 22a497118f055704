import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deliverEvent, type LocalStack, startLocal } from '@onceflow/local';
import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { templateAssembly } from '../../cli/app/template-assembly';
import { IdempotentWorkflow, Source, workflowTemplate } from '../../infra/index';

const PROPS = {
  idempotencyKey: '{% $states.input.detail.orderId %}',
  payload: "{% $states.input.detail.{'amount': amount} %}",
};
const PATTERN = { source: ['shop.orders'] };
const STEP = `exports.handler = async ({ attempt, input }) => {
  const { amount } = input.detail;
  if (amount === 13 && attempt === 1) throw Object.assign(new Error('no money'), { name: 'CardDeclined' });
  return { amount, attempt };
};`;

let directory: string;
let stacks: readonly [template: LocalStack, construct: LocalStack];

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-template-'));
  writeFileSync(path.join(directory, 'step.js'), STEP);
  const sources = [{ eventBridge: { eventPattern: PATTERN } }];
  writeFileSync(
    path.join(directory, 'workflow.json'),
    JSON.stringify(workflowTemplate({ ...PROPS, sources }).template),
  );
  const made = await templateAssembly({
    template: path.join(directory, 'workflow.json'),
    parameters: ['RetentionSeconds=86400'],
    step: path.join(directory, 'step.js'),
  });
  stacks = [
    await startLocal({ assembly: made.directory }),
    await startLocal({ assembly: constructIn(path.join(directory, 'cdk.out')) }),
  ];
  rmSync(made.directory, { recursive: true });
}, 60_000);

afterAll(async () => {
  for (const stack of stacks) await stack.close();
  rmSync(directory, { recursive: true });
});

/** An app with the construct and the same props. */
function constructIn(outdir: string): string {
  const app = new App({ outdir });
  const stack = new Stack(app, 'Construct');
  const step = new LambdaFunction(stack, 'Step', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline(STEP),
  });
  const workflow = new IdempotentWorkflow(stack, 'Workflow', { ...PROPS, scope: 'Workflow', step });
  workflow.startFrom(Source.eventBridge(EventBus.fromEventBusName(stack, 'Bus', 'default'), PATTERN));
  return app.synth().directory;
}

/** Every execution of a delivery: how it ended, and the types and states of its history. */
async function delivered(stack: LocalStack, orderId: string, amount: number) {
  const event = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail: { orderId, amount } };
  const executions = await deliverEvent(stack, event, 'default');
  return Promise.all(
    executions.map(async ({ executionArn, status, output, error }) => {
      const { events } = await stack.runtime.getExecutionHistory({ executionArn });
      return { status, output, error, history: events.map(({ type }) => type) };
    }),
  );
}

test('the same events: the same executions, with the same histories, as of the construct', async () => {
  const story = async (stack: LocalStack) => [
    await delivered(stack, 'order-1', 12),
    await delivered(stack, 'order-1', 12),
    await delivered(stack, 'order-1', 14),
    await delivered(stack, 'order-2', 13),
    await delivered(stack, 'order-2', 13),
    await delivered(stack, '', 1),
  ];

  const [ofTemplate, ofConstruct] = await Promise.all([story(stacks[0]), story(stacks[1])]);

  expect(ofTemplate).toEqual(ofConstruct);
  expect(ofTemplate.map(executions => executions.map(({ error, output }) => error ?? output))).toEqual([
    ['{"amount":12,"attempt":1}'],
    [],
    ['Idempotency.PayloadMismatch'],
    ['CardDeclined'],
    ['{"amount":13,"attempt":2}'],
    ['Idempotency.InvalidEvent'],
  ]);
});
