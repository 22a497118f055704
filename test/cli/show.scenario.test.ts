import type { HistoryEvent } from '@aws-sdk/client-sfn';
import type { Json } from '@onceflow/local';
import { Duration } from 'aws-cdk-lib';
import { show } from '../../cli/commands/show';
import { keyOf } from '../../cli/key/input/key';
import { PLAIN } from '../../cli/terminal';
import { Key, OnInProgress, Recovery } from '../../infra/index';
import { CALL, CHAIN_TIMEOUT_MS, chainInJsonPath } from '../support/chain-in-jsonpath';
import { GRACE_MS } from '../support/variant';
import { fails, returns } from '../support/world';
import { type CliWorld, ORDER, openCliWorld } from './world';

/** The sentences of each execution's timeline, without times and generated names. */
function timelines(text: string): string[] {
  const known = new Map<string, string>();
  const named = text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, name => {
    known.set(name, known.get(name) ?? `E${known.size + 1}`);
    return known.get(name) ?? '';
  });
  const [, ...parts] = named.split('\n\n').slice(1);
  return parts.map(part => part.replace(/^ {2}\d{4}-\d\d-\d\d\n/gm, '').replace(/^ {2}[\d:.]+ {2}/gm, '  '));
}

describe('the timeline of a key', () => {
  let c: CliWorld;
  afterEach(() => c.close());

  test('its owner stopped in the step: says so, what may come, and who owns the record', async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();

    const text = await c.show();

    expect(text).toContain('IN_PROGRESS: an execution owns the key');
    expect(text).toContain(
      'it ended ABORTED, and its step might still be running until 2026-11-20 09:00:41Z',
    );
    expect(timelines(text)[0]).toBe(`E1  ABORTED, owns the record
  claimed the key as attempt 1
  began the step, attempt 1
  was stopped in "Business step"`);
    await c.world.pass(GRACE_MS);
    expect(await c.show()).toMatch(
      /can be redriven[\s\S]*next +the next delivery ends with Idempotency.InProgress/,
    );
  });

  test('a key that is not checked: says why two events can share it', async () => {
    const idempotencyKey = Key.unchecked("{% 'no-' & $states.input.detail.orderId %}", {
      reason: 'ids of our ERP',
    });
    c = await openCliWorld({ name: 'an unchecked key', workflow: { idempotencyKey } });
    await c.world.delivered(ORDER);

    expect(await c.show('no-order-7')).toMatch(/key +unchecked: ids of our ERP\n/);
  });

  test('a step in JSONPath that a path has ended, and that is fixed: as an end in the step, and redriven', async () => {
    c = await openCliWorld(chainInJsonPath('missing path'));
    let answer: Json = {};
    c.world.faults = async (call, next) => (call.stateName === CALL ? returns(answer) : next());
    await c.world.delivered(ORDER);
    await c.world.pass(CHAIN_TIMEOUT_MS);
    expect(await c.show()).toMatch(
      /it ended FAILED, and can be redriven\n[\s\S]*until an operator redrives the owner/,
    );

    answer = { id: 'charge-1' };
    await c.redrive();
    await c.world.settle();
    const [owner = ''] = timelines(await c.show());
    expect(owner.replace(/(States\.Runtime): .*/, '$1')).toBe(`E1  SUCCEEDED, redriven once, owns the record
  claimed the key as attempt 1
  began the step, attempt 1
  failed in "Business step": States.Runtime
  was redriven (redrive 1)
  ran the step again, attempt 1: it returned after 0 ms {"id":"charge-1"}
  wrote that the key is COMPLETED, with the result
  succeeded`);
  });

  test('stopped, its event lost, recovered when a duplicate has called, finished; then a duplicate of it', async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    c.world.deliveries = async () => 'lost';
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    await c.world.delivered(ORDER);
    await c.world.pass(1000);
    await c.world.delivered(ORDER);

    const told = (await c.show()).replace(/recovery [0-9a-f]{32} for/, 'recovery 0 for');
    expect(timelines(told).slice(0, 3)).toEqual([
      `E1  SUCCEEDED, redriven once, owns the record
  claimed the key as attempt 1
  began the step, attempt 1
  was stopped in "Business step"
  was redriven (redrive 1)
  ran the step again, attempt 1: it returned after 0 ms {"charge":2}
  wrote that the key is COMPLETED, with the result
  succeeded`,
      `E2  FAILED
  did not get the key: it has a record
  read the record: IN_PROGRESS, owner E1, attempt 1, claimed 09:00:00Z
  started recovery 0 for E1
  rejected the delivery: E1 owns the key, and should have finished: recovery decides what becomes of it
  failed with Idempotency.InProgress`,
      `E3  SUCCEEDED
  did not get the key: it has a record
  read the record: COMPLETED, owner E1, attempt 1, claimed 09:00:00Z
  returned the stored result
  succeeded`,
    ]);
  });

  test("a duplicate within the step's time: says why it did nothing", async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();
    await c.world.delivered(ORDER);

    const [, early] = timelines(await c.show());
    expect(early).toContain('rejected the delivery: E1 owns the key, and has not finished');
  });

  test.each([
    'ann',
    'arn:aws:states:eu-west-1:111111111111:execution:Refund:e',
    'arn:aws:states:us-east-1:222222222222:execution:Refund:e',
  ])('a record whose owner is %s: shown, and why Step Functions is not asked about it', async owner => {
    c = await openCliWorld();
    const idempotencyKey = { S: 'ChargePayment#order-7' };
    const more = { status: { S: 'IN_PROGRESS' }, attempt: { N: '1' } };
    await c.world.putRecord({ idempotencyKey, ...more, owner: { S: owner } });

    const text = await c.show();

    expect(text).toContain(
      `${owner}, attempt 1: it is not an execution of this account and region, so Step Functions`,
    );
    expect(text).toContain('deliveries end with Idempotency.ForeignRecord');
  });

  test('a record in the form of a later version: shown, and what to deploy', async () => {
    c = await openCliWorld();
    await c.world.publish(ORDER);
    const record = await c.world.record('ChargePayment#order-7');
    await c.world.putRecord({ ...record, form: { N: '2' } });

    const text = await c.show();

    expect(text).toContain('COMPLETED, of another version');
    expect(text).toContain("the record is a later version's (form 2), which this version cannot compare");
  });

  test('failed, then tried again under another name, then another payload', async () => {
    c = await openCliWorld();
    c.world.step = () => fails('CardDeclined', 'insufficient funds');
    await c.world.publish(ORDER);
    await c.world.pass(5000);
    c.world.step = () => returns({ charge: 1 });
    await c.world.publish(ORDER);
    await c.world.pass(5000);
    await c.world.delivered({ ...ORDER, amount: 99 });

    const text = await c.show();

    expect(text).toContain('COMPLETED: the step has run');
    expect(text.replace(/order-7-[0-9a-f]{16}/g, 'order-7-again')).not.toMatch(/99/);
    expect(timelines(text.replace(/order-7-[0-9a-f]{16}/g, 'order-7-again')).slice(0, 3)).toEqual([
      `order-7  FAILED
  claimed the key as attempt 1
  ran the step, attempt 1: it failed after 0 ms with CardDeclined: insufficient funds
  wrote that the key has FAILED
  failed with CardDeclined`,
      `order-7-again  SUCCEEDED, owns the record
  did not get the key: it has a record
  read the record: FAILED with CardDeclined, owner order-7, attempt 1, claimed 09:00:00Z
  took over from order-7 as attempt 2
  ran the step, attempt 2: it returned after 0 ms {"charge":1}
  wrote that the key is COMPLETED, with the result
  succeeded`,
      `E1  FAILED
  did not get the key: it has a record
  read the record: COMPLETED, owner order-7-again, attempt 2, claimed 09:00:05Z
  rejected the delivery: the key was used before with another payload
  failed with Idempotency.PayloadMismatch`,
    ]);
  });

  test('a payload that is kept: what was asked, and the fields in which another one differs', async () => {
    c = await openCliWorld({ name: 'payload kept', workflow: { keepPayload: true } });
    await c.world.delivered(ORDER);
    await c.world.delivered({ ...ORDER, amount: 99 });

    const text = await c.show();

    expect(text).toContain('payload   {"amount":12.5,"currency":"EUR"}');
    expect(timelines(text)[1]).toMatch(/failed with Idempotency\.PayloadMismatch: differs in amount$/);
    expect(text).not.toMatch(/99/);
  });

  test('held by recovery, at most once', async () => {
    const workflow = { delivery: 'at-most-once', recovery: Recovery.automatic() } as const;
    c = await openCliWorld({ name: 'at most once', workflow });
    await c.ownerStoppedInStep();
    await c.world.settle();
    await c.world.delivered(ORDER);

    const text = await c.show();

    expect(text).toContain('HELD, held for review (Idempotency.InDoubt): the step might have run');
    // The cause that the record has knows one of both decisions.
    expect(text).not.toContain('until an operator releases the key');
    expect(text).toMatch(/expires +never/);
    expect(timelines(text)[1]).toBe(`E2  FAILED
  did not get the key: it has a record
  read the record: HELD with Idempotency.InDoubt, owner E1, attempt 1, claimed 09:00:00Z
  rejected the delivery: the record is held for review; an operator decides
  failed with Idempotency.InDoubt`);
  });

  test('a duplicate that waited: its looks are summed up', async () => {
    const workflow = { onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)) };
    c = await openCliWorld({ name: 'waits', workflow });
    c.world.step = async () => {
      await c.world.pause(30_000);
      return returns('late');
    };
    await c.world.deliver(ORDER);
    await c.world.pass(1000);
    await c.world.delivered(ORDER);

    const waiting = timelines(await c.show())[1] ?? '';

    expect(waiting).toMatch(
      / {2}waited [\d.]+ s for the owner\n {2}checked \d+ more times within [\d.]+ s, and waited/,
    );
    expect(waiting).toMatch(
      /read the record: COMPLETED[^\n]*\n {2}returned the stored result\n {2}succeeded$/,
    );
    expect(waiting.match(/read the record/g)).toHaveLength(2);
  });

  test('executions of other keys, also ones with a likely name: not among them', async () => {
    c = await openCliWorld();
    await c.world.publish(ORDER);
    const input = JSON.stringify({ detail: { ...ORDER, orderId: 'order-8' } });
    const stateMachineArn = c.workflow.stateMachineArn;
    const name = `order-7-${'0'.repeat(16)}`;
    await c.world.stack.runtime.startExecution({ stateMachineArn, input, name });
    await c.world.settle();

    expect(timelines(await c.show()).slice(0, -1)).toHaveLength(1);
    expect(timelines(await c.show('order-8'))[0]).toMatch(/^order-7-0000000000000000 {2}SUCCEEDED/);
  });

  test('more executions than may be opened: says how many were left out', async () => {
    c = await openCliWorld();
    for (let i = 0; i < 5; i += 1) await c.world.delivered({ ...ORDER, orderId: `other-${i}` });
    await c.world.publish(ORDER);

    expect(await c.show('order-7', { limit: 2 })).toContain(
      '6 executions since 2026-11-13 09:00:00Z; 3 opened, 3 older ones with other names were not opened',
    );
  });

  test('histories that do not say for which key they are: counted as left out, never as of another key', async () => {
    c = await openCliWorld();
    await c.world.delivered({ ...ORDER, orderId: 'other' });
    await c.world.publish(ORDER);
    withoutData(c);

    // The second is known as the record's owner; whether the first is of the key is unknown.
    expect(await c.show()).toContain(
      '2 opened, 1 of them left out, because their history does not say their key',
    );
  });

  test('an owner older than the time looked at: found all the same, by the record', async () => {
    c = await openCliWorld();
    await c.world.delivered(ORDER);
    await c.world.pass(10 * 24 * 3_600_000);

    const text = await c.show();

    expect(timelines(text)[0]).toContain('claimed the key as attempt 1');
    expect(text).toContain('0 executions since');
  });

  test('a composite key, by its parts; a part alone is rejected with what there is to pass', async () => {
    const idempotencyKey = ['{% $states.input.detail.currency %}', '{% $states.input.detail.orderId %}'];
    c = await openCliWorld({ name: 'composite', workflow: { idempotencyKey } });
    await c.world.delivered(ORDER);
    const shown = (...parts: readonly string[]) => {
      const key = keyOf({ parts, isNumber: false, isRecorded: false, json: undefined });
      return show.run(c.context, { key, range: { since: { ago: 0 } }, limit: 10 });
    };

    expect((await shown('EUR', 'order-7')).text(PLAIN)).toMatch(
      /^ChargePayment#EUR,order-7\n\n {2}status +COMPL/,
    );
    await expect(shown('order-7')).rejects.toThrow(/has 2 parts, got 1\. Pass all of them .* --json-key/);
  });

  test('no such key: a sentence that says what was searched', async () => {
    c = await openCliWorld();
    await c.world.delivered(ORDER);

    await expect(c.show('order-77')).rejects.toThrow(
      /^there is no record .* of "ChargePayment#order-77"\.\n {2}record: none in .*\n(?:.*\n)* {2}executions: of 1 since .*, 1 were opened .*\nCheck the key: .*\. To search further, pass an earlier --since\.$/,
    );
    await expect(c.show('order-77', { limit: 0 })).rejects.toThrow(/To search further, pass --limit 1\.$/);
  });

  test('a delivery that lacks only its payload: of the key, as list says', async () => {
    const payload = '{% $states.input.detail.amount %}';
    c = await openCliWorld({ name: 'payload of a member', workflow: { payload } });
    await c.world.delivered({ orderId: 'order-7' });

    const text = await c.show();

    expect(text).toMatch(/^ChargePayment#order-7 has no record/);
    expect(text).toMatch(/rejected the delivery: it has no usable key or payload/);
    await expect(c.show('order-8')).rejects.toThrow(/none is of this key/);
  });

  test('a name that an execution without a key has used: said, with how it ended, and when the key has a record', async () => {
    c = await openCliWorld();
    await c.world.stack.runtime.startExecution({
      stateMachineArn: c.workflow.stateMachineArn,
      name: 'order-7',
      input: '[1]',
    });
    await c.world.settle();
    const ended =
      /an execution has the name of this key, order-7, and not this key, as far as its input says: it ended FAILED with Idempotency.InvalidEvent \(the key is .*, which gave nothing.*\)/;

    await expect(c.show()).rejects.toThrow(ended);
    await expect(c.show()).rejects.toThrow(
      /run `onceflow start KEY --input FILE`: it takes another name\nCheck/,
    );
    await c.world.delivered(ORDER);
    expect(await c.show()).toMatch(ended);
    expect(await c.show()).toMatch(/^ChargePayment#order-7\n\n {2}status +COMPLETED[\s\S]*\n\nBesides: an/);
  });
});

/** Histories as of an endpoint that leaves out what states were given and have assigned. */
function withoutData(c: CliWorld): void {
  c.aws.sfn.middlewareStack.add(
    (next, context) => async args => {
      const answer = await next(args);
      if (context['commandName'] !== 'GetExecutionHistoryCommand') return answer;
      const { events = [] } = answer.output as { readonly events?: HistoryEvent[] };
      for (const { stateExitedEventDetails, taskScheduledEventDetails } of events) {
        delete stateExitedEventDetails?.assignedVariables;
        if (taskScheduledEventDetails) taskScheduledEventDetails.parameters = '';
      }
      return answer;
    },
    { step: 'initialize' },
  );
}
