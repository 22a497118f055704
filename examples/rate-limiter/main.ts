import { run } from '../fixture';
import { addIfBelow, countedByHand, readThenWrite } from './by-hand';
import { COUNTING, Limiter, type Request, synthesizeLimiter } from './limiter';
import { playWindowed } from './windowed-play';

/** The outcome of some requests: how many pass, how many are rejected, how many count for their user and day. */
interface Outcome {
  readonly passed: number;
  readonly rejected: number;
  readonly counted: number;
}

interface Act {
  readonly what: string;
  readonly requests: readonly Request[];
  /** The item of the quota table that is looked at afterwards. */
  readonly userAndDay: string;
  readonly expected: Outcome;
  play(limiter: Limiter, requests: readonly Request[]): Promise<unknown>;
}

const MINUTE_MS = 60_000;
const heading = (what: string) => `\n        ${what.padEnd(54)}passed  rejected  counted`;
const AFTER_MIDNIGHT = Date.parse('2026-11-21T00:01:00Z');

const requestsOf = (user: string, count: number, at = '2026-11-20T09:00:00Z'): readonly Request[] =>
  Array.from({ length: count }, (_, i) => ({ requestId: `${user}-${at.slice(8, 10)}-${i + 1}`, user, at }));
const deliver = (limiter: Limiter, requests: readonly Request[]) => limiter.deliver(...requests);

const ACTS: readonly Act[] = [
  {
    what: '20 requests of ada at the same time',
    requests: requestsOf('ada', 20),
    userAndDay: 'ada#2026-11-20',
    expected: { passed: 5, rejected: 15, counted: 5 },
    play: deliver,
  },
  {
    what: 'all 20 again, twice',
    requests: requestsOf('ada', 20),
    userAndDay: 'ada#2026-11-20',
    expected: { passed: 5, rejected: 15, counted: 5 },
    play: (limiter, requests) => limiter.deliver(...requests, ...requests),
  },
  {
    what: "bob's fifth, the answer of its update is lost",
    requests: requestsOf('bob', 5),
    userAndDay: 'bob#2026-11-20',
    expected: { passed: 5, rejected: 0, counted: 5 },
    play: async (limiter, requests) => {
      await limiter.deliver(...requests.slice(0, 4));
      limiter.stack.faults.loseAnswer(COUNTING);
      await limiter.deliver(...requests.slice(4));
    },
  },
  {
    what: "cy's fifth, stopped right after its update, again",
    requests: requestsOf('cy', 5),
    userAndDay: 'cy#2026-11-20',
    expected: { passed: 5, rejected: 0, counted: 5 },
    play: async (limiter, requests) => {
      await limiter.deliver(...requests.slice(0, 4));
      limiter.stack.faults.killIn(COUNTING);
      await limiter.deliver(...requests.slice(4));
      await limiter.pass(MINUTE_MS);
      await limiter.deliver(...requests.slice(4));
    },
  },
  {
    what: "ada's quota raised to 8, all 20 again",
    requests: requestsOf('ada', 20),
    userAndDay: 'ada#2026-11-20',
    expected: { passed: 8, rejected: 12, counted: 8 },
    play: async (limiter, requests) => {
      await limiter.raise('ada#2026-11-20', 8);
      await limiter.deliver(...requests);
    },
  },
  {
    what: 'all 20 again after midnight',
    requests: requestsOf('ada', 20),
    userAndDay: 'ada#2026-11-21',
    expected: { passed: 8, rejected: 12, counted: 0 },
    play: async (limiter, requests) => {
      await limiter.passUntil(AFTER_MIDNIGHT);
      await limiter.deliver(...requests);
    },
  },
  {
    what: 'a request of ada on the new day',
    requests: requestsOf('ada', 1, '2026-11-21T00:01:00Z'),
    userAndDay: 'ada#2026-11-21',
    expected: { passed: 1, rejected: 0, counted: 1 },
    play: deliver,
  },
];

run('rate-limiter', main);

/** Plays all acts, and tells what came of each. */
async function main(): Promise<boolean> {
  const wrong = (await playDays()) + (await playWindows());
  console.log(
    wrong === 0 ? '\nok: every request counts at most once, in its own window' : `\n${wrong} wrong`,
  );
  return wrong === 0;
}

/** Returns how many acts came out wrong. */
async function playWindows(): Promise<number> {
  console.log(heading('ten in seven minutes, and a million an hour'));
  const rows = await playWindowed();
  return rows.filter(({ what, outcome, expected }) => !tells(what, outcome, expected)).length;
}

/** Returns how many acts came out wrong. */
async function playDays(): Promise<number> {
  const { assembly, remove } = synthesizeLimiter();
  process.once('exit', remove);
  const limiter = await new Limiter().open(assembly);
  let wrong = 0;
  try {
    console.log(heading('five requests per user and day'));
    for (const { what, requests, userAndDay, expected, play } of ACTS) {
      await play(limiter, requests);
      const outcome = await outcomeOf(limiter, requests, userAndDay);
      if (!tells(what, outcome, expected)) wrong += 1;
    }
    console.log(heading('counters that are written by hand, limit five'));
    for (const { what, expected, outcome } of await playByHand(limiter)) {
      if (!tells(what, outcome, expected)) wrong += 1;
    }
  } finally {
    await limiter.close();
  }
  return wrong;
}

/** What the limiter replaces: each row counts otherwise than a reader would expect. */
async function playByHand(limiter: Limiter) {
  const together = await readThenWrite(limiter, 'eve', 20);
  const sent = [];
  for (let sending = 0; sending < 3; sending += 1) sent.push(await addIfBelow(limiter, 'fay#2026-11-20'));
  const passed = sent.filter(Boolean).length;
  const nextDay = await addIfBelow(limiter, 'fay#2026-11-21');
  return [
    {
      what: 'read, then write: 20 requests at the same time',
      expected: { passed: 20, rejected: 0, counted: 1 },
      outcome: { passed: together, rejected: 20 - together, counted: await countedByHand(limiter, 'eve') },
    },
    {
      what: 'one conditional write: one request, sent 3 times',
      expected: { passed: 3, rejected: 0, counted: 3 },
      outcome: { passed, rejected: 3 - passed, counted: await countedByHand(limiter, 'fay#2026-11-20') },
    },
    {
      what: 'the same request again, after midnight',
      expected: { passed: 1, rejected: 0, counted: 1 },
      outcome: {
        passed: Number(nextDay),
        rejected: Number(!nextDay),
        counted: await countedByHand(limiter, 'fay#2026-11-21'),
      },
    },
  ];
}

/** Prints what came of an act; false where it is not what has to. */
function tells(what: string, outcome: Outcome, expected: Outcome): boolean {
  const isAsExpected = JSON.stringify(outcome) === JSON.stringify(expected);
  console.log(row(isAsExpected ? 'ok' : 'FAIL', what, outcome));
  if (!isAsExpected) console.log(row('', 'expected', expected));
  return isAsExpected;
}

async function outcomeOf(limiter: Limiter, requests: readonly Request[], userAndDay: string) {
  const records = await limiter.records();
  const having = (status: string) =>
    requests.filter(({ requestId }) => records.includes(`RateLimiter#${requestId} ${status}`)).length;
  const counted = (await limiter.countedOf(userAndDay)).length;
  return { passed: having('COMPLETED'), rejected: having('FAILED'), counted };
}

function row(verdict: string, what: string, { passed, rejected, counted }: Outcome): string {
  const [first, second, third] = [passed, rejected, counted].map(count => String(count).padStart(9));
  return `  ${verdict.padEnd(6)}${what.padEnd(51)}${first}${second}${third}`;
}
