import type { Workflow } from '../../../../cli/aws/workflow';
import { rejectedRows, rowsOf } from '../../../../cli/console/views/key-rows';
import type { KeyRecord } from '../../../../cli/key/record';
import type { EpochMs, EpochSeconds } from '../../../../state-machine/contract/index';

const NOW = Date.UTC(2026, 10, 20, 9) as EpochMs;
const MACHINE = 'arn:aws:states:us-east-1:111111111111:stateMachine:Orders';
const WORKFLOW = {
  stateMachineArn: MACHINE,
  scope: 'Orders',
  stepTimeoutMs: 30_000,
  isAtMostOnce: true,
} as Workflow;
const IN_DOUBT = JSON.stringify({ Error: 'Idempotency.InDoubt', Cause: '{}' });

/** A record that got its status so many seconds ago. */
function record(key: string, status: string, seconds: number, more: Partial<KeyRecord> = {}): KeyRecord {
  const at = new Date(NOW - seconds * 1000).toISOString();
  return {
    recordKey: `Orders#${key}`,
    status,
    owner: MACHINE.replace('stateMachine', 'execution').concat(':run-1'),
    attempt: 1,
    payloadHash: undefined,
    payload: undefined,
    claimedAt: at,
    finishedAt: status === 'IN_PROGRESS' ? undefined : at,
    result: undefined,
    error: undefined,
    stepTimeout: undefined,
    leaseExpiry: undefined,
    expiry: undefined,
    ...more,
  };
}

describe('the list of keys', () => {
  test('any records: what needs an operator first, the oldest of it on top; what is done newest first', () => {
    const rows = rowsOf(
      [
        record('done long ago', 'COMPLETED', 900),
        record('done', 'COMPLETED', 5),
        record('begun', 'IN_PROGRESS', 10),
        record('failed', 'FAILED', 60, { error: JSON.stringify({ Error: 'Declined', Cause: '' }) }),
        record('stuck', 'IN_PROGRESS', 600),
        record('stuck for longer', 'IN_PROGRESS', 6_000),
        record('in doubt', 'FAILED', 1, { error: IN_DOUBT }),
        record('held', 'HELD', 2, { error: IN_DOUBT }),
        record('released', 'RELEASED', 4),
        record('expired', 'COMPLETED', 2, { expiry: (NOW / 1000 - 1) as EpochSeconds }),
        record('of another version', 'SOMETHING', 3),
      ],
      WORKFLOW,
      NOW,
    );

    expect(rows.map(({ key, health }) => [key, health])).toEqual([
      ['held', 'held'],
      ['in doubt', 'held'],
      ['stuck for longer', 'overdue'],
      ['stuck', 'overdue'],
      ['failed', 'failed'],
      ['released', 'released'],
      ['begun', 'inProgress'],
      ['of another version', 'unknown'],
      ['done', 'completed'],
      ['done long ago', 'completed'],
      ['expired', 'expired'],
    ]);
    expect(rows[4]).toMatchObject({ owner: 'run-1', error: 'Declined', since: NOW - 60_000 });
  });

  test('a row says why its key stands so: the reason of a hold, the failure with its cause, the time of the step', () => {
    const error = (name: string) =>
      JSON.stringify({ Error: name, Cause: '{"errorMessage":"no money left"}' });
    const rows = rowsOf(
      [
        record('in doubt', 'HELD', 4, { error: error('Idempotency.InDoubt') }),
        record('exhausted', 'HELD', 3, { error: error('Idempotency.RedrivesExhausted') }),
        record('stuck', 'IN_PROGRESS', 600),
        record('failed', 'FAILED', 60, { error: error('Declined') }),
        record('done', 'COMPLETED', 5),
      ],
      WORKFLOW,
      NOW,
    );

    expect(rows.map(({ why }) => why)).toEqual([
      'the step might have run; an operator decides',
      'it failed again after each redrive; an operator decides',
      'in progress for longer than its step can take (30 s)',
      'Declined: no money left',
      '',
    ]);
  });

  test('rejected deliveries: a row for each key and error, with their number and the last of them', () => {
    const ended = (name: string, recordKey: string | undefined, error: string) => ({
      executionArn: MACHINE.replace('stateMachine', 'execution').concat(`:${name}`),
      status: 'FAILED',
      error,
      stoppedAt: NOW,
      input: undefined,
      recordKey,
      hasOwned: false,
    });
    const rows = rejectedRows(WORKFLOW, [
      ended('third', 'Orders#a', 'Idempotency.PayloadMismatch'),
      ended('second', 'Orders#a', 'Idempotency.PayloadMismatch'),
      ended('first', undefined, 'Idempotency.InvalidEvent'),
    ]);

    expect(rows.map(({ key, count, owner, why }) => [key, count, owner, why])).toEqual([
      ['a', 2, 'third', '2 times: the key was used before with another payload'],
      ['', 1, 'first', 'the event has no usable key'],
    ]);
  });

  test('a step that takes long, by its own record: in progress until then', () => {
    const [row] = rowsOf([record('slow', 'IN_PROGRESS', 600, { stepTimeout: 900 })], WORKFLOW, NOW);

    expect(row?.health).toBe('inProgress');
  });

  test('since when is unknown: overdue rather than hidden', () => {
    const [row] = rowsOf([record('odd', 'IN_PROGRESS', 0, { claimedAt: undefined })], WORKFLOW, NOW);

    expect(row).toMatchObject({ health: 'overdue', since: null });
  });
});
