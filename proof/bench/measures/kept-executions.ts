import { type Interceptor, type JsonObject, startLocal } from '@onceflow/local';
import { CONCURRENCY, print } from './measure';
import { orderEvent } from './order-event';

// Executions of the reference app's workflow that have ended, in a state directory: what a restart finds. Arguments:
// how many, the folder of the synthesized assembly, and the state directory.

const executions = Number(process.argv[2]);
const assembly = process.argv[3] ?? '';
const state = process.argv[4] ?? '';

async function keep(): Promise<void> {
  const stack = await startLocal({ assembly, state, interceptor: charge });
  const stateMachineArn = stack.output('StateMachineArn');
  const startedAt = performance.now();
  for (let first = 0; first < executions; first += CONCURRENCY) {
    const batch = Array.from({ length: Math.min(CONCURRENCY, executions - first) }, async (_, index) => {
      const input = JSON.stringify(orderEvent(first + index));
      const { executionArn } = await stack.runtime.startExecution({ stateMachineArn, input });
      await stack.runtime.whenEnded(executionArn);
    });
    await Promise.all(batch);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await stack.close();
  print({ executions, seconds });
}

/** Answers as the business function does, without a thread of its own. */
const charge: Interceptor = (call, next) => {
  if (call.resource !== 'lambda:invoke') return next();
  const { Payload } = call.arguments as { readonly Payload: JsonObject };
  const { detail } = Payload['input'] as { readonly detail: JsonObject };
  const receipt = {
    chargeId: 'charge',
    orderId: detail['orderId'] ?? null,
    amount: detail['amount'] ?? null,
  };
  const output = { ExecutedVersion: '$LATEST', Payload: receipt, StatusCode: 200 };
  return Promise.resolve({ kind: 'succeeded', output });
};

void keep();
