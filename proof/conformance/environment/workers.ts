import type { Runtime } from '../../../packages/local/runtime/runtime';
import type { VirtualClock } from '../../../packages/local/runtime/time/virtual-clock';
import type { WorkTracker } from '../../../packages/local/runtime/time/work-tracker';
import type { ReceivedMessage } from '../../../packages/local/services/message-queues';
import type { Queues } from '../../../packages/local/services/sqs/queues';
import type { CaseBase, WorkerSpec } from '../cases/recorded-case';
import { type References, resolveReferences, resolveText } from '../cases/references';
import { rejectionOf } from '../rejection';
import { queueName } from './names';

/** What workers act on. */
export interface WorkerContext {
  readonly runtime: Runtime;
  readonly clock: VirtualClock;
  readonly work: WorkTracker;
  readonly queues: Queues;
  readonly references: References;
}

/** The behaviours of workers that are known here. */
export const KNOWN_WORKERS: ReadonlySet<string> = new Set([
  'apiCalls',
  'eventBridgeRuleToQueue',
  'sqsHeartbeatThenTaskSuccess',
  'sqsTaskFailure',
  'sqsTaskSuccess',
  'stateMachine',
]);

/** Starts the workers of a case that are state machines: they run beside the execution. */
export async function startWorkerMachines(
  { workers }: CaseBase,
  { runtime, references }: Pick<WorkerContext, 'runtime' | 'references'>,
): Promise<void> {
  const machines = workers.filter(({ behaviour }) => behaviour === 'stateMachine');
  for (const [index, { definition, input }] of machines.entries()) {
    const text = JSON.stringify(resolveReferences(definition, references));
    const { arn } = runtime.register(text, { name: `worker-${index}` });
    const given = JSON.stringify(resolveReferences(input ?? {}, references));
    await runtime.startExecution({ stateMachineArn: arn, input: given });
  }
}

/**
 * Lets each worker of a case receive from its queue once; true if one of them had something to do.
 *
 * A worker whose task is over by the time it calls is rejected, and takes it as the recorder's did.
 */
export function workersOf(recorded: CaseBase, context: WorkerContext): () => Promise<boolean> {
  const [firstQueue = ''] = Object.keys(recorded.queues);
  const workers = recorded.workers
    .filter(({ behaviour }) => behaviour !== 'eventBridgeRuleToQueue' && behaviour !== 'stateMachine')
    .map(spec => {
      const queue = resolveText(spec.queue ?? queueName(firstQueue), context.references);
      return { ...spec, queue, isDone: false };
    });
  return async () => {
    let hasWorked = false;
    for (const worker of workers) {
      const [message] = worker.isDone ? [] : (context.queues.receive(worker.queue) ?? []);
      if (!message) continue;
      hasWorked = true;
      context.queues.delete(worker.queue, message.receiptHandle);
      // One who makes listed calls makes them for one message.
      worker.isDone = worker.behaviour === 'apiCalls';
      await handle(worker, message, context);
    }
    return hasWorked;
  };
}

async function handle(worker: WorkerSpec, message: ReceivedMessage, context: WorkerContext) {
  const { runtime, clock, work } = context;
  const body = JSON.parse(message.body) as MessageBody;
  const taskToken = body.TaskToken ?? publishedToken(body);
  const succeed = () =>
    unlessRejected(runtime.taskResults.succeed({ taskToken, output: JSON.stringify(body.Message ?? null) }));
  switch (worker.behaviour) {
    case 'sqsTaskSuccess':
      return succeed();
    case 'sqsTaskFailure': {
      const failure = { error: 'Failure error', cause: 'Failure cause' };
      return unlessRejected(runtime.taskResults.fail({ taskToken, ...failure }));
    }
    case 'sqsHeartbeatThenTaskSuccess':
      clock.at(clock.now() + HEARTBEAT_AFTER_MS, () => {
        // No more time may pass before both calls are made.
        work.begin();
        void unlessRejected(runtime.taskResults.heartbeat({ taskToken }))
          .then(succeed)
          .finally(() => work.end());
      });
      return;
    case 'apiCalls':
      return makeCalls(worker, taskToken, message.body, context);
    default:
      throw new Error(`unknown behavior of a worker: ${worker.behaviour}`);
  }
}

interface MessageBody {
  readonly Type?: string;
  readonly TaskToken?: string;
  readonly Message?: unknown;
}

/** The token in a message that a topic has wrapped. */
function publishedToken({ Type, Message }: MessageBody): string {
  if (Type !== 'Notification') return '';
  return (JSON.parse(String(Message)) as MessageBody).TaskToken ?? '';
}

/** How long a worker works before it says that it still does. */
const HEARTBEAT_AFTER_MS = 5000;

async function makeCalls(
  { calls = [] }: WorkerSpec,
  taskToken: string,
  messageBody: string,
  { runtime, references }: WorkerContext,
): Promise<void> {
  const known = new Map([...references, ['TaskToken', taskToken], ['MessageBody', messageBody]]);
  for (const { op, request } of calls) {
    const resolved = resolveReferences(request, known) as Parameters<Runtime['taskResults']['succeed']>[0];
    switch (op) {
      case 'SendTaskSuccess':
        await unlessRejected(runtime.taskResults.succeed(resolved));
        break;
      case 'SendTaskFailure':
        await unlessRejected(runtime.taskResults.fail(resolved));
        break;
      case 'SendTaskHeartbeat':
        await unlessRejected(runtime.taskResults.heartbeat(resolved));
        break;
      default:
        throw new Error(`unknown call of a worker: ${op}`);
    }
  }
}

async function unlessRejected(call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (rejectionOf(error) === undefined) throw error;
  }
}
