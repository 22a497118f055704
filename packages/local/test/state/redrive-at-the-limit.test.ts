import { ClassicLevel } from 'classic-level';
import { runToEnd } from '../../runtime/drive';
import { openStateDirectory } from '../../state/directory';
import { taskOf, textOf, WAIT, worldOf } from '../runtime/world';
import { cleanUp, newPath } from './world';

afterEach(cleanUp);

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
}

test('an execution is redriven when it is the next to be forgotten: goes on, and is forgotten later', async () => {
  const opened = await openStateDirectory(newPath(), 1);
  if (opened.kind === 'rejected') throw new Error(opened.reason);
  const { store, close } = opened.directory;
  const { runtime, clock } = worldOf({ store });
  const failing = runtime.register(textOf({ T: taskOf('test:fail') }), { name: 'failing' }).arn;
  const waiting = runtime.register(textOf({ W: WAIT }), { name: 'waiting' }).arn;
  const { executionArn } = await runtime.startExecution({ stateMachineArn: failing, name: 'a' });
  await runToEnd(runtime, clock);
  const other = await runtime.startExecution({ stateMachineArn: waiting, name: 'b' });
  await turns(50);
  // A slow disk: the other one has ended before the redrive is written.
  const batch = ClassicLevel.prototype.batch as (...args: unknown[]) => Promise<void>;
  const slow = jest.spyOn(ClassicLevel.prototype, 'batch') as unknown as jest.SpyInstance<Promise<void>>;
  slow.mockImplementation(async function slowly(this: ClassicLevel, ...args: unknown[]) {
    await turns(20);
    await batch.apply(this, args);
  });

  const stopping = runtime.stopExecution({ executionArn: other.executionArn });
  while (slow.mock.calls.length === 0) await turns(1);
  await runtime.redriveExecution({ executionArn });
  await stopping;
  slow.mockRestore();
  await runToEnd(runtime, clock);
  await turns(50);

  const { events } = await runtime.getExecutionHistory({ executionArn });
  expect(events.filter(({ type }) => type === 'ExecutionRedriven')).toHaveLength(1);
  expect(store.find(other.executionArn)).toBeUndefined();
  await close();
});
