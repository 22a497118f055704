import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explore, replay, type Seen } from '@onceflow/local/explore';
import { claimsFirst, naive } from './payments';

const tables = { Payments: { partitionKey: 'orderId' } };
const inputs = [{ orderId: 'order-1' }];
const chargedOnce = ({ effects }: Seen) =>
  effects.filter(({ stateName }) => stateName === 'Charge').length <= 1 || 'charged twice';

// #region right
test('whatever happens: an order is charged once at most', () => {
  const { violation, isComplete } = explore({
    definition: claimsFirst,
    inputs,
    tables,
    invariant: chargedOnce,
  });

  expect(violation?.story).toBeUndefined();
  expect(isComplete).toBe(true);
});
// #endregion

test('a workflow that reads and then writes: the guide tells how it charges twice, and that can be replayed', () => {
  const options = { definition: naive, inputs, tables, invariant: chargedOnce };
  const { violation } = explore(options);

  expect(`${violation?.story}\n`).toBe(readFileSync(path.join(__dirname, 'double-charge.txt'), 'utf8'));
  expect(replay(options, violation?.schedule ?? []).violation?.message).toBe('charged twice');
});
