import { Duration } from 'aws-cdk-lib';
import type { Request } from './limiter';
import { WindowedLimiter } from './windowed-limiter';

/** How many requests pass, how many are rejected, how many count for their user and window. */
interface Outcome {
  readonly passed: number;
  readonly rejected: number;
  readonly counted: number;
}

/** The settings of a play, its outcome, and the expected outcome. */
export interface WindowedRow {
  readonly what: string;
  readonly outcome: Outcome;
  readonly expected: Outcome;
}

const requestsOf = (user: string, count: number, at: string): readonly Request[] =>
  Array.from({ length: count }, (_, index) => ({ requestId: `${user} ${at} ${index + 1}`, user, at }));

/** Plays ten requests in seven minutes over three shards, and a million an hour. */
export async function playWindowed(): Promise<readonly WindowedRow[]> {
  const ten = await WindowedLimiter.with({ limit: 10, window: Duration.minutes(7), shards: 3 });
  const rows: WindowedRow[] = [];
  try {
    const twenty = requestsOf('ada', 20, '2026-11-20T09:00:59Z');
    await ten.ask(...twenty, ...twenty);
    rows.push({
      what: '20 requests of ada at the same time, twice',
      outcome: await outcomeOf(ten, twenty, 'ada#2026-11-20T08:54:00.000Z'),
      expected: { passed: 10, rejected: 10, counted: 10 },
    });
    const next = requestsOf('ada', 12, '2026-11-20T09:01:00Z');
    rows.push({
      what: '12 of the next window, a second later',
      outcome: await outcomeOf(ten, next, 'ada#2026-11-20T09:01:00.000Z'),
      expected: { passed: 10, rejected: 2, counted: 10 },
    });
  } finally {
    await ten.close();
  }

  const window = Duration.hours(1);
  const million = await WindowedLimiter.with({ limit: 1_000_000, window, answer: 'limited' });
  try {
    await million.setCounter('bob', '2026-11-20T09:00:00Z', 999_995);
    const last = requestsOf('bob', 12, '2026-11-20T09:30:00Z');
    rows.push({
      what: '12 of bob, when 999,995 are counted',
      outcome: await outcomeOf(million, last, 'bob#2026-11-20T09:00:00.000Z'),
      expected: { passed: 5, rejected: 7, counted: 1_000_000 },
    });
  } finally {
    await million.close();
  }
  return rows;
}

/** Sends each request, and once more if it was sent already: the first answer is the final answer. */
async function outcomeOf(
  limiter: WindowedLimiter,
  requests: readonly Request[],
  userAndWindow: string,
): Promise<Outcome> {
  const ends = await limiter.ask(...requests);
  const passed = ends.filter(
    ({ status, output }) => status === 'SUCCEEDED' && JSON.parse(output ?? '{}').limited !== true,
  );
  const counted = (await limiter.counted())[userAndWindow] ?? 0;
  return { passed: passed.length, rejected: ends.length - passed.length, counted };
}
