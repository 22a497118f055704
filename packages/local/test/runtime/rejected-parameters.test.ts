import type { Interceptor, Service, ServiceCall } from '../../runtime/calls/service';
import { runToEnd } from '../../runtime/drive';
import { taskOf, textOf, worldOf } from './world';

// As recorded of a request to API Gateway, and as https://github.com/aws/aws-cdk/issues/9181 reports it.

/** A service that takes no `wrong`. */
function picky(calls: ServiceCall[]): Service {
  return {
    rejectionOf: given => ('wrong' in Object(given) ? "The field 'wrong' is not supported" : undefined),
    async call(call) {
      calls.push(call);
      return { kind: 'failed', error: 'E', cause: '' };
    },
  };
}

async function run(definition: string, interceptor?: Interceptor) {
  const calls: ServiceCall[] = [];
  const services = new Map([['test:picky', picky(calls)]]);
  const { runtime, clock } = worldOf({ services, ...(interceptor && { interceptor }) });
  const { arn: stateMachineArn } = runtime.register(definition, { name: 'm' });
  const { executionArn } = await runtime.startExecution({ stateMachineArn, input: '{"n":1}' });
  await runToEnd(runtime, clock);
  const { events } = await runtime.getExecutionHistory({ executionArn });
  return {
    calls,
    events: events.map(({ id, previousEventId, type }) => [id, previousEventId, type]),
    all: events,
  };
}

const HANDLED = {
  Retry: [{ ErrorEquals: ['States.ALL'] }],
  Catch: [{ ErrorEquals: ['States.ALL'], Next: 'T' }],
};
const EVENTS = [
  [1, 0, 'ExecutionStarted'],
  [2, 0, 'TaskStateEntered'],
  [3, 2, 'ExecutionFailed'],
];
const PLACE = "An error occurred while executing the state 'T' (entered at the event id #2). ";
const REJECTED = "could not be used to start the Task: [The field 'wrong' is not supported]";

test('arguments: no event of a task, no call, and nothing catches it', async () => {
  const asked: ServiceCall[] = [];
  const task = taskOf('test:picky', { Arguments: { wrong: '{% $states.input.n %}' }, ...HANDLED });
  const { calls, events, all } = await run(textOf({ T: task }), (call, next) => {
    asked.push(call);
    return next();
  });

  expect(events).toEqual(EVENTS);
  expect(all[2]?.executionFailedEventDetails).toEqual({
    error: 'States.Runtime',
    cause: `${PLACE}The Arguments '{"wrong":1}' ${REJECTED}`,
  });
  expect([calls, asked]).toEqual([[], []]);
});

test('parameters: the same in JSONPath, by their name', async () => {
  const { Arguments: _, ...task } = taskOf('test:picky', { Parameters: { 'wrong.$': '$.n' }, ...HANDLED });
  const { calls, events, all } = await run(textOf({ T: task }, { QueryLanguage: 'JSONPath' }));

  expect(events).toEqual(EVENTS);
  expect(all[2]?.executionFailedEventDetails?.cause).toBe(`${PLACE}The Parameters '{"wrong":1}' ${REJECTED}`);
  expect(calls).toEqual([]);
});

test('arguments that are wrong in a retry: the attempt before has its events', async () => {
  const Arguments = '{% $states.context.State.RetryCount = 0 ? {} : {"wrong": 1} %}';
  const { calls, events } = await run(textOf({ T: taskOf('test:picky', { Arguments, ...HANDLED }) }));

  expect(calls).toHaveLength(1);
  expect(events.map(([, , type]) => type)).toEqual([
    ...['ExecutionStarted', 'TaskStateEntered', 'TaskScheduled', 'TaskStarted', 'TaskFailed'],
    'ExecutionFailed',
  ]);
});
