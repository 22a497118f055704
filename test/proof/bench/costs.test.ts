import { readFileSync } from 'node:fs';
import path from 'node:path';
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
    describeExecutions: 0,
    awaitedInFunction: 0,
    logBytes: 0,
  };
  const fresh = { delivery: 'fresh', ...none, transitions: 3, invocations: 1, writes: 2 };
  const duplicate = { delivery: 'duplicate of a finished one', ...none };
  expect(rows).toEqual([
    { what: 'onceflow, from an event bus', ...fresh, expressExecutions: 1 },
    {
      what: 'onceflow, from an event bus',
      ...duplicate,
      expressExecutions: 1,
      reads: 1,
      logBytes: expect.any(Number),
    },
    { what: 'onceflow, started directly', ...fresh },
    { what: 'onceflow, started directly', ...duplicate, transitions: 4, writes: 1, reads: 1 },
    {
      ...duplicate,
      what: 'onceflow, started directly',
      delivery: 'duplicate of a running key',
      transitions: 4,
      writes: 1,
      reads: 1,
    },
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

test.each([
  ['docs/guide/costs.md', 'onceflow, started directly: duplicate of a running key', 'describeExecutions'],
  ['docs/guide/migrating.md', 'its duplicate, while the step runs', 'awaitedInFunction'],
] as const)(
  '%s: the duplicate of a running key as it is counted',
  async (page, title, last) => {
    const rows = await costsOfDeliveries(await referenceAssembly());
    const running = rows.filter(({ delivery }) => delivery === 'duplicate of a running key');

    const columns = ['transitions', 'expressExecutions', 'invocations', 'writes', 'reads', last] as const;
    const lines = running.map(row => `| ${[title, ...columns.map(column => row[column])].join(' | ')} |`);
    expect(lines).toHaveLength(1);
    expect(readFileSync(path.join(__dirname, '../../..', page), 'utf8')).toContain(lines.join('\n'));
  },
  60_000,
);
