import type { EventEnvelope, ExecutionDescription } from '@onceflow/local';
import {
  type DeliveryOptions,
  deliverAll,
  type EndsBy,
  type NumberedEvent,
} from '../../../proof/demo/deliver';
import { WorkflowExecutions } from '../../../proof/demo/executions';

type Kind = 'started' | 'redriven' | 'ended';
type End = Pick<ExecutionDescription, 'status'> & { readonly error?: string };

const ABORTED: End = { status: 'ABORTED' };
const SUCCEEDED: End = { status: 'SUCCEEDED' };
const failed = (error: string): End => ({ status: 'FAILED', error });

/** Executions of a workflow by script: `tell` says what happens to one of them, about the event that it is given. */
function script() {
  let listener: (change: { kind: Kind; execution: object }) => void = () => undefined;
  const runtime = {
    subscribe: (told: typeof listener) => {
      listener = told;
    },
  };
  const executions = new WorkflowExecutions({ runtime, output: () => 'workflow' } as never);
  const tell = (kind: Kind, name: string, event: EventEnvelope, end: object = { status: 'RUNNING' }) => {
    const input = JSON.stringify({ detail: event.detail });
    listener({ kind, execution: { executionArn: name, stateMachineArn: 'workflow', input, ...end } });
  };
  return { executions, tell };
}

function order(orderId: string, amount = 1): NumberedEvent {
  return { line: 1, event: { detail: { orderId, amount, currency: 'EUR' } } as unknown as EventEnvelope };
}

/** Delivers events, one after the other; each delivery is an execution that ends as the next of `ends` says. */
async function delivered(
  events: readonly NumberedEvent[],
  ends: readonly (End | 'nothing')[],
  until: EndsBy = { kind: 'deliveries' },
) {
  const { executions, tell } = script();
  const amounts: unknown[] = [];
  let pauses = 0;
  const options: DeliveryOptions = {
    channel: {
      deliver: async event => {
        const end = ends[amounts.length] ?? 'nothing';
        const name = `execution-${amounts.length}`;
        amounts.push(event.detail['amount']);
        if (end === 'nothing') return { kind: 'taken' };
        tell('started', name, event);
        tell('ended', name, event, end);
        return { kind: 'taken' };
      },
    },
    executions,
    concurrency: 1,
    pause: async () => {
      pauses += 1;
    },
    until,
    progress: () => undefined,
  };
  const { taken } = await deliverAll(events, options);
  expect(taken).toHaveLength(amounts.length);
  return { amounts, pauses };
}

describe('deliverAll', () => {
  test.each([
    ['succeeded', [SUCCEEDED], 1],
    ['stopped', [ABORTED, SUCCEEDED], 2],
    ['failed step', [failed('PaymentProviderUnavailable'), SUCCEEDED], 2],
    ['stopped, and its delivery in progress', [ABORTED, failed('Idempotency.InProgress'), SUCCEEDED], 3],
    ['stopped after it was recorded: the record answers', [ABORTED, 'nothing'], 2],
    ['no key', [failed('Idempotency.InvalidEvent')], 1],
    ['a payment that is not possible', [failed('InvalidPayment')], 1],
  ] as [string, (End | 'nothing')[], number][])(
    '%s: delivered until it is done',
    async (_, ends, deliveries) => {
      const { amounts, pauses } = await delivered([order('a')], ends);

      expect(amounts).toHaveLength(deliveries);
      expect(pauses).toBe(deliveries - 1);
    },
  );

  test.each([
    ['once, and quiet for two pauses', undefined, 1, 2],
    ['a second time after three pauses', { afterPauses: 3, before: () => undefined }, 2, 5],
  ] as const)(
    'recovery ends what was stopped: each event %s',
    async (_, secondDelivery, deliveries, pauses) => {
      const until = { kind: 'recovery', quietPauses: 2, ...(secondDelivery && { secondDelivery }) } as const;
      const events = [order('a'), order('a')];

      expect(await delivered(events, [ABORTED, ABORTED], until)).toEqual({
        amounts: Array.from({ length: deliveries }, () => 1),
        pauses,
      });
    },
  );

  test('a duplicate that is stopped when the order is done: not delivered again', async () => {
    expect((await delivered([order('a'), order('a')], [SUCCEEDED, ABORTED])).amounts).toHaveLength(2);
  });

  test('two payloads of one key, both stopped: both are delivered again, as one of them owns the key', async () => {
    const ends = [ABORTED, ABORTED, SUCCEEDED, failed('Idempotency.PayloadMismatch')];

    expect((await delivered([order('a', 1), order('a', 2)], ends)).amounts).toEqual([1, 2, 1, 2]);
  });

  test('a delivery that redrives the owner: over when the owner has ended', async () => {
    const { executions, tell } = script();
    const { event } = order('a');
    tell('started', 'owner', event);
    tell('ended', 'owner', event, ABORTED);
    executions.takeEnded();
    let isOver = false;
    const delivering = deliverAll([order('a')], {
      channel: {
        deliver: async () => {
          tell('redriven', 'owner', event);
          return { kind: 'taken' };
        },
      },
      executions,
      concurrency: 1,
      pause: async () => undefined,
      until: { kind: 'deliveries' },
      progress: () => {
        isOver = true;
      },
    });
    await new Promise(resolve => setImmediate(resolve));
    expect(isOver).toBe(false);

    tell('ended', 'owner', event, SUCCEEDED);
    await delivering;
    expect([executions.aborted, executions.redriven]).toEqual([1, 1]);
    expect(executions.all).toHaveLength(1);
  });
});
