import type { Contender } from '../../../proof/league/contenders/contender';
import { type Cell, type Found, NO_OUTCOME } from '../../../proof/league/league';
import { type Report, reportOf } from '../../../proof/league/report';
import { type Bill, emptyBill } from '../../../proof/league/world/bill';

/** A contender without a world. */
export function contenderOf(id: string, more: Partial<Contender> = {}): Contender {
  return {
    id,
    title: `the ${id}`,
    settings: `How ${id} is set up.`,
    documentation: 'docs/guide/first-stack.md',
    open: () => {
      throw new Error('nobody opens it');
    },
    ...more,
  };
}

/** A cell of 100 deliveries in which nothing went wrong but this. */
export function cellOf(
  contender: string,
  kind: string,
  counts: Partial<Omit<Cell, 'bill'>>,
  bill: Partial<Bill> = {},
): Cell {
  return { ...NO_OUTCOME, deliveries: 100, ...counts, contender, kind, bill: { ...emptyBill(), ...bill } };
}

const KILLED_STEPS: Found['steps'] = [
  { at: 0, lane: 'deliveries', mark: 'comes', text: 'delivery 1 comes' },
  {
    at: 1005,
    lane: 'calls',
    mark: 'fault',
    text: 'call 2: the business effect: carried out, and the process is killed',
  },
  { at: 1005, lane: 'provider', mark: 'charged', text: 'the provider charges 100: charge-1' },
  { at: 180_000, lane: 'calls', mark: 'step', text: 'call 3: the business effect' },
  { at: 181_000, lane: 'provider', mark: 'charged', text: 'the provider charges 100: charge-2' },
  { at: 181_000, lane: 'deliveries', mark: 'answered', text: 'delivery 1 is answered: result charge-2' },
  { at: 181_005, lane: 'deliveries', mark: 'rejected', text: 'delivery 2 is answered: rejected' },
  { at: 190_000, lane: 'elsewhere', mark: 'step', text: 'in the end the event is reported to an operator' },
];

/** A small league, made by hand: two kinds, three contenders, one found schedule with `command`'s markup in it. */
export function smallReport(title = 'no protection'): Report {
  const limit = { words: 'It may come twice.', source: 'https://example.com/limit' };
  const contenders = [
    contenderOf('none', { title, documentation: 'https://example.com/none', limit }),
    contenderOf('lock-lease'),
    contenderOf('onceflow'),
  ];
  const found = { contender: 'none', failure: 'doubled', kind: 'late', steps: KILLED_STEPS } as const;
  return reportOf(
    contenders,
    [
      {
        cells: [
          cellOf('none', 'calm', {}),
          cellOf('none', 'late', { doubled: 40, doubledAtProvider: 2, reported: 1 }),
        ],
        found: [{ ...found, schedule: 'at=0,400/fault=effect:killedAfter' }],
      },
      {
        cells: [
          cellOf('lock-lease', 'calm', {}, { writes: 200 }),
          cellOf('lock-lease', 'late', { lost: 1 }, { writes: 300, reads: 20 }),
        ],
        found: [],
      },
      {
        cells: [
          cellOf('onceflow', 'calm', {}, { writes: 200, transitions: 300 }),
          cellOf('onceflow', 'late', {}, { writes: 200, transitions: 320 }),
        ],
        found: [],
      },
    ],
    { seeds: 50, notRun: [{ what: 'another', why: 'it cannot be driven' }] },
  );
}
