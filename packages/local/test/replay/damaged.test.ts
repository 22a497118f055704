import { type Ids, seededIds } from '../../runtime/ids';
import { recorded, replayed, type States } from './recorded';

const STATES: States = {
  Both: {
    Type: 'Parallel',
    Branches: [
      {
        StartAt: 'Call',
        States: {
          Call: {
            Type: 'Task',
            Resource: 'arn:aws:states:::lambda:invoke',
            Arguments: { FunctionName: 'f' },
            Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 1 }],
            TimeoutSeconds: 5,
            End: true,
          },
        },
      },
      {
        StartAt: 'Each',
        States: {
          Each: {
            Type: 'Map',
            Items: [1, 2],
            ItemProcessor: { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 1, End: true } } },
            End: true,
          },
        },
      },
    ],
    Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Failed' }],
    Next: 'Failed',
  },
  Failed: { Type: 'Fail', Error: 'E' },
};

const HISTORIES = [
  recorded(STATES, { answers: [{ error: 'x' }, { output: 1 }], redriveAtMs: [20_000] }),
  recorded(STATES, { answers: [{ error: 'x' }], redriveAtMs: [20_000] }),
  recorded(STATES, { answers: [{ output: 1 }], stop: { atMs: 800 }, redriveAtMs: [20_000] }),
];

type Event = { id: number; previousEventId: number; type: string; timestamp: string } & {
  [name: string]: unknown;
};

const WRONG: readonly unknown[] = [1, null, 'x', '{', {}, []];

/** Ways in which a file may be wrong: each changes one thing of the events. */
const DAMAGES: readonly ((events: Event[], at: Event, other: Event, ids: Ids) => void)[] = [
  (events, at) => events.splice(events.indexOf(at), 1),
  (_events, at, other) => Object.assign(at, { type: other.type }),
  (_events, at, other) => Object.assign(at, { previousEventId: other.previousEventId }),
  (_events, at, other) => Object.assign(at, { timestamp: other.timestamp }),
  (events, at) => events.splice(events.indexOf(at)),
  (events, _at, other) => events.push({ ...other }),
  (_events, at) => {
    for (const name of Object.keys(at)) if (name.endsWith('Details')) delete at[name];
  },
  (_events, at, _other, ids) => {
    const details = Object.entries(at).find(([name]) => name.endsWith('Details'))?.[1] as object | undefined;
    for (const name of Object.keys(details ?? {}))
      Object.assign(details ?? {}, { [name]: WRONG[Math.floor(ids.random() * WRONG.length)] });
  },
];

function damaged(seed: number): string {
  const ids = seededIds(String(seed));
  const any = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(ids.random() * items.length)];
  const { events } = JSON.parse(any(HISTORIES) ?? '') as { events: Event[] };
  for (let count = 0; count < 1 + (seed % 3); count += 1) {
    const [at, other] = [any(events), any(events)];
    if (at && other) any(DAMAGES)?.(events, at, other, ids);
    for (const [index, event] of events.entries()) event.id = index + 1;
  }
  return JSON.stringify({ events });
}

describe('histories that are damaged', () => {
  test('come to an answer, and never to a fault', () => {
    const kinds = Array.from({ length: 600 }, (_, seed) => replayed(STATES, damaged(seed)).kind);

    expect(new Set(kinds)).toEqual(new Set(['same', 'diverged', 'notReplayed']));
  }, 60_000);
});
