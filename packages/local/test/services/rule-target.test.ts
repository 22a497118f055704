import { StatesError } from '../../runtime/requests/errors';
import type { Runtime } from '../../runtime/runtime';
import { VirtualClock } from '../../runtime/time/virtual-clock';
import { WorkTracker } from '../../runtime/time/work-tracker';
import { functionTarget } from '../../services/lambda/service';
import { ServiceRegistry } from '../../services/service-registry';
import { TOPIC } from '../../services/sns/cloudformation';
import { SNS } from '../../services/sns/service';
import { Queues } from '../../services/sqs/queues';
import { queueTarget, SQS } from '../../services/sqs/service';
import { stateMachineTarget } from '../../services/states/state-machine-target';
import { cleanUp, newPath, open, rejectNextWrite } from '../state/world';
import { contextOf } from './service-context';

afterEach(cleanUp);

const ARN = 'arn:aws:lambda:us-east-1:1:function:f';

function functions() {
  const invoked: unknown[] = [];
  const target = functionTarget(
    {
      find: name => (name === ARN ? ({} as never) : undefined),
      async invoke(_name, payload) {
        invoked.push(payload);
        return { kind: 'succeeded', payload: null };
      },
    },
    new WorkTracker(),
  );
  return { invoked, target };
}

const whenEnded = async () => undefined;

const queues = () => new Queues({ region: 'us-east-1', account: '1', now: () => 0, newId: () => 'id' });

/** A target of which only starts matter. */
const machineTarget = (startExecution: Runtime['startExecution']) =>
  stateMachineTarget(
    { startExecution, startSyncExecution: never, whenEnded, work: new WorkTracker() },
    new VirtualClock(0),
  );
const never = () => new Promise<never>(() => {});

describe('the target of a rule', () => {
  test('a queue: gets the text as it is', async () => {
    const made = queues();
    const { arn } = made.create('q');

    await queueTarget(made).deliver(arn, '{"a": 1}');

    expect(made.peek('q')).toMatchObject([{ body: '{"a": 1}' }]);
  });

  test('a queue whose message cannot be written: rejects it, and has none', async () => {
    const writeThrough = () => Promise.reject(new Error('no space left on device'));
    const options = { region: 'us-east-1', account: '1', now: () => 0, newId: () => 'id', writeThrough };
    const made = new Queues(options);
    const { arn } = made.create('q');

    await expect(queueTarget(made).deliver(arn, '{}')).rejects.toThrow('no space left');

    expect(made.peek('q')).toEqual([]);
  });

  test('a topic whose messages cannot be written: rejects the event, and no subscriber has it', async () => {
    const services = new ServiceRegistry();
    const sqs = await SQS.open(contextOf({ directory: await open(newPath()) }));
    services.add(sqs);
    const topicArn = 'arn:aws:sns:us-east-1:111111111111:t';
    const subscription = { topicArn, protocol: 'sqs', endpoint: sqs.queues.create('q').arn, raw: true };
    const topic = { name: 't', arn: topicArn, subscriptions: [subscription] };
    const of = (type: object) => (type === TOPIC ? [topic] : []) as never[];
    const sns = await SNS.open(contextOf({ services, resources: { of, notRun: [], inert: [] } }));
    sns.start?.();
    await sqs.queues.written();
    rejectNextWrite();

    await expect(sns.target?.deliver(topicArn, '{}')).rejects.toThrow('no space left');

    expect(sqs.queues.peek('q')).toEqual([]);
  });

  test.each([
    ['JSON: as the value', '{"a":1}', { a: 1 }],
    ['the plain text of a transformer: as a text', 'order 7 came', 'order 7 came'],
  ])('a function, %s', async (_, input, payload) => {
    const { invoked, target } = functions();

    await target.deliver(ARN, input);

    expect(invoked).toEqual([payload]);
  });

  test.each([
    ['arn:aws:lambda:us-east-1:1:function:none', functions().target],
    ['arn:aws:sqs:us-east-1:1:none', queueTarget(queues())],
  ])('%s, which is not there: rejected for good', async (arn, target) => {
    await expect(target.deliver(arn, '{}')).rejects.toMatchObject({
      name: 'TargetError',
      code: 'NO_RESOURCE',
      isRetriable: false,
    });
  });

  test.each([
    ['does not exist', 'StateMachineDoesNotExist', 'NO_RESOURCE', false],
    ['has no ARN', 'InvalidArn', 'NO_RESOURCE', false],
    ['never takes the input', 'InvalidExecutionInput', 'SDK_CLIENT_ERROR', false],
    ['never takes the name', 'InvalidName', 'SDK_CLIENT_ERROR', false],
    ['never takes the request', 'ValidationException', 'SDK_CLIENT_ERROR', false],
    ['may take it later', 'ConflictException', 'ERROR_FROM_TARGET', true],
  ])(
    'a state machine that %s: the code, and whether it is tried again',
    async (_, name, code, isRetriable) => {
      const startExecution = async () => Promise.reject(new StatesError(name as 'InvalidArn', 'why'));

      await expect(machineTarget(startExecution).deliver('arn', '{}')).rejects.toMatchObject({
        name: 'TargetError',
        code,
        isRetriable,
        message: 'why',
      });
    },
  );

  test('a fault behind a state machine: not taken for a rejection of it', async () => {
    const startExecution = async () => Promise.reject(new Error('socket hang up'));

    await expect(machineTarget(startExecution).deliver('arn', '{}')).rejects.toThrow('socket hang up');
  });
});
