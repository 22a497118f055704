import { calledBy, startedBy } from '../../../page/history/calls';
import { timelineOf } from '../../../page/history/timeline';
import type { HistoryEvent } from '../../../views';

const CHILD = 'arn:aws:states:us-east-1:111111111111:execution:child:one';

function event(
  id: number,
  previousEventId: number,
  type: string,
  details: Readonly<Record<string, unknown>> = {},
): HistoryEvent {
  const name = `${type.charAt(0).toLowerCase()}${type.slice(1)}`.replace(/^\w+State(?=E)/, 'state');
  const head = { id, previousEventId, type, timestamp: id };
  return Object.assign(head, { [`${name}EventDetails`]: details });
}

const START = { resourceType: 'states', resource: 'startExecution.sync:2' };
const EVENTS = [
  event(1, 0, 'TaskStateEntered', { name: 'Start a child' }),
  // Another branch.
  event(2, 0, 'TaskStateEntered', { name: 'Charge' }),
  event(3, 1, 'TaskScheduled', { ...START, parameters: '{"StateMachineArn":"child"}' }),
  event(4, 2, 'TaskScheduled', {
    resourceType: 'lambda',
    resource: 'invoke',
    parameters: `"${CHILD} and others"`,
  }),
  event(5, 3, 'TaskSubmitted', { ...START, output: JSON.stringify({ ExecutionArn: CHILD }) }),
  event(6, 5, 'TaskSucceeded', { ...START, output: `{"ExecutionArn":"${CHILD}","Output":"{}"}` }),
  event(7, 6, 'TaskStateExited', { name: 'Start a child' }),
];
const [child, charge] = timelineOf(EVENTS).at().visits;

describe('what a Task has called', () => {
  test('an execution that it has started: once, and from the event on that names it', () => {
    const of = (count: number) => child && calledBy(child, EVENTS, count);

    expect(of(7)).toEqual({ resource: 'states:startExecution.sync:2', executions: [CHILD] });
    expect(of(3)).toEqual({ resource: 'states:startExecution.sync:2', executions: [] });
    expect(of(2)).toEqual({ resource: undefined, executions: [] });
  });

  test('a function that gets one: that one', () => {
    expect(charge && calledBy(charge, EVENTS, 7)).toEqual({ resource: 'lambda:invoke', executions: [CHILD] });
  });

  test('a state that calls nothing', () => {
    expect(charge && calledBy({ ...charge, type: 'Choice' }, EVENTS, 7).resource).toBeUndefined();
  });
});

describe('who has started an execution', () => {
  test.each([
    [`{"a":1,"AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID": "${CHILD}"}`, CHILD],
    ['{}', undefined],
    [undefined, undefined],
  ])('%s', (input, arn) => {
    expect(startedBy(input)).toBe(arn);
  });
});
