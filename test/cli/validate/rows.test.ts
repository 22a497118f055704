import { SFNClient, TestStateCommand, ValidateStateMachineDefinitionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { Questions } from '../../../cli/validate/ask';
import { rowsOf } from '../../../cli/validate/rows';

const aws = mockClient(SFNClient);

const DEFINITION = JSON.stringify({
  QueryLanguage: 'JSONata',
  StartAt: 'Put',
  States: {
    Put: {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:putItem',
      Arguments: { TableName: 'Records', Item: {} },
      Catch: [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Taken' }],
      End: true,
    },
    Taken: { Type: 'Fail' },
  },
});

const MACHINE = {
  arn: 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay',
  name: 'Pay',
  type: 'STANDARD' as const,
  roleArn: 'arn:aws:iam::111111111111:role/pay',
  logicalId: 'PayStateMachine01234567',
  stack: 'Pay',
  definitionText: DEFINITION,
};

const ONE = MACHINE as unknown as Parameters<typeof rowsOf>[0][number];

/** The answers about the state `Put`, and those about the whole. */
async function rows() {
  const questions = new Questions(new SFNClient({ region: 'us-east-1' }), new AbortController().signal);
  return rowsOf([ONE], questions, () => undefined);
}

/** An answer that never comes. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

beforeEach(() => {
  aws.reset();
  aws.on(ValidateStateMachineDefinitionCommand).resolves({ result: 'OK', diagnostics: [] });
  aws.on(TestStateCommand).resolves({ status: 'CAUGHT_ERROR', nextState: 'Taken' });
});

describe('the rows about a state machine', () => {
  test('as the definition says: confirmed, and no role is given away', async () => {
    expect((await rows()).map(({ verdict }) => verdict)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    const [{ args } = { args: [] }] = aws.commandCalls(TestStateCommand);
    expect(args[0]?.input).toMatchObject({
      stateName: 'Put',
      mock: { errorOutput: { error: 'DynamoDB.ConditionalCheckFailedException' } },
    });
    expect(args[0]?.input).not.toHaveProperty('roleArn');
  });

  test('an error that goes another way: rejected, with both', async () => {
    aws.on(TestStateCommand).resolves({ status: 'FAILED' });

    expect((await rows())[1]).toMatchObject({
      claim: 'errors of "Put": 1 by name',
      verdict: 'rejected',
      detail: 'DynamoDB.ConditionalCheckFailedException: CAUGHT_ERROR to Taken by the definition, but FAILED',
    });
  });

  test('answers that say nothing: unknown', async () => {
    aws.on(ValidateStateMachineDefinitionCommand).resolves({});
    aws.on(TestStateCommand).resolves({});

    const unknown = { verdict: 'unknown', detail: 'the answer is neither yes nor no' };
    expect(await rows()).toEqual([1, 2, 3].map(() => expect.objectContaining(unknown)));
  });

  test('no answer: unknown after a while, asked once, and the rest continues', async () => {
    const never = {
      send: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => rejectedBy(abortSignal),
    };
    const questions = new Questions(never as unknown as SFNClient, new AbortController().signal, {
      answersWithinMs: 10,
    });
    const asked: string[] = [];
    const found = await rowsOf([ONE], questions, text => asked.push(text));

    expect(found.map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual([
      'unknown: ValidateStateMachineDefinition was not answered within 0.01 s',
      'unknown: TestState was not answered within 0.01 s',
      'unknown: ValidateStateMachineDefinition was not answered within 0.01 s',
    ]);
    expect(asked).toEqual(['asking about Pay', 'asking about Pay, "Put"']);
  });

  test('made-up values that the state cannot do with: unknown', async () => {
    aws.on(TestStateCommand).resolves({ status: 'FAILED', error: 'States.QueryEvaluationError' });

    expect((await rows())[1]).toMatchObject({
      verdict: 'unknown',
      detail: expect.stringMatching(/cannot be evaluated/),
    });
  });

  test('a definition that is rejected: why', async () => {
    const diagnostic = {
      severity: 'ERROR',
      code: 'SCHEMA_VALIDATION_FAILED',
      message: 'no',
      location: '/States/Put',
    };
    aws
      .on(ValidateStateMachineDefinitionCommand)
      .resolves({ result: 'FAIL', diagnostics: [diagnostic as never] });

    expect(await rows()).toMatchObject([
      { verdict: 'rejected', detail: 'SCHEMA_VALIDATION_FAILED: no at /States/Put', isDeployed: true },
      { verdict: 'confirmed' },
      { verdict: 'rejected', isDeployed: false },
    ]);
  });

  test('a request that is throttled is made again, later each time, until it is answered', async () => {
    const throttled = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    aws
      .on(TestStateCommand)
      .rejectsOnce(throttled)
      .rejectsOnce(throttled)
      .rejectsOnce(throttled)
      .resolves({ status: 'CAUGHT_ERROR', nextState: 'Taken' });
    const [waited, said]: [number[], string[]] = [[], []];
    const sfn = new SFNClient({ region: 'us-east-1' });
    const questions = new Questions(sfn, new AbortController().signal, {
      progress: text => said.push(text),
      pause: async ms => waited.push(ms),
    });

    const found = await rowsOf([ONE], questions, () => undefined);

    expect(found.map(({ verdict }) => verdict)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(waited).toEqual([1000, 2000, 4000]);
    expect(said[0]).toBe('TestState is throttled, asking again in 1 s');
  });

  test('a request that is throttled for minutes: unknown', async () => {
    const throttled = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    aws.on(TestStateCommand).rejects(throttled);
    let waited = 0;
    const questions = new Questions(new SFNClient({ region: 'us-east-1' }), new AbortController().signal, {
      pause: async ms => (waited += ms),
    });

    const found = await rowsOf([ONE], questions, () => undefined);

    expect(found.map(({ verdict }) => verdict)).toEqual(['confirmed', 'unknown', 'confirmed']);
    expect(waited).toBe(300_000);
  });

  test('no permission: unknown, and not asked again', async () => {
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    aws.on(ValidateStateMachineDefinitionCommand).rejects(denied);

    const answers = await rows();

    expect(answers.map(({ verdict }) => verdict)).toEqual(['unknown', 'confirmed', 'unknown']);
    expect(answers[0]?.detail).toMatch(/Allow states:ValidateStateMachineDefinition/);
    expect(aws.commandCalls(ValidateStateMachineDefinitionCommand)).toHaveLength(1);
  });
});
