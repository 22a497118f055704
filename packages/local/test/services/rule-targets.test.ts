import { Activity } from '../../runtime/activity';
import { StatesError } from '../../runtime/errors';
import type { LambdaFunctions } from '../../services/lambda/functions';
import { startTarget, TargetError, targetErrorOf } from '../../services/rule-targets';
import { Queues } from '../../services/sqs/queues';

const ARN = 'arn:aws:lambda:us-east-1:1:function:f';

function services() {
  const queues = new Queues({ region: 'us-east-1', account: '1', now: () => 0, newId: () => 'id' });
  const invoked: unknown[] = [];
  const functions: LambdaFunctions = {
    find: name => (name === ARN ? ({} as ReturnType<LambdaFunctions['find']>) : undefined),
    async invoke(_name, payload) {
      invoked.push(payload);
      return { kind: 'succeeded', payload: null };
    },
    close: async () => undefined,
  };
  const activity = new Activity();
  const runtime = () => ({
    startExecution: async () => Promise.reject(new StatesError('StateMachineDoesNotExist', 'gone')),
  });
  return { invoked, queues, given: { runtime, queues, functions, activity } };
}

describe('the target of a rule', () => {
  test('a queue: gets the text as it is', async () => {
    const { queues, given } = services();
    const { arn } = queues.create('q');

    await startTarget(arn, '{"a": 1}', given);

    expect(queues.peek('q')).toMatchObject([{ body: '{"a": 1}' }]);
  });

  test.each([
    ['JSON: as the value', '{"a":1}', { a: 1 }],
    ['the plain text of a transformer: as a text', 'order 7 came', 'order 7 came'],
  ])('a function, %s', async (_, input, payload) => {
    const { invoked, given } = services();

    await startTarget(ARN, input, given);

    expect(invoked).toEqual([payload]);
  });

  test.each([
    'arn:aws:lambda:us-east-1:1:function:none',
    'arn:aws:sqs:us-east-1:1:none',
    'arn:aws:sns:us-east-1:1:topic',
  ])('%s, which is not there: refused for good', async arn => {
    const { invoked, given } = services();

    await expect(startTarget(arn, '{}', given)).rejects.toMatchObject({
      name: 'TargetError',
      code: 'NO_RESOURCE',
      isRetriable: false,
    });
    expect(invoked).toEqual([]);
  });
});

describe('what is told of a refusal', () => {
  test.each<[string, Error, string, boolean]>([
    ['no state machine', new StatesError('StateMachineDoesNotExist', 'x'), 'NO_RESOURCE', false],
    ['no ARN', new StatesError('InvalidArn', 'x'), 'NO_RESOURCE', false],
    ['input it never takes', new StatesError('InvalidExecutionInput', 'x'), 'SDK_CLIENT_ERROR', false],
    ['a name it never takes', new StatesError('InvalidName', 'x'), 'SDK_CLIENT_ERROR', false],
    ['a request it never takes', new StatesError('ValidationException', 'x'), 'SDK_CLIENT_ERROR', false],
    ['what may pass', new StatesError('ConflictException', 'x'), 'ERROR_FROM_TARGET', true],
    ['a fault', new Error('socket hang up'), 'ERROR_FROM_TARGET', true],
    ['what is told already', new TargetError('NO_RESOURCE', 'x', false), 'NO_RESOURCE', false],
  ])('%s: the code, and whether it is tried again', (_, error, code, isRetriable) => {
    expect(targetErrorOf(error)).toMatchObject({ code, isRetriable, message: error.message });
  });
});
