import { costsOfDeliveries } from '../../../proof/bench/cost/deliveries';
import { referenceAssembly } from '../../support/reference-app';

// The figures that docs/guide/migrating.md has.
test('what a delivery takes: three transitions and two writes, a duplicate from the bus one read', async () => {
  const rows = await costsOfDeliveries(await referenceAssembly());

  const none = {
    transitions: 0,
    expressExecutions: 0,
    invocations: 0,
    writes: 0,
    reads: 0,
    awaitedInFunction: 0,
  };
  const fresh = { delivery: 'fresh', ...none, transitions: 3, invocations: 1, writes: 2 };
  const duplicate = { delivery: 'duplicate of a finished one', ...none };
  expect(rows).toEqual([
    { what: 'onceflow, from an event bus', ...fresh, expressExecutions: 1 },
    { what: 'onceflow, from an event bus', ...duplicate, expressExecutions: 1, reads: 1 },
    { what: 'onceflow, started directly', ...fresh },
    { what: 'onceflow, started directly', ...duplicate, transitions: 4, writes: 1, reads: 1 },
    {
      ...fresh,
      what: 'a lock table in the function',
      transitions: 0,
      awaitedInFunction: 2,
    },
    {
      ...duplicate,
      what: 'a lock table in the function',
      invocations: 1,
      writes: 1,
      reads: 1,
      awaitedInFunction: 2,
    },
  ]);
}, 60_000);
