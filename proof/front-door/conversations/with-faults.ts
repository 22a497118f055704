import type { Conversation, Fault, Request } from '../conversation';
import { ACCEPTED, FIRST, later, pay, problem, replayOf } from './payments';

/** A payment that meets this fault, and the same again after a while. */
function withFault(fault: Fault, more: Partial<Request> & { readonly step?: object } = {}) {
  const { delayMs = 30_000, ...rest } = more;
  return [pay('"s-1"', { ...rest, fault }), pay('"s-1"', { ...rest, delayMs })];
}

/** Conversations that need a fault, another caller, hours, or an app with another behavior. */
export const CONVERSATIONS_WITH_FAULTS: readonly Conversation[] = [
  {
    id: 'answer-lost',
    title: 'the answer is lost on its way: the same again gets it',
    requests: withFault('answer-lost'),
    expect: [{ status: '<none>' }, { status: 200, headers: { 'Idempotent-Replayed': 'true' } }],
    effects: { charges: 1 },
  },
  {
    id: 'start-answer-lost',
    title: 'the front door loses the answer of its start: one charge, one answer',
    requests: withFault('start-answer-lost'),
    expect: [
      { status: [200, 202, 409, 503], sameGroup: 'one' },
      { status: 200, sameGroup: 'one' },
    ],
    effects: { charges: 1 },
  },
  {
    id: 'start-throttled',
    title: 'each start is throttled: 503 and when to come again; later it is carried out',
    requests: withFault('start-throttled', { delayMs: 60_000 }),
    expect: [later(503, 'not-started'), FIRST],
    effects: { charges: 1 },
  },
  {
    id: 'front-door-stopped',
    title: 'the front door is interrupted right after the start: 503, and the same again gets the result',
    requests: withFault('front-door-stopped-after-start'),
    expect: [later(503, 'not-started'), { status: 200, headers: { 'Idempotent-Replayed': 'true' } }],
    effects: { charges: 1, stepRuns: 1 },
  },
  {
    id: 'workflow-stopped',
    title: 'the workflow is interrupted within its step: completed, never two runs at once',
    requests: [
      ...withFault('workflow-stopped-in-step', { step: { slowMs: 5000 }, delayMs: 600_000 }),
      pay('"s-1"', { step: { slowMs: 5000 }, delayMs: 600_000 }),
    ],
    expect: [{ status: [202, 409, 503] }, { status: [200, 202, 409] }, { status: 200 }],
    effects: { chargesMin: 1, chargesMax: 2, atOnce: 1 },
  },
  {
    id: 'at-most-once',
    title: 'at most once, and the workflow is interrupted within its step: 500, and not run again',
    app: { delivery: 'at-most-once' },
    requests: [
      ...withFault('workflow-stopped-in-step', { step: { slowMs: 5000 }, delayMs: 600_000 }),
      pay('"s-1"', { step: { slowMs: 5000 }, delayMs: 600_000 }),
    ],
    expect: [{ status: [202, 409, 503] }, { status: [409, 500] }, problem(500, 'in-doubt')],
    effects: { charges: 1, stepRuns: 1 },
  },
  {
    id: 'two-callers',
    title: 'one key of two callers: two payments, each with an answer of its own',
    requests: [
      pay('"p-1"', { principal: 'alice' }),
      pay('"p-1"', { principal: 'bob' }),
      pay('"p-1"', { principal: 'alice' }),
    ],
    expect: [FIRST, { ...FIRST, notSameAs: 0 }, replayOf(0)],
    effects: { charges: 2 },
  },
  {
    id: 'expiry',
    title: 'within the retention a replay, after it a new payment',
    app: { retentionHours: 24 },
    requests: [
      pay('"o-1"'),
      pay('"o-1"', { delayMs: 20 * 3_600_000 }),
      pay('"o-1"', { delayMs: 30 * 3_600_000 }),
    ],
    expect: [FIRST, replayOf(0), { ...FIRST, notSameAs: 0 }],
    effects: { charges: 2 },
  },
  {
    id: 'too-slow',
    title:
      'a step slower than the front door waits: 202 after 20 seconds; 409 while it works; the result later',
    requests: [
      pay('"l-1"', { step: { slowMs: 60_000 } }),
      pay('"l-1"', { step: { slowMs: 60_000 }, delayMs: 5000 }),
      pay('"l-1"', { step: { slowMs: 60_000 }, delayMs: 60_000 }),
    ],
    expect: [{ ...ACCEPTED, withinMs: 25_000 }, later(409, 'in-progress'), { status: 200, notSameAs: 0 }],
    effects: { charges: 1 },
  },
  {
    id: 'duplicates-wait',
    title: 'where the app lets duplicates wait: they get the answer of the first',
    app: { onDuplicateInProgress: 'wait' },
    requests: [
      pay('"d-1"', { step: { slowMs: 3000 } }),
      pay('"d-1"', { step: { slowMs: 3000 }, concurrentWith: 0, delayMs: 500 }),
    ],
    expect: [
      { status: 200, sameGroup: 'one' },
      { status: 200, sameGroup: 'one' },
    ],
    effects: { charges: 1, stepRuns: 1 },
  },
  {
    id: 'stored-failure',
    title: 'where the app keeps failures: the same problem again, to the byte',
    app: { onFailedBefore: 'returnStoredFailure' },
    requests: [
      pay('"k-1"', { step: { fail: 'CardDeclined' } }),
      pay('"k-1"', { step: { fail: 'CardDeclined' }, delayMs: 60_000 }),
    ],
    expect: [
      { ...problem(402, 'step-failed'), extensions: { error: 'CardDeclined' } },
      { status: 402, sameAs: 0, headers: { 'Idempotent-Replayed': 'true' } },
    ],
    effects: { charges: 0, stepRuns: 1 },
  },
  {
    id: 'preflight',
    title: "a page's preflight: what it may send and read",
    app: { cors: ['https://shop.example'] },
    requests: [{ method: 'OPTIONS', path: '/payments', headers: { Origin: 'https://shop.example' } }],
    expect: [
      {
        status: [200, 204],
        headers: {
          'Access-Control-Allow-Origin': 'https://shop.example',
          'Access-Control-Allow-Headers': '<includes:Idempotency-Key>',
        },
      },
    ],
  },
];
