import { once } from 'node:events';
import { type LocalStack, startLocal } from '../index';
import type { Asked } from './arguments';
import { givenMocks } from './given-mocks';
import { describeNotRunLines } from './machine';

/** Runs the sources until the process is to end. @throws LocalError */
export async function serve(asked: Asked, print: (text: string) => void): Promise<number> {
  const { sources: assembly, port, options } = asked;
  const log = (name: string, text: string) => process.stderr.write(`${name}: ${text}\n`);
  const stack = await startLocal({ ...options, assembly, port, log });
  try {
    givenMocks(asked, stack);
    print(asked.isJson ? `${JSON.stringify(summaryOf(stack))}\n` : render(stack));
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    return 0;
  } finally {
    await stack.close();
  }
}

function summaryOf(stack: LocalStack) {
  const { endpoint, region, account, restApis, outputs, notRun } = stack;
  const stateMachines = runningMachines(stack).map(({ name, logicalId, arn, type }) => ({
    name,
    logicalId,
    arn,
    type,
  }));
  return { endpoint, region, account, stateMachines, restApis, outputs, notRun };
}

function runningMachines({ assembly, notRun }: LocalStack): LocalStack['assembly']['stateMachines'] {
  return assembly.stateMachines.filter(({ arn }) => !notRun.some(({ names }) => names.includes(arn)));
}

function render(stack: LocalStack): string {
  const rows = [
    ...runningMachines(stack).map(({ arn }) => `state machine  ${arn}`),
    ...stack.restApis.map(({ url, methods }) => `REST API       ${url}  ${methods.join(', ')}`),
    ...describeNotRunLines(stack),
  ];
  const variables = [
    `AWS_ENDPOINT_URL=${stack.endpoint}`,
    `AWS_REGION=${stack.region} AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local`,
  ];
  return `${[...variables, ...rows, 'Ctrl-C ends it.'].join('\n')}\n`;
}
