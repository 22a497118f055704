import { readAssembly } from '@onceflow/local';
import { explore } from '@onceflow/local/explore';
import { assemblyOf } from '../support/assembly';

const ORDER = { source: 'shop.orders', detail: { orderId: 'order-7', amount: 12.5, currency: 'EUR' } };

test.each([
  [2, 2],
  [3, 1],
])(
  '%i deliveries, %i faults: no two runs of the step in one attempt, and none behind that of a later one',
  (deliveries, faults) => {
    const assembly = readAssembly(assemblyOf({ name: 'reference' }));
    const { violation, isComplete } = explore({
      definition: { assembly, stateMachine: 'OnceflowPayments/ChargePayment/StateMachine' },
      inputs: [ORDER],
      // The workflow waits until the step cannot be at work any more.
      callsEndInTime: true,
      deliveries,
      faults,
      invariant: ({ effects }) => {
        const calls = effects.filter(({ stateName }) => stateName === 'Business step');
        const attempts = calls.map(
          call => (call.arguments as { Payload: { attempt: number } }).Payload.attempt,
        );
        const isInOrder = attempts.every((attempt, index) => attempt > (attempts[index - 1] ?? 0));
        return isInOrder || `attempts ${attempts.join(', ')}`;
      },
    });

    expect(violation?.trace).toBeUndefined();
    expect(isComplete).toBe(true);
  },
  120_000,
);
