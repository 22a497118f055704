import { billedTransitions } from '../../../page/history/cost';
import { timelineOf } from '../../../page/history/timeline';

describe('what an execution is billed for', () => {
  test('each state that was entered, and each retry; nothing before the first', () => {
    const types = ['ExecutionStarted', 'TaskStateEntered', 'TaskScheduled', 'TaskFailed', 'TaskScheduled'];
    const events = types.map((type, index) => ({
      id: index + 1,
      previousEventId: index,
      timestamp: index,
      type,
    }));

    expect([1, 2, 3, 4, 5].map(count => billedTransitions(timelineOf(events).at(count)))).toEqual([
      0, 1, 1, 1, 2,
    ]);
  });
});
