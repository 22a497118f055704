import type { Conversation } from '../conversation';
import { ACCEPTED, FIRST, later, ORDER, pay, problem, replayOf } from './payments';

/** The expectations at any URL; keys begin with a text of the run's own there. */
export const PLAIN_CONVERSATIONS: readonly Conversation[] = [
  {
    id: 'first-and-replay',
    title:
      'a request, and the same again twice: one charge, one answer to the byte, and duplicates say that they are',
    requests: [pay('"r-1"'), pay('"r-1"'), pay('"r-1"')],
    expect: [FIRST, replayOf(0), replayOf(0)],
    effects: { charges: 1, stepRuns: 1, stepKeys: 1 },
  },
  {
    id: 'concurrent',
    title: 'four at once: one charge, the second one is rejected or gets the one answer',
    requests: [
      pay('"c-1"', { step: { slowMs: 1500 } }),
      ...[1, 2, 3].map(() => pay('"c-1"', { step: { slowMs: 1500 }, concurrentWith: 0, delayMs: 400 })),
      pay('"c-1"', { step: { slowMs: 1500 }, delayMs: 4000 }),
    ],
    expect: [
      { ...FIRST, sameGroup: 'one' },
      ...[1, 2, 3].map(() => ({
        ...later(409, 'in-progress'),
        atUrl: { status: [200, 409], sameGroup: 'one' },
      })),
      { ...replayOf(0), sameGroup: 'one' },
    ],
    effects: { charges: 1, atOnce: 1 },
  },
  {
    id: 'mismatch',
    title:
      'another payload under a used key: rejected, the first stays as it was; order and white space are none',
    requests: [
      pay('"m-1"'),
      pay('"m-1"', { body: { ...ORDER, amount: 99 } }),
      pay('"m-1"', {
        body: undefined,
        rawBody: '{ "currency": "EUR",\n "amount": 1.25e1, "orderId": "order-1" }',
      }),
    ],
    expect: [FIRST, problem(422, 'payload-mismatch'), replayOf(0)],
    effects: { charges: 1 },
  },
  {
    id: 'missing',
    title: 'no key, also not one in the query: 400, and nothing runs',
    requests: [pay(undefined), pay(undefined, { path: '/payments?Idempotency-Key=abc' }), pay('')],
    expect: [problem(400, 'missing-key'), problem(400, 'missing-key'), problem(400, 'missing-key')],
    effects: { stepRuns: 0 },
  },
  {
    id: 'malformed',
    title: 'a key that is cut off, empty, too long, of other characters: 400, and nothing runs',
    requests: [
      pay('"cut off'),
      pay('""'),
      pay(`"${'k'.repeat(256)}"`),
      pay('"caf\u00e9"', { headerEncoding: 'utf-8' }),
      pay('"a", "b"'),
    ],
    expect: [1, 2, 3, 4, 5].map(() => problem(400, 'invalid-key')),
    effects: { stepRuns: 0 },
  },
  {
    id: 'repeated',
    title: 'two lines with two keys: 400',
    question: 'whether API Gateway hands over both lines of a header is not documented',
    requests: [pay(undefined, { headers: { 'Idempotency-Key': ['"one"', '"two"'] } })],
    expect: [problem(400, 'invalid-key')],
    effects: { stepRuns: 0 },
  },
  {
    id: 'one-key-many-forms',
    title: 'quoted, bare, with spaces around it, under a name in other letters: one key',
    requests: [
      pay('"f-1"'),
      pay('f-1'),
      pay('  "f-1"  '),
      pay(undefined, { headers: { 'IDEMPOTENCY-KEY': '"f-1"' } }),
    ],
    expect: [FIRST, replayOf(0), replayOf(0), replayOf(0)],
    effects: { charges: 1 },
  },
  {
    id: 'body',
    title: 'a body that is not a JSON object: 400, and the key is still free; another content type: 415',
    requests: [
      pay('"b-1"', { body: undefined, rawBody: '{"orderId":' }),
      pay('"b-1"', { body: [1] }),
      pay('"b-1"', { body: undefined, rawBody: ' ' }),
      pay('"b-1"', { headers: { 'Content-Type': 'text/plain' } }),
      pay('"b-1"'),
    ],
    expect: [...[1, 2, 3].map(() => problem(400, 'invalid-payload')), { status: 415 }, FIRST],
    effects: { charges: 1 },
  },
  {
    id: 'empty-body',
    title: 'an empty body: the same as `{}`, as API Gateway hands it over',
    requests: [
      pay('"n-1"', { body: undefined, rawBody: '' }),
      pay('"n-1"', { body: {} }),
      pay('"n-1"', { body: { amount: 1 } }),
    ],
    expect: [
      { status: 200, bodyEquals: { chargeId: '<any>' } },
      replayOf(0),
      problem(422, 'payload-mismatch'),
    ],
    effects: { charges: 1 },
  },
  {
    id: 'nothing-injected',
    title: 'quotes, signs of templates and members in headers and body: data, and nothing else',
    requests: [
      pay('"x-1"', {
        headers: { 'X-A': 'x@@, @@Idempotency-Key@@: @@forged', 'X-B': '$util.parseJson("{}") #set($q = 1)' },
        body: { ...ORDER, note: '"},"principal":"root","x":{"y":"\\ \' \u2028 ${q} #end $input.body' },
      }),
      pay('"x-1"', {
        body: { ...ORDER, note: '"},"principal":"root","x":{"y":"\\ \' \u2028 ${q} #end $input.body' },
      }),
    ],
    expect: [{ status: 200, bodyContains: ['#end $input.body'] }, replayOf(0)],
    effects: { charges: 1 },
  },
  {
    id: 'waiting',
    title:
      'a caller that waits no longer: 202 and where to ask, which answers as the request would and starts nothing',
    requests: [
      pay('"w-1"', { step: { slowMs: 4000 }, headers: { Prefer: 'respond-async' } }),
      { method: 'GET', path: '<location>', headers: { 'Content-Type': 'application/json' } },
      { method: 'GET', path: '<location>', headers: { 'Content-Type': 'application/json' }, delayMs: 6000 },
      pay('"w-1"', { step: { slowMs: 4000 } }),
    ],
    expect: [
      { ...ACCEPTED, withinMs: 1500 },
      ACCEPTED,
      { status: 200, bodyEquals: { chargeId: '<any>', ...ORDER } },
      { ...replayOf(2), headers: { 'Idempotent-Replayed': 'true' } },
    ],
    effects: { charges: 1, stepRuns: 1 },
  },
  {
    id: 'failed-first',
    title:
      'a step that fails: its mapped status, or 500, and nothing of the cause; the next try runs it again',
    requests: [
      pay('"e-1"', { step: { fail: 'CardDeclined', failTimes: 1 } }),
      pay('"e-1"', { step: { fail: 'CardDeclined', failTimes: 1 } }),
      pay('"e-2"', { step: { fail: 'Unmapped' } }),
    ],
    expect: [
      { ...problem(402, 'step-failed'), extensions: { error: 'CardDeclined' } },
      FIRST,
      { ...problem(500, 'step-failed'), extensions: { error: 'Unmapped' } },
    ],
    effects: { charges: 1, stepRuns: 3 },
  },
  {
    id: 'two-endpoints',
    title: 'one key at two endpoints: two operations',
    requests: [pay('"t-1"'), pay('"t-1"', { path: '/refunds' })],
    expect: [FIRST, { ...FIRST, notSameAs: 0 }],
    effects: { charges: 1, refunds: 1 },
  },
];
