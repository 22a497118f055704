import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { payloadHash } from '../../state-machine/contract/index';
import { openWorld, T0, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HASH = payloadHash({ amount: 12.5, currency: 'EUR' });
/** The second in which the delivery comes. */
const NOW = T0 / 1000;

type Attributes = Record<string, AttributeValue>;

function record(status: string, more: Attributes = {}): Attributes {
  return {
    idempotencyKey: { S: KEY },
    status: { S: status },
    attempt: { N: '3' },
    payloadHash: { S: HASH },
    claimedAt: { S: '2026-11-19T00:00:00.000Z' },
    ...more,
  };
}

const completed = (expiry: number, result: AttributeValue = { S: '{"stored":true}' }) =>
  record('COMPLETED', { result, expiry: { N: String(expiry) } });
const failed = (expiry: number) => record('FAILED', { error: { S: '{}' }, expiry: { N: String(expiry) } });
const other = { payloadHash: { S: payloadHash({ amount: 1, currency: 'EUR' }) } };

type Case = [string, Attributes | undefined, string[], string | undefined];

const ofAnother = { owner: { S: 'arn:aws:states:us-east-1:111111111111:execution:other:1' } };
const FOREIGN = ['Read record', 'What does the record say?', 'Foreign record'];
const IN_PROGRESS = ['Read record', 'What does the record say?', 'In progress'];

describe('what a delivery meets', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });

  /** Puts a record, of an execution of this workflow that is not known unless it says of which. */
  const put = (given: Attributes) => {
    const S = `${world.stack.output('StateMachineArn').replace(':stateMachine:', ':execution:')}:1`;
    return world.putRecord({ owner: { S }, ...given });
  };
  afterEach(() => world.close());

  // In descending precedence: the first row that fits a record decides.
  const cases: Case[] = [
    ['no record: claims', undefined, ['Business step', 'Record the result'], undefined],
    [
      'completed, expired 1 s ago: claims',
      completed(NOW - 1),
      ['Business step', 'Record the result'],
      undefined,
    ],
    ['completed, expires now: claims', completed(NOW), ['Business step', 'Record the result'], undefined],
    [
      'completed, expires in 1 s: the stored result',
      completed(NOW + 1),
      ['Read record', 'What does the record say?', 'Return stored result'],
      undefined,
    ],
    [
      'completed, no expiry at all: the stored result',
      record('COMPLETED', { result: { S: '1' } }),
      ['Read record', 'What does the record say?', 'Return stored result'],
      undefined,
    ],
    ['failed, expired now: claims', failed(NOW), ['Business step', 'Record the result'], undefined],
    [
      'other payload, expired: claims',
      { ...completed(NOW), ...other },
      ['Business step', 'Record the result'],
      undefined,
    ],
    [
      'other payload, completed: rejected',
      { ...completed(NOW + 1), ...other },
      ['Read record', 'What does the record say?', 'Payload mismatch'],
      'Idempotency.PayloadMismatch',
    ],
    [
      'other payload, failed: rejected',
      { ...failed(NOW + 1), ...other },
      ['Read record', 'What does the record say?', 'Payload mismatch'],
      'Idempotency.PayloadMismatch',
    ],
    [
      'other payload, in progress: rejected',
      record('IN_PROGRESS', other),
      ['Read record', 'What does the record say?', 'Payload mismatch'],
      'Idempotency.PayloadMismatch',
    ],
    [
      "another workflow's, expired: claims",
      { ...completed(NOW), ...ofAnother },
      ['Business step', 'Record the result'],
      undefined,
    ],
    [
      "another workflow's, completed: rejected",
      { ...completed(NOW + 1), ...ofAnother },
      FOREIGN,
      'Idempotency.ForeignRecord',
    ],
    [
      "another workflow's, with another payload: rejected as another workflow's",
      { ...completed(NOW + 1), ...ofAnother, ...other },
      FOREIGN,
      'Idempotency.ForeignRecord',
    ],
    [
      "another workflow's, failed: rejected",
      { ...failed(NOW + 1), ...ofAnother },
      FOREIGN,
      'Idempotency.ForeignRecord',
    ],
    [
      "another workflow's, in progress: rejected",
      record('IN_PROGRESS', ofAnother),
      FOREIGN,
      'Idempotency.ForeignRecord',
    ],
    [
      "an Express workflow's, its lease over: rejected",
      record('IN_PROGRESS', {
        owner: { S: 'arn:aws:states:us-east-1:111111111111:express:other:1:2' },
        leaseExpiry: { N: String(T0 - 1) },
      }),
      FOREIGN,
      'Idempotency.ForeignRecord',
    ],
    // Neither the same payload nor another one, whatever its hash says.
    ...[
      completed(NOW + 1),
      failed(NOW + 1),
      ...['IN_PROGRESS', 'RELEASED', 'HELD'].map(of => record(of)),
    ].flatMap(given =>
      [given, { ...given, ...other }].map(
        (one): Case => [
          `${given['status']?.S} in the form of a later version: rejected by a name of its own`,
          { ...one, form: { N: '2' } },
          FOREIGN,
          'Idempotency.ForeignRecord',
        ],
      ),
    ),
    [
      'in the form of a later version, expired: claims',
      { ...completed(NOW), form: { N: '2' } },
      ['Business step', 'Record the result'],
      undefined,
    ],
    [
      'failed: takes over',
      failed(NOW + 1),
      ['Read record', 'What does the record say?', 'Take over', 'Business step', 'Record the result'],
      undefined,
    ],
    [
      'released: takes over',
      record('RELEASED', { error: { S: '{}' } }),
      ['Read record', 'What does the record say?', 'Take over', 'Business step', 'Record the result'],
      undefined,
    ],
    [
      'held: the error that it is held for',
      record('HELD', { error: { S: '{"Error":"Idempotency.RedrivesExhausted","Cause":"{}"}' } }),
      ['Read record', 'What does the record say?', 'Held for review'],
      'Idempotency.RedrivesExhausted',
    ],
    [
      'other payload, held: rejected',
      record('HELD', other),
      ['Read record', 'What does the record say?', 'Payload mismatch'],
      'Idempotency.PayloadMismatch',
    ],
    [
      "in progress, within the step's time: in progress",
      record('IN_PROGRESS', { claimedAt: { S: '2026-11-20T08:59:59.000Z' } }),
      IN_PROGRESS,
      'Idempotency.InProgress',
    ],
    [
      'in progress, overdue, without recovery: in progress, until an operator releases it',
      record('IN_PROGRESS'),
      IN_PROGRESS,
      'Idempotency.InProgress',
    ],
    ['an unknown status: in progress', record('PARKED'), IN_PROGRESS, 'Idempotency.InProgress'],
  ];
  test.each(cases)('%s', async (_, given, states, error) => {
    if (given) await put(given);

    const execution = await world.delivered(ORDER);
    if (error === 'Idempotency.ForeignRecord')
      expect(await world.record(KEY)).toEqual({ ...given, owner: given?.['owner'] ?? expect.anything() });

    expect(await world.statesOf(execution.executionArn)).toEqual(['Claim record', ...states]);
    expect(execution.error).toBe(error);
    expect(world.runs).toHaveLength(states.includes('Business step') ? 1 : 0);
  });

  test('a record without a payload hash: nothing to compare, the stored result', async () => {
    const { payloadHash: _, ...given } = completed(NOW + 1);
    await put(given);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"stored":true}' });
  });

  test('completed, expires between the rejected claim and the read of it: claims', async () => {
    await put(completed(NOW + 1));
    world.faults = (call, next) => {
      if (call.stateName === 'Read record') world.clock.advanceBy(1000);
      return next();
    };

    const execution = await world.delivered(ORDER);

    expect(await world.statesOf(execution.executionArn)).toEqual([
      'Claim record',
      'Read record',
      'What does the record say?',
      'Claim record',
      'Business step',
      'Record the result',
    ]);
  });

  test('a takeover: the next attempt, the new owner, nothing left of the failure', async () => {
    await put(failed(NOW + 1));

    const execution = await world.delivered(ORDER);

    expect(world.runs).toEqual([expect.objectContaining({ idempotencyKey: KEY, attempt: 4 })]);
    expect(await world.record(KEY)).toEqual({
      idempotencyKey: { S: KEY },
      status: { S: 'COMPLETED' },
      owner: { S: execution.executionArn },
      attempt: { N: '4' },
      payloadHash: { S: HASH },
      claimedAt: { S: '2026-11-20T09:00:00.000Z' },
      stepTimeout: { N: '40' },
      claimId: { S: '2026-11-20T09:00:00.000Z' },
      finishedAt: { S: '2026-11-20T09:00:00.000Z' },
      result: { S: '{"charge":1}' },
      expiry: { N: String(NOW + 90 * 24 * 3600) },
    });
  });

  test('a claim: the first attempt, whatever the expired record said', async () => {
    await put(completed(NOW));

    await world.delivered(ORDER);

    expect(world.runs).toEqual([expect.objectContaining({ attempt: 1 })]);
  });

  test('a record that is always gone when read, and always there when claimed: in progress after ten rejections', async () => {
    await put(record('IN_PROGRESS'));
    world.faults = async (call, next) =>
      call.resource === 'dynamodb:getItem' ? { kind: 'succeeded', output: {} } : next();

    const execution = await world.delivered(ORDER);

    expect(execution.error).toBe('Idempotency.InProgress');
    expect(world.calls.filter(call => call.startsWith('dynamodb:putItem'))).toHaveLength(10);
  });

  test('a failed record that another takes over each time: in progress after ten rejections', async () => {
    await put(failed(NOW + 1000));
    let attempt = 3;
    world.faults = async (call, next) => {
      if (call.stateName === 'Take over') {
        attempt += 1;
        await put({ ...failed(NOW + 1000), attempt: { N: String(attempt) } });
      }
      return next();
    };

    const execution = await world.delivered(ORDER);

    expect(execution.error).toBe('Idempotency.InProgress');
    expect(JSON.parse(execution.cause ?? '')).toMatchObject({ idempotencyKey: KEY });
    expect(world.runs).toEqual([]);
  });
});
