import { randomBytes } from 'node:crypto';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { CLOCKS_DIFFER_MS } from '../state-machine/contract/dispatch-rules';
import { retryName } from '../state-machine/contract/execution-name';
import { type Call, prepared } from './call';
import { endOf, executionArnOf, isOfMachine, run, type StartedExecution, start } from './executions';
import type { StartOnceOptions } from './options';
import { answerOfRecord, isBlockedByAnother, outcomeOf, ownerNamedBy } from './outcome';
import type { StartOnceResult } from './result';
import { Backoff, REAL_TIME, type Time } from './time';

/** The longest delay between two starts while another execution owns the key, in milliseconds. */
const START_DELAY_MAX_MS = 30_000;

/**
 * Starts an `IdempotentWorkflow` for a key, or finds the result that the key has already.
 *
 * The execution is named by the key. While it is at work, calls with an equal input find it and cost a read of the
 * record. An execution that only sends its notice does not count. When the name is taken otherwise, the record is
 * asked, and only the execution's own input makes a duplicate certain. In every other case an execution under another
 * name lets the workflow decide, which never runs the step twice.
 *
 * Without `waitUpTo` the answer is `started` as soon as the execution is, however it will end, or `duplicate` with
 * the stored result. With it, the execution is looked at with growing delays until it has ended; where another one
 * owns the key, that one is waited for and the workflow is asked again. An Express workflow is run to its end at once.
 *
 * When the signal aborts, the promise rejects with its reason. An execution that was started goes on: call again with
 * the same key to learn of it.
 *
 * @throws MissingKeyError, before anything is called, where `key` is none
 * @throws PayloadMismatchError where the workflow rejected the input: the key was used with another payload
 * @throws StartOnceError for other options that cannot work, and where AWS rejects or does not answer. If an execution
 * was started, or found running under the name of the key, `executionArn` is that of the execution, which goes on
 *
 * @example
 * const order = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };
 * const answer = await startOnce(new SFNClient(), {
 *   stateMachineArn,
 *   table,
 *   scope: 'ChargePayment',
 *   key: order.orderId,
 *   input: { detail: order },
 *   waitUpTo: 30_000,
 * });
 */
export function startOnce(client: SFNClient, options: StartOnceOptions): Promise<StartOnceResult> {
  return startOnceIn(REAL_TIME, client, options);
}

/** The same in a time of one's own. */
export async function startOnceIn(
  time: Time,
  client: SFNClient,
  options: StartOnceOptions,
): Promise<StartOnceResult> {
  try {
    const call = await prepared(client, options, time);
    options.signal?.throwIfAborted();
    return await (call.type === 'EXPRESS' ? runExpress(call) : runStandard(call));
  } catch (error) {
    // The SDK and the timers have abort errors of their own; the caller knows the reason.
    options.signal?.throwIfAborted();
    throw error;
  }
}

async function runStandard(call: Call): Promise<StartOnceResult> {
  const found = await start(call, call.name);
  let executionArn = found?.executionArn;
  if (executionArn === undefined || (found && mayBeAnothers(found))) {
    const answer = await answerOfRecord(call, found);
    if (answer && 'result' in answer) return answer;
    executionArn = answer?.executionArn ?? (await startAnew(call));
  }
  return call.isWaiting ? waitFor(call, executionArn) : { outcome: 'started', executionArn };
}

/** Whether an execution that answers a start may be that of another call, so that the record must say what it does. */
function mayBeAnothers({ since, calledAt }: StartedExecution): boolean {
  return since === undefined || since < calledAt - CLOCKS_DIFFER_MS;
}

async function waitFor(call: Call, firstArn: string): Promise<StartOnceResult> {
  const backoff = new Backoff(START_DELAY_MAX_MS);
  for (let executionArn = firstArn; ; executionArn = await startAnew(call)) {
    const ending = await endOf(call, executionArn);
    if (ending === undefined) return { outcome: 'inProgress', executionArn };
    if (!isBlockedByAnother(ending)) return outcomeOf(call, ending);

    // Looking at the owner costs nothing, a start that it rejects does. An owner that was stopped has ended, too, and
    // still owns the key until it is redriven: hence the growing delay.
    const owner = ownerNamedBy(ending);
    const hasOwnerEnded =
      owner === undefined || !isOfMachine(call, owner) || (await endOf(call, owner)) !== undefined;
    const isInTime = hasOwnerEnded && (await call.patience.pause(backoff.nextMs()));
    if (!isInTime) return { outcome: 'inProgress', executionArn: owner ?? executionArn };
  }
}

/** Starts an execution under a new unique name. */
async function startAnew(call: Call): Promise<string> {
  const name = retryName(call.name, randomBytes(8).toString('hex'));
  // Taken: by ourselves, a moment ago. The SDK has repeated a start whose answer was lost.
  return (await start(call, name))?.executionArn ?? executionArnOf(call.stateMachineArn, name);
}

async function runExpress(call: Call): Promise<StartOnceResult> {
  const backoff = new Backoff(START_DELAY_MAX_MS);
  for (let isInTime = call.isWaiting; ; ) {
    const ending = await run(call);
    if (!isBlockedByAnother(ending)) return outcomeOf(call, ending);
    if (!isInTime) {
      return { outcome: 'inProgress', executionArn: ownerNamedBy(ending) ?? ending.executionArn };
    }
    isInTime = await call.patience.pause(backoff.nextMs());
  }
}
