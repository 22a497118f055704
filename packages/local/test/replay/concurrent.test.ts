import { inShort, recorded, replayed, type States } from './recorded';

interface Event {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: string;
  readonly timestamp: string;
}

const task = (name: string, more: object) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: name, Payload: '{% $states.input %}' },
  Output: { of: name, got: '{% $states.result %}' },
  ...more,
});

const branches: States = {
  Both: {
    Type: 'Parallel',
    Branches: [
      {
        StartAt: 'Left',
        States: { Left: task('left', { Next: 'Left 2' }), 'Left 2': task('left2', { End: true }) },
      },
      {
        StartAt: 'Right',
        States: { Right: task('right', { Next: 'Right 2' }), 'Right 2': { Type: 'Pass', End: true } },
      },
    ],
    Output: { both: '{% $states.result %}' },
    Next: 'Each',
  },
  Each: {
    Type: 'Map',
    Items: [1, 2, 3],
    MaxConcurrency: 2,
    ItemProcessor: { StartAt: 'One', States: { One: task('one', { End: true }) } },
    End: true,
  },
} as unknown as States;

const answers = (...ms: readonly number[]) => ms.map((afterMs, index) => ({ output: index, afterMs }));

/** Events that come when all that was begun before them has ended. */
const LAST = /^(?:Execution\w+|(?:Parallel|Map)StateSucceeded)$/;

/** The recording with the events between such in another order, in which each still comes after what it follows. */
function reordered(history: string, prefer: (event: Event) => number): string {
  const { events } = JSON.parse(history) as { events: Event[] };
  const ids = new Map<number, number>([[0, 0]]);
  const left = [...events];
  for (let id = 1; id <= events.length; id += 1) {
    const end = left.findIndex(({ type }) => LAST.test(type));
    const ready =
      end === 0 ? left.slice(0, 1) : left.slice(0, end).filter(one => ids.has(one.previousEventId));
    const [next] = ready.toSorted((a, b) => prefer(a) - prefer(b));
    if (!next) throw new Error('nothing can come next');
    left.splice(left.indexOf(next), 1);
    ids.set(next.id, id);
  }
  const sorted = events.toSorted((a, b) => (ids.get(a.id) ?? 0) - (ids.get(b.id) ?? 0));
  return JSON.stringify({
    events: sorted.map((event, index) => {
      const isLast = event.type.endsWith('StateSucceeded');
      return { ...event, id: index + 1, previousEventId: isLast ? index : ids.get(event.previousEventId) };
    }),
  });
}

describe('branches and iterations', () => {
  test.each([
    [[10, 20, 30, 10, 20, 30]],
    [[30, 10, 20, 30, 20, 10]],
    [[10, 10, 10, 10, 10, 10]],
    [[0, 0, 0, 0, 0, 0]],
  ])('answers after %j ms: the same way', ms => {
    const history = recorded(branches, { answers: answers(...ms) });

    expect(inShort(replayed(branches, history))).toBe('same');
  });

  test.each([
    ['the oldest first', ({ id }: Event) => id],
    ['the latest first', ({ id }: Event) => -id],
    ['by turns', ({ id }: Event) => id % 3],
  ])('the events of one moment in another order, %s: the same way', (_title, prefer) => {
    const history = recorded(branches, { answers: answers(0, 0, 0, 0, 0, 0) });
    const other = reordered(history, prefer);

    expect(inShort(replayed(branches, other))).toBe('same');
  });

  test('a Map that reads its input when all items are done: the same way', () => {
    const states: States = {
      Each: {
        Type: 'Map',
        Items: '{% $states.input.items %}',
        ItemProcessor: { StartAt: 'One', States: { One: { Type: 'Pass', Output: 'done', End: true } } },
        Output: { all: '{% $states.result %}', of: '{% $states.input %}' },
        End: true,
      },
    };
    const history = recorded(states, { input: { items: [1, 2] } });

    expect(inShort(replayed(states, history))).toBe('same');
  });

  test('a branch that goes on where it ended: told where the recording is done with all', () => {
    const more = JSON.parse(
      JSON.stringify(branches).replace(
        '"Right 2":{"Type":"Pass","End":true}',
        '"Right 2":{"Type":"Pass","Next":"Right 3"},"Right 3":{"Type":"Pass","End":true}',
      ),
    ) as States;
    const history = recorded(branches, { answers: answers(10, 10, 30, 10, 10, 10) });

    expect(inShort(replayed(more, history))).toMatch(
      /^event \d+, ".*": next: has its Parallel state succeeded \/ enters "Right 3"$/,
    );
  });

  test('another argument of one branch, another number of items: told', () => {
    const history = recorded(branches, { answers: answers(10, 20, 30, 10, 20, 30) });
    const changed = (from: string, to: string) =>
      inShort(replayed(JSON.parse(JSON.stringify(branches).replace(from, to)) as States, history));

    expect(changed('"FunctionName":"left2"', '"FunctionName":"left3"')).toMatch(
      /^event \d+, "Left 2": arguments FunctionName: "left2" \/ "left3"$/,
    );
    expect(changed('[1,2,3]', '[1,2]')).toMatch(/^event \d+, "Each": input length: 3 \/ 2$/);
    expect(changed('"MaxConcurrency":2', '"MaxConcurrency":1')).toBe('same');
    expect(changed('"MaxConcurrency":2', '"MaxConcurrency":3')).toBe('same');
  });

  test('a branch that fails while another works: what is aborted is not compared', () => {
    const history = recorded(branches, {
      answers: [
        { error: 'E', afterMs: 5 },
        { output: 1, afterMs: 9 },
      ],
    });
    const withoutAborts = JSON.stringify({
      events: (JSON.parse(history) as { events: Event[] }).events.filter(({ id }) => id < 9),
    });

    expect(history).toContain('TaskStateAborted');
    expect(inShort(replayed(branches, history))).toBe('same');
    expect(inShort(replayed(branches, withoutAborts))).toBe('same');
  });
});

describe('25,000 events', () => {
  const circle: States = {
    Count: { Type: 'Pass', Assign: { n: '{% $exists($n) ? $n + 1 : 1 %}' }, Next: 'Again' },
    Again: { Type: 'Choice', Choices: [{ Condition: false, Next: 'End' }], Default: 'Count' },
    End: { Type: 'Succeed' },
  } as unknown as States;

  test('to the last one, which says that it is full: the same way', () => {
    const history = recorded(circle);

    expect(history).toContain('"id":25000');
    expect(replayed(circle, history)).toMatchObject({ kind: 'same', events: 25_000, status: 'FAILED' });
  }, 60_000);
});
