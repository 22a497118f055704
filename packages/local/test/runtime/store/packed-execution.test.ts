import type { ServiceTable } from '../../../runtime/calls/service';
import { runToEnd } from '../../../runtime/drive';
import { PackedExecution } from '../../../runtime/store/packed-execution';
import type { Store, StoredExecution } from '../../../runtime/store/store';
import { SERVICES, service, taskOf, textOf, WAIT, worldOf } from '../world';

/** A store that packs nothing: the reference of the packed one. */
class PlainStore implements Store {
  readonly items = new Map<string, StoredExecution>();

  find(executionArn: string) {
    return this.items.get(executionArn);
  }
  list() {
    return [...this.items.values()];
  }
  all() {
    return this.items.values();
  }
  running() {
    return [...this.items.values()].filter(({ execution }) => execution.status === 'RUNNING');
  }
  create(choice: StoredExecution['choice'], execution: StoredExecution['execution']) {
    this.items.set(execution.arn, { choice, execution, history: [] });
  }
  save(execution: StoredExecution['execution'], events: StoredExecution['history']) {
    const before = this.items.get(execution.arn);
    if (!before) throw new Error('never created');
    const history = [...before.history, ...events];
    this.items.set(execution.arn, { ...before, execution, history });
  }
}

/** An execution of a definition as it was when it had ended, redriven as often as said. */
async function ended(definition: string, redrives = 0): Promise<StoredExecution> {
  const store = new PlainStore();
  let calls = 0;
  const failsFirst = service(() => {
    calls += 1;
    return calls === 1 ? { kind: 'failed', error: 'E', cause: 'c' } : { kind: 'succeeded', output: calls };
  });
  const services: ServiceTable = new Map([...SERVICES, ['test:failsFirst', failsFirst]]);
  const { runtime, clock } = worldOf({ store, services });
  const { arn: stateMachineArn } = runtime.register(definition, { name: 'm' });
  const { executionArn } = await runtime.startExecution({ stateMachineArn, input: '{ "a": [1.0, -0] }' });
  await runToEnd(runtime, clock);
  for (let redrive = 0; redrive < redrives; redrive += 1) {
    await runtime.redriveExecution({ executionArn });
    await runToEnd(runtime, clock);
  }
  const stored = store.find(executionArn);
  if (!stored) throw new Error('it was not kept');
  return stored;
}

const MAP = {
  Type: 'Map',
  Items: [1, 2],
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'P',
    States: { P: { Type: 'Pass', End: true } },
  },
  End: true,
};

test.each([
  ['SUCCEEDED', 'succeeded, some time after its start', textOf({ W: WAIT }), 0],
  ['SUCCEEDED', 'succeeded with another output', textOf({ T: taskOf('test:echo') }), 0],
  ['SUCCEEDED', 'succeeded with a Map Run', textOf({ M: MAP }), 0],
  ['SUCCEEDED', 'succeeded after a redrive', textOf({ T: taskOf('test:failsFirst') }), 1],
  ['FAILED', 'failed', textOf({ T: taskOf('test:fail') }), 0],
  ['FAILED', 'failed again after a redrive', textOf({ T: taskOf('test:fail') }), 1],
])('%s: %s: is unpacked as it was', async (status, _, definition, redrives) => {
  const stored = await ended(definition, redrives);
  expect(stored.execution.status).toBe(status);

  const { choice, execution, history } = new PackedExecution(stored).unpacked();

  expect(choice).toBe(stored.choice);
  expect(execution).toEqual(stored.execution);
  expect(JSON.stringify(execution)).toBe(JSON.stringify(stored.execution));
  expect(JSON.stringify(history)).toBe(JSON.stringify(stored.history));
});
