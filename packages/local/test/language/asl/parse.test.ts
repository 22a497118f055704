import { parseDefinition } from '../../../language/asl/parse';
import { describeProblems } from '../../../language/asl/problems';
import { parseIntegration } from '../../../language/asl/resource';

describe('parseDefinition', () => {
  test('a task with everything: typed, with the defaults of the language', () => {
    const task = {
      Type: 'Task',
      Resource: 'arn:aws:states:::aws-sdk:sfn:describeExecution',
      Arguments: { ExecutionArn: '{% $arn %}' },
      TimeoutSeconds: 5,
      Retry: [
        { ErrorEquals: ['A'] },
        { ErrorEquals: ['B'], MaxAttempts: 0, MaxDelaySeconds: 9, JitterStrategy: 'FULL' },
      ],
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'T', Assign: { e: 1 } }],
      End: true,
    };
    const text = JSON.stringify({
      QueryLanguage: 'JSONata',
      StartAt: 'T',
      TimeoutSeconds: 60,
      States: { T: task },
    });
    const parsed = parseDefinition(text);

    expect(parsed).toEqual({
      kind: 'definition',
      definition: { startAt: 'T', timeoutSeconds: 60, states: expect.any(Map) },
    });
    expect(parsed.kind === 'definition' && parsed.definition.states.get('T')).toEqual({
      kind: 'task',
      name: 'T',
      resource: {
        arn: task.Resource,
        integration: 'aws-sdk:sfn:describeExecution',
        service: 'aws-sdk:sfn',
        operation: 'describeExecution',
        pattern: 'request',
      },
      arguments: { kind: 'object', members: [['ExecutionArn', { kind: 'expression', source: '$arn' }]] },
      timeoutSeconds: { kind: 'constant', value: 5 },
      retry: [
        { errorEquals: ['A'], intervalSeconds: 1, maxAttempts: 3, backoffRate: 2, jitter: 'NONE' },
        {
          errorEquals: ['B'],
          intervalSeconds: 1,
          maxAttempts: 0,
          backoffRate: 2,
          maxDelaySeconds: 9,
          jitter: 'FULL',
        },
      ],
      catch: [{ errorEquals: ['States.ALL'], next: 'T', assign: [['e', { kind: 'constant', value: 1 }]] }],
    });
  });

  test('several problems: all of them, in one line as the service prints it', () => {
    const parsed = parseDefinition(
      '{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"}}}',
    );

    expect(parsed.kind === 'problems' && describeProblems(parsed.problems)).toBe(
      "Invalid State Machine Definition: 'MISSING_TRANSITION_TARGET: Missing 'Next' " +
        'target: B at /States/A/Next, ' +
        "MISSING_END_STATE: Workflow has no terminal state at null'",
    );
  });
});

describe('parseIntegration', () => {
  test.each([
    ['arn:aws:states:::dynamodb:putItem', 'dynamodb', 'putItem'],
    ['arn:aws:states:::aws-sdk:dynamodb:putItem', 'aws-sdk:dynamodb', 'putItem'],
    ['arn:aws:states:::states:startExecution.sync:2', 'states', 'startExecution.sync:2'],
    ['arn:aws-us-gov:states:::lambda:invoke', 'lambda', 'invoke'],
  ])('%s: %s, %s', (arn, service, operation) => {
    expect(parseIntegration(arn)).toMatchObject({ arn, service, operation });
  });

  test.each(['arn:aws:lambda:us-east-1:1:function:f', 'arn:aws:states:::lambda', 'lambda:invoke', ''])(
    '%j: of another form',
    arn => {
      expect(parseIntegration(arn)).toBeUndefined();
    },
  );
});

describe('the same text again', () => {
  const callback = 'arn:aws:states:::sqs:sendMessage.waitForTaskToken';
  const Arguments = { QueueUrl: 'q', MessageBody: '{% $states.context.Task.Token %}' };
  const text = JSON.stringify({
    QueryLanguage: 'JSONata',
    StartAt: 'T',
    States: { T: { Type: 'Task', Resource: callback, Arguments, End: true } },
  });
  const kindOf = (rules: Parameters<typeof parseDefinition>[1]) => parseDefinition(text, rules).kind;

  test('by the same rules: what was read before', () => {
    const knows = (integration: string) => integration === 'sqs:sendMessage';

    expect(parseDefinition(text, { knows })).toBe(parseDefinition(`${text}`, { knows: () => true }));
    expect(parseDefinition(text)).toBe(parseDefinition(text));
  });

  test('by other rules: read anew', () => {
    expect(kindOf({})).toBe('definition');
    expect(kindOf({ type: 'EXPRESS' })).toBe('problems');
    expect(kindOf({ knows: () => false })).toBe('problems');
    expect(kindOf({ knows: () => true })).toBe('definition');
    expect(kindOf({})).toBe('definition');
  });
});
