import type { ServiceRoute } from '../../api/exchange';
import { startApi } from '../../api/server';
import { advanceBy } from '../../runtime/drive';
import { type ApiWorld, call, openApi, ROLE, START, textOf } from './test-endpoint';

let world: ApiWorld;

beforeAll(async () => {
  world = await openApi();
});

afterAll(() => world.close());

const ARNS = 'arn:aws:states:us-east-1:111111111111';
const definition = textOf({ Rest: { Type: 'Wait', Seconds: 1, End: true } });
const states = (operation: string, body: unknown) => call(world.api, `AWSStepFunctions.${operation}`, body);

describe('Step Functions on the wire', () => {
  test('an answer: JSON 1.0 with a request id, times in seconds with a fraction', async () => {
    const { status, headers, body } = await states('CreateStateMachine', {
      name: 'm',
      definition,
      roleArn: ROLE,
    });

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-amz-json-1.0');
    expect(headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(body).toEqual({ stateMachineArn: `${ARNS}:stateMachine:m`, creationDate: START / 1000 });
  });

  test('a description: what there is not is absent, not null', async () => {
    const executionArn = `${ARNS}:execution:m:e`;
    await states('StartExecution', { stateMachineArn: `${ARNS}:stateMachine:m`, name: 'e' });

    expect((await states('DescribeExecution', { executionArn })).body).toEqual({
      executionArn,
      stateMachineArn: `${ARNS}:stateMachine:m`,
      name: 'e',
      status: 'RUNNING',
      startDate: START / 1000,
      input: '{}',
      inputDetails: { included: true },
      redriveCount: 0,
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
    });
  });

  test('a history: event times in seconds, data as text', async () => {
    await advanceBy(world.runtime, world.clock, 1000);
    const { body } = await states('GetExecutionHistory', {
      executionArn: `${ARNS}:execution:m:e`,
      maxResults: 2,
    });

    expect(body).toEqual({
      events: [
        {
          id: 1,
          previousEventId: 0,
          type: 'ExecutionStarted',
          timestamp: START / 1000,
          executionStartedEventDetails: { input: '{}', inputDetails: { truncated: false }, roleArn: ROLE },
        },
        {
          id: 2,
          previousEventId: 0,
          type: 'WaitStateEntered',
          timestamp: START / 1000,
          stateEnteredEventDetails: { name: 'Rest', input: '{}', inputDetails: { truncated: false } },
        },
      ],
      nextToken: expect.any(String),
    });
  });

  test('metadata only: neither input nor output, and it says so', async () => {
    const request = { executionArn: `${ARNS}:execution:m:e`, includedData: 'METADATA_ONLY' };
    const { body } = await states('DescribeExecution', request);

    expect(body).toMatchObject({ inputDetails: { included: false }, outputDetails: { included: false } });
    expect(body).not.toHaveProperty('input');
    expect(body).not.toHaveProperty('output');
  });

  test.each([
    [
      'of an operation',
      'StartExecution',
      { stateMachineArn: `${ARNS}:stateMachine:none` },
      'com.amazonaws.swf.service.v2.model#StateMachineDoesNotExist',
      `State Machine Does Not Exist: '${ARNS}:stateMachine:none'`,
    ],
    [
      'of the model',
      'StartExecution',
      {},
      'com.amazon.coral.validate#ValidationException',
      "1 validation error detected: Value null at 'stateMachineArn' failed to satisfy constraint: " +
        'Member must not be null',
    ],
    [
      'of a token that is too long',
      'RedriveExecution',
      { executionArn: `${ARNS}:execution:m:e`, clientToken: 'x'.repeat(65) },
      'com.amazon.coral.validate#ValidationException',
      `1 validation error detected: Value '${'x'.repeat(65)}' at 'clientToken' failed to satisfy constraint: ` +
        'Member must have length less than or equal to 64',
    ],
    [
      'of an alias with three versions',
      'CreateStateMachineAlias',
      {
        name: 'a',
        routingConfiguration: [50, 30, 20].map(weight => ({ stateMachineVersionArn: 'v', weight })),
      },
      'com.amazon.coral.validate#ValidationException',
      "1 validation error detected: Value '[RoutingConfigurationListItem(stateMachineVersionArn=v, weight=50), " +
        'RoutingConfigurationListItem(stateMachineVersionArn=v, weight=30), ' +
        "RoutingConfigurationListItem(stateMachineVersionArn=v, weight=20)]' at 'routingConfiguration' failed to " +
        'satisfy constraint: Member must have length less than or equal to 2',
    ],
    [
      'of the protocol',
      'StartExecution',
      { stateMachineArn: 1 },
      'com.amazon.coral.service#SerializationException',
      'NUMBER_VALUE can not be converted to a String',
    ],
    [
      'of what the service does not have',
      'ForgetExecution',
      { executionArn: 'e' },
      'com.amazon.coral.service#UnknownOperationException',
      "Step Functions has no operation 'ForgetExecution'",
    ],
  ])(
    'an error %s: 400 with its namespace and a lower-case message',
    async (_case, name, request, type, message) => {
      const { status, body } = await states(name, request);

      expect({ status, body }).toEqual({ status: 400, body: { __type: type, message } });
    },
  );
});

describe('a definition that the service takes and the local engine does not', () => {
  // Without S3 there is nothing to read items from.
  const mapOver = (inner: string) => {
    const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
    const States = { [inner]: { Type: 'Pass', End: true } };
    const ItemProcessor = { ProcessorConfig, StartAt: inner, States };
    const Arguments = { Bucket: 'b', Key: 'k' };
    const ReaderConfig = { InputType: 'JSON' };
    const ItemReader = { Resource: 'arn:aws:states:::s3:getObject', Arguments, ReaderConfig };
    return { Type: 'Map', ItemProcessor, ItemReader, End: true };
  };
  const job = mapOver('A');
  const foreign = textOf({ P: job });

  test.each(['ERROR', 'WARNING', undefined])(
    'asked for severity %s: FAIL, with what is not there',
    async severity => {
      const { body } = await states('ValidateStateMachineDefinition', { definition: foreign, severity });

      expect(body).toMatchObject({
        result: 'FAIL',
        diagnostics: [
          {
            severity: 'ERROR',
            code: 'NOT_SUPPORTED_LOCALLY',
            location: '/States/P/ItemReader',
          },
        ],
      });
    },
  );

  test.each([
    [1, true],
    [2, false],
  ])('two problems, %d asked for: there are more is %j', async (maxResults, truncated) => {
    const { End: _, ...first } = job;
    const definition = textOf({ P: { ...first, Next: 'Q' }, Q: mapOver('B') });

    const { body } = await states('ValidateStateMachineDefinition', { definition, maxResults });

    expect(body).toMatchObject({ result: 'FAIL', truncated });
    expect((body as { diagnostics: unknown[] }).diagnostics).toHaveLength(maxResults);
  });

  test('created: rejected with the same', async () => {
    const { status, body } = await states('CreateStateMachine', {
      name: 'p',
      definition: foreign,
      roleArn: ROLE,
    });

    expect(status).toBe(400);
    expect(body).toMatchObject({ message: expect.stringContaining('NOT_SUPPORTED_LOCALLY') });
  });
});

test('an answer with a header that cannot be sent: 500, and the endpoint goes on', async () => {
  const problems: string[] = [];
  const route: ServiceRoute = {
    service: { title: 'Broken', signingName: 'broken' },
    requests: { target: 'Broken' },
    bodyBytesMax: 10,
    handle: async () => ({ status: 200, headers: { 'x-line': 'a\nb' }, body: '' }),
  };
  const api = await startApi([route], {
    newRequestId: () => 'r',
    report: ({ message }) => problems.push(message),
  });

  for (const _again of [1, 2]) expect(await call(api, 'Broken.Answer', {})).toMatchObject({ status: 500 });

  expect(problems).toEqual(Array(2).fill('a request broke the local endpoint'));
  await api.close();
});
