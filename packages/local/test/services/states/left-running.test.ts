import { MemoryStore } from '../../../runtime/store/memory-store';
import { leftRunning } from '../../../services/states/left-running';
import { textOf, WAIT, worldOf } from '../../runtime/world';

const store = new MemoryStore();
const arns: string[] = [];

beforeAll(async () => {
  const { runtime } = worldOf({ store });
  const { arn: stateMachineArn } = runtime.register(textOf({ W: WAIT }), { name: 'm' });
  for (const name of ['a', 'b', 'c'])
    arns.push((await runtime.startExecution({ stateMachineArn, name })).executionArn);
  await runtime.stopExecution({ executionArn: arns[2] ?? '' });
});

describe('executions that were left running', () => {
  test('by name, by ARN, none: their ARNs', () => {
    expect(leftRunning(store, ['a', arns[1] ?? ''])).toEqual(arns.slice(0, 2));
    expect(leftRunning(store, [])).toEqual([]);
  });

  test('one that has ended, or is not known: rejected, with the names of those that run', () => {
    expect(() => leftRunning(store, ['a', 'c'])).toThrow(
      'stop: no execution `c` was left running\n  these were: `a`, `b`',
    );
    expect(() => leftRunning(new MemoryStore(), ['x'])).toThrow('none was');
  });
});
