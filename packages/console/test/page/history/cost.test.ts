import { billedTransitions, costInWords } from '../../../page/history/cost';
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

  test('in words: the transitions of a Standard execution, nothing for an Express one', () => {
    const visits = [{ calls: 1 }, { calls: 0 }] as never;
    const arnOf = (kind: string) => `arn:aws:states:eu-west-1:1:${kind}:Pay:order-7`;

    expect(costInWords(arnOf('execution'), { visits })).toBe(
      ', 2 billed transitions: $0.00005 at $0.025 for a thousand',
    );
    expect(costInWords(arnOf('express'), { visits })).toBe('');
  });
});
