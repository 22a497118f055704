import { CALM, type Delivered, type Fault, type Schedule } from './schedule';

/** A kind of fault: a row of the table. */
export interface FaultKind {
  readonly id: string;
  readonly title: string;
  /** A schedule with this fault. */
  draw(random: Random): Schedule;
}

/** A source of random numbers from 0 to below 1. */
export type Random = () => number;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In the order of the table. */
export const FAULT_KINDS: readonly FaultKind[] = [
  { id: 'calm', title: 'nothing goes wrong', draw: () => CALM },
  {
    id: 'answer',
    title: 'a call is rejected once, or its answer is lost',
    draw: random => ({
      ...CALM,
      deliveries: withLate(random),
      faults: [fault(anyCall(random), pick(random, ['rejected', 'answerLost']))],
    }),
  },
  {
    id: 'provider',
    title: "the provider's answer is lost",
    draw: random => ({ ...CALM, deliveries: withLate(random), faults: [fault('effect', 'answerLost')] }),
  },
  {
    id: 'throttled',
    title: 'the table is throttled for seconds',
    draw: random => ({
      ...CALM,
      deliveries: withLate(random),
      outage: between(random, 0, 2, 5, 120),
    }),
  },
  {
    id: 'outage',
    title: 'the table is out for hours',
    draw: random => ({
      ...CALM,
      deliveries: withLate(random),
      outage: between(random, 0, 2, 2 * HOUR, 8 * HOUR),
    }),
  },
  {
    id: 'killed-before',
    title: 'killed before the effect',
    draw: random => ({
      ...CALM,
      deliveries: withLate(random),
      faults: [fault(pick(random, ['effect', 1, 2]), 'killedBefore')],
    }),
  },
  {
    id: 'killed-after',
    title: 'killed when the effect is there, and not yet recorded',
    draw: random => ({ ...CALM, deliveries: withLate(random), faults: [fault('effect', 'killedAfter')] }),
  },
  {
    id: 'killed',
    title: 'killed at any other call',
    draw: random => ({
      ...CALM,
      deliveries: withLate(random),
      faults: [fault(anyCall(random), pick(random, ['killedBefore', 'killedAfter']))],
    }),
  },
  {
    id: 'frozen',
    title: 'frozen beyond its lease, then going on',
    draw: random => ({
      ...CALM,
      deliveries: withLate(random),
      faults: [
        fault(
          pick(random, ['effect', 1, 2, 3]),
          pick(random, ['frozenBefore', 'frozenAfter']),
          whole(random, 20 * MINUTE, 90 * MINUTE),
        ),
      ],
    }),
  },
  {
    id: 'at-once',
    title: 'duplicates at once',
    draw: random => ({
      ...CALM,
      deliveries: [0, ...many(random, 1, 3, () => thousandths(random, 1.5))].map(same),
    }),
  },
  {
    id: 'late',
    title: 'duplicates after minutes, hours, days',
    draw: random => ({
      ...CALM,
      deliveries: [
        0,
        ...many(random, 1, 3, () => Math.round(6 * MINUTE * ((20 * DAY) / (6 * MINUTE)) ** random())),
      ].map(same),
    }),
  },
  {
    id: 'payload',
    title: 'another payload under the same key',
    draw: random => ({
      ...CALM,
      deliveries: [same(0), { at: pick(random, [0, 0.5, 10, 2 * HOUR]), isOther: true }],
    }),
  },
  {
    id: 'fails',
    title: 'the step fails once or twice, then succeeds',
    draw: random => ({ ...CALM, deliveries: withLate(random), failures: whole(random, 1, 2) }),
  },
  {
    id: 'poison',
    title: 'an event that always fails, beside others',
    draw: random => ({ ...CALM, failures: undefined, beside: whole(random, 1, 3) }),
  },
  {
    id: 'ttl',
    title: 'killed, and expired items are deleted days late',
    draw: random => ({
      ...CALM,
      deliveries: [same(0), same(whole(random, 2 * HOUR, DAY))],
      faults: [fault(pick(random, ['effect', 2]), pick(random, ['killedBefore', 'killedAfter']))],
      deletedAfter: whole(random, 2, 5) * DAY,
    }),
  },
  {
    id: 'clocks',
    title: 'clocks apart by minutes, and two deliveries',
    draw: random => ({
      ...CALM,
      deliveries: [0, thousandths(random, 1)].map(same),
      clocks: [0, pick(random, [-1, 1]) * whole(random, MINUTE, 15 * MINUTE), 0],
    }),
  },
];

/** Mostly a duplicate comes later, when all should be completed: it shows whether the key is overdue. */
function withLate(random: Random): readonly Delivered[] {
  return random() < 0.7 ? [same(0), same(whole(random, 2 * HOUR, 6 * HOUR))] : [same(0)];
}

function same(at: number): Delivered {
  return { at, isOther: false };
}

/** Most contenders make three to five calls for a fresh event. */
function anyCall(random: Random): number {
  return whole(random, 1, 5);
}

function fault(call: Fault['call'], kind: Fault['kind'], seconds = 0): Fault {
  return { call, kind, seconds };
}

function between(
  random: Random,
  from: number,
  to: number,
  least: number,
  most: number,
): readonly [number, number] {
  // As often before the first call as between others.
  const begins = random() < 0.5 ? from : thousandths(random, to - from) + from;
  return [begins, Math.round(begins) + whole(random, least, most)];
}

function many<One>(random: Random, least: number, most: number, one: () => One): One[] {
  return Array.from({ length: whole(random, least, most) }, one);
}

function pick<const One>(random: Random, list: readonly One[]): One {
  return list[Math.floor(random() * list.length)] as One;
}

function whole(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

function thousandths(random: Random, most: number): number {
  return Math.round(random() * most * 1000) / 1000;
}
