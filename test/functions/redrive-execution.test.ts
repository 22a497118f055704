import { ExecutionNotRedrivable, RedriveExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { handler } from '../../functions/redrive-execution/handler';

const REQUEST = { executionArn: 'arn:aws:states:eu-west-1:111111111111:execution:m:e', clientToken: 'token' };
const stepFunctions = mockClient(SFNClient);

beforeEach(() => stepFunctions.reset());

describe('the function that redrives', () => {
  test('asks Step Functions with the very token', async () => {
    stepFunctions.on(RedriveExecutionCommand).resolves({ redriveDate: new Date(0) });

    expect(await handler(REQUEST)).toEqual({});
    expect(stepFunctions.commandCalls(RedriveExecutionCommand).map(({ args }) => args[0].input)).toEqual([
      REQUEST,
    ]);
  });

  test('a rejection: fails by the name that the workflow catches', async () => {
    const rejection = new ExecutionNotRedrivable({ message: 'runs', $metadata: {} });
    stepFunctions.on(RedriveExecutionCommand).rejects(rejection);

    await expect(handler(REQUEST)).rejects.toMatchObject({ name: 'ExecutionNotRedrivable' });
  });
});
