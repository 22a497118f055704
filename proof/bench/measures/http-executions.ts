import { Agent } from 'node:http';
import { print } from './measure';
import { requestJson } from './request-json';

// Executions at an endpoint of Step Functions, each started by a client that then asks until it has ended, some clients
// at once. Arguments: the endpoint, and how many executions.

/** What the program prints. */
export interface HttpMeasure {
  readonly executions: number;
  readonly seconds: number;
}

const [endpoint = '', count = ''] = process.argv.slice(2);
const CLIENTS = 8;

/** Three Pass states, in the States Language that every emulator knows. */
const DEFINITION = {
  StartAt: 'First',
  States: {
    First: { Type: 'Pass', Next: 'Second' },
    Second: { Type: 'Pass', Next: 'Third' },
    Third: { Type: 'Pass', End: true },
  },
};

async function measure(): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const call = (operation: string, body: object) =>
    requestJson({ endpoint, agent }, 'states', `AWSStepFunctions.${operation}`, body);
  const { stateMachineArn } = (await call('CreateStateMachine', {
    name: `bench-${process.pid}`,
    definition: JSON.stringify(DEFINITION),
    roleArn: 'arn:aws:iam::000000000000:role/bench',
  })) as { readonly stateMachineArn: string };
  const run = async (executions: number) => {
    let left = executions;
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (; left > 0; ) {
        left -= 1;
        const started = (await call('StartExecution', { stateMachineArn, input: '{"orderId":1}' })) as object;
        let status = 'RUNNING';
        while (status === 'RUNNING') {
          ({ status } = (await call('DescribeExecution', {
            executionArn: (started as { readonly executionArn: string }).executionArn,
          })) as { readonly status: string });
        }
        if (status !== 'SUCCEEDED') throw new Error(`an execution of the bench is ${status}`);
      }
    });
    await Promise.all(clients);
  };
  await run(CLIENTS * 2);
  const startedAt = performance.now();
  await run(Number(count));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  print({ executions: Number(count), seconds } satisfies HttpMeasure);
}

void measure();
