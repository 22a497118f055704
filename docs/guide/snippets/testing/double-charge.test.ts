import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explore, replay, type Seen } from '@onceflow/local/explore';
import { naive } from './payments';

test('a workflow that reads and then writes: the guide tells how it charges twice, and that can be replayed', () => {
  const invariant = ({ effects }: Seen) => effects.length <= 1 || 'charged twice';
  const tables = { Payments: { partitionKey: 'orderId' } };
  const options = { definition: naive, inputs: [{ orderId: 'order-1' }], tables, invariant };
  const { violation } = explore(options);

  expect(`${violation?.trace}\n`).toBe(readFileSync(path.join(__dirname, 'double-charge.txt'), 'utf8'));
  expect(replay(options, violation?.interleaving ?? []).violation?.message).toBe('charged twice');
});
