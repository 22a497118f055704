import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { S3 } from '@aws-sdk/client-s3';
import { SFN } from '@aws-sdk/client-sfn';
import { startLocal } from '@onceflow/local';
import { templateAssembly } from '../../cli/app/template-assembly';
import { workflowTemplate } from '../../infra/index';

// ministack is not installed here: `pip install --target DIR ministack==1.5.33`, and `ONCEFLOW_MINISTACK=DIR`.
const MINISTACK = process.env['ONCEFLOW_MINISTACK'];

const STEP = `exports.handler = async ({ attempt, input }) => ({ amount: input.detail.amount, attempt });`;
const PROPS = {
  idempotencyKey: '{% $states.input.detail.orderId %}',
  payload: "{% $states.input.detail.{'amount': amount} %}",
  sources: [{ eventBridge: { eventPattern: { source: ['shop.orders'] } } }],
};
const INPUTS = [
  { detail: { orderId: 'order-1', amount: 12.5 } },
  { detail: { orderId: 'order-1', amount: 12.5 } },
  { detail: { orderId: 'order-1', amount: 13 } },
  { detail: { amount: 13 } },
];

/** How an execution went: its end, and the states that it entered. */
interface Story {
  readonly end: string | undefined;
  readonly states: readonly (string | undefined)[];
}

async function storiesOn(sfn: SFN, stateMachineArn: string): Promise<readonly Story[]> {
  const stories: Story[] = [];
  for (const input of INPUTS) {
    const { executionArn } = await sfn.startExecution({ stateMachineArn, input: JSON.stringify(input) });
    let described = await sfn.describeExecution({ executionArn });
    while (described.status === 'RUNNING') {
      await delay(200);
      described = await sfn.describeExecution({ executionArn });
    }
    const { events = [] } = await sfn.getExecutionHistory({ executionArn });
    stories.push({
      // It writes JSON with blanks.
      end:
        described.status === 'SUCCEEDED'
          ? JSON.stringify(JSON.parse(described.output ?? ''))
          : described.error,
      states: events.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []),
    });
  }
  return stories;
}

(MINISTACK === undefined ? describe.skip : describe)(
  'the template on ministack, deployed without CDK',
  () => {
    const template = JSON.stringify(workflowTemplate(PROPS).template);
    let directory: string;
    let program: ChildProcess;
    let clients: {
      endpoint: string;
      region: string;
      credentials: { accessKeyId: string; secretAccessKey: string };
    };

    beforeAll(async () => {
      directory = mkdtempSync(path.join(tmpdir(), 'onceflow-ministack-'));
      const port = await freePort();
      program = spawn('python3', ['-m', 'ministack'], {
        cwd: directory,
        env: { ...process.env, PYTHONPATH: MINISTACK, GATEWAY_PORT: String(port) },
        stdio: 'ignore',
      });
      const endpoint = `http://127.0.0.1:${port}`;
      clients = { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'y' } };
      for (let tries = 0; tries < 120 && !(await answers(endpoint)); tries += 1) await delay(500);
    }, 90_000);

    afterAll(() => {
      program.kill();
      rmSync(directory, { recursive: true, force: true });
    });

    test('the executions of the local runtime, state by state', async () => {
      const step = await deployed('step', {
        Resources: {
          Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [] } } },
          Step: {
            Type: 'AWS::Lambda::Function',
            Properties: {
              Runtime: 'nodejs22.x',
              Handler: 'index.handler',
              Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
              Code: { ZipFile: STEP },
            },
          },
        },
        Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Step', 'Arn'] } } },
      });
      const outputs = await deployed('payments', template, { StepFunctionArn: step['Arn'] ?? '' });
      const sfn = new SFN(clients);

      const there = await storiesOn(sfn, outputs['StateMachineArn'] ?? '');

      sfn.destroy();
      expect(there).toEqual(await storiesHere());
      expect(there.map(({ end }) => end)).toEqual([
        '{"amount":12.5,"attempt":1}',
        '{"amount":12.5,"attempt":1}',
        'Idempotency.PayloadMismatch',
        'Idempotency.InvalidEvent',
      ]);
    }, 120_000);

    /** Deploys by a bucket, which a template of any size may be in. Gives the outputs. */
    async function deployed(
      name: string,
      body: object | string,
      values: Readonly<Record<string, string>> = {},
    ) {
      const s3 = new S3({ ...clients, forcePathStyle: true });
      const cloudFormation = new CloudFormation(clients);
      await s3.createBucket({ Bucket: `templates-${name}` });
      const Body = typeof body === 'string' ? body : JSON.stringify(body);
      await s3.putObject({ Bucket: `templates-${name}`, Key: 'template.json', Body });
      const Parameters = Object.entries(values).map(([ParameterKey, ParameterValue]) => ({
        ParameterKey,
        ParameterValue,
      }));
      await cloudFormation.createStack({
        StackName: name,
        TemplateURL: `${clients.endpoint}/templates-${name}/template.json`,
        Capabilities: ['CAPABILITY_IAM'],
        Parameters,
      });
      for (;;) {
        const { Stacks: [stack] = [] } = await cloudFormation.describeStacks({ StackName: name });
        if (stack?.StackStatus === 'CREATE_COMPLETE') {
          s3.destroy();
          cloudFormation.destroy();
          return Object.fromEntries(
            (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
          );
        }
        if (!stack?.StackStatus?.endsWith('IN_PROGRESS')) throw new Error(`${name}: ${stack?.StackStatus}`);
        await delay(500);
      }
    }

    async function storiesHere(): Promise<readonly Story[]> {
      writeFileSync(path.join(directory, 'template.json'), template);
      writeFileSync(path.join(directory, 'step.js'), STEP);
      const made = await templateAssembly({
        template: path.join(directory, 'template.json'),
        parameters: [],
        step: path.join(directory, 'step.js'),
      });
      const stack = await startLocal({ assembly: made.directory });
      rmSync(made.directory, { recursive: true });
      const sfn = new SFN({ ...clients, endpoint: stack.endpoint });
      try {
        return await storiesOn(sfn, stack.output('StateMachineArn'));
      } finally {
        sfn.destroy();
        await stack.close();
      }
    }
  },
);

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const answers = (endpoint: string) =>
  fetch(`${endpoint}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );
