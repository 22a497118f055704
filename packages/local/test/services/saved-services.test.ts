import { Activities } from '../../runtime/catalogue/activities';
import { MachineRegistry } from '../../runtime/catalogue/machine-registry';
import type { Queues } from '../../services/sqs/queues';
import { SQS } from '../../services/sqs/service';
import { savedCatalogue } from '../../services/states/saved-catalogue';
import type { StateDirectory } from '../../state/directory';
import type { ValueKind } from '../../state/persistent-values';
import { START, textOf, WAIT } from '../runtime/world';
import { cleanUp, newPath, open, rejectNextWrite, reopen, revisions } from '../state/world';
import { contextOf } from './service-context';

afterEach(cleanUp);

async function queuesIn(directory: StateDirectory): Promise<Queues> {
  const service = await SQS.open(contextOf({ directory }));
  await service.restore?.();
  return service.queues;
}

function emptyCatalogue(changed: () => void = () => undefined) {
  const environment = { partition: 'aws', region: 'us-east-1', account: '111111111111' };
  return {
    machines: new MachineRegistry(new Map(), environment, changed),
    activities: new Activities(changed),
  };
}

describe('queues in a state directory', () => {
  test('messages that were sent, received and deleted: as they were, in their order', async () => {
    const path = newPath();
    const queues = await queuesIn(await open(path));
    queues.create('q', { visibilityTimeoutSeconds: 7 });
    queues.create('p');
    for (let n = 1; n <= 12; n += 1) queues.send('q', `m${n}`, { delaySeconds: n === 3 ? 60 : 0 });
    queues.send('p', 'other');
    const [first, second] = queues.receive('q', { max: 2 }) ?? [];
    queues.delete('q', first?.receiptHandle ?? '');
    queues.changeVisibility('q', second?.receiptHandle ?? '', 100);
    await queues.written();
    const before = { q: queues.peek('q'), p: queues.peek('p') };

    const again = await queuesIn(await reopen(path));

    expect({ q: again.peek('q'), p: again.peek('p') }).toEqual(before);
    expect(again.attributesOf('q')).toEqual({ visibilityTimeoutSeconds: 7 });
    again.send('q', 'last');
    await again.written();
    const third = await queuesIn(await reopen(path));
    expect(third.peek('q')?.map(({ body }) => body)).toEqual([
      ...(before.q ?? []).map(({ body }) => body),
      'last',
    ]);
  });

  test('a queue that was deleted, also while a message was sent: not there', async () => {
    const path = newPath();
    const queues = await queuesIn(await open(path));
    queues.create('q');
    queues.send('q', 'first');
    await queues.written();
    const sending = queues.sendDurably('q', 'second');
    queues.deleteQueue('q');

    expect(await sending).toBeUndefined();
    await queues.written();
    expect((await queuesIn(await reopen(path))).list()).toEqual([]);
    const again = await queuesIn(await reopen(path));
    again.create('q', { tags: { a: 'x' } });
    await again.written();
    const third = await queuesIn(await reopen(path));
    expect([third.peek('q'), third.attributesOf('q')]).toEqual([[], { tags: { a: 'x' } }]);
  });

  test('a message of a queue that was deleted while the process was killed: gone, also for a later queue', async () => {
    const path = newPath();
    const first = await open(path);
    const queues = await queuesIn(first);
    queues.create('q');
    queues.create('p');
    queues.send('q', 'sent durably');
    queues.send('p', 'other');
    await queues.written();
    await first.write([{ kind: 'queue', key: 'q', value: undefined }]);

    const again = await queuesIn(await reopen(path));

    expect(again.list().map(({ name }) => name)).toEqual(['p']);
    expect(again.peek('p')).toMatchObject([{ body: 'other' }]);
    again.create('q');
    await again.written();
    expect((await queuesIn(await reopen(path))).peek('q')).toEqual([]);
  });

  test('a queue that the disk rejects, with a message behind it: neither is there, or both', async () => {
    const path = newPath();
    const queues = await queuesIn(await open(path));
    rejectNextWrite();
    queues.create('q');
    queues.send('q', 'first');
    await expect(queues.written()).rejects.toThrow('no space left');

    expect((await queuesIn(await reopen(path))).list()).toEqual([]);
    const again = await queuesIn(await reopen(path));
    again.create('q');
    rejectNextWrite();
    again.send('q', 'second');
    await expect(again.written()).rejects.toThrow('no space left');
    await again.written();
    expect((await queuesIn(await reopen(path))).peek('q')).toMatchObject([{ body: 'second' }]);
  });

  test('a message to be sent durably that the disk rejects: nowhere, and the next one is there alone', async () => {
    const path = newPath();
    const queues = await queuesIn(await open(path));
    queues.create('q');
    rejectNextWrite();
    await expect(queues.sendDurably('q', 'rejected')).rejects.toThrow('cannot be written: no space left');
    expect(queues.peek('q')).toEqual([]);

    await queues.sendDurably('q', 'taken');

    expect(queues.peek('q')).toMatchObject([{ body: 'taken' }]);
    expect((await queuesIn(await reopen(path))).peek('q')).toMatchObject([{ body: 'taken' }]);
  });

  test('a queue that was purged: empty', async () => {
    const path = newPath();
    const queues = await queuesIn(await open(path));
    queues.create('q');
    for (const body of ['a', 'b']) queues.send('q', body);
    queues.purge('q');
    await queues.written();

    expect((await queuesIn(await reopen(path))).peek('q')).toEqual([]);
  });

  test.each<[string, ValueKind, string, object, string]>([
    ['a message without a body', 'message', 'q!000000000001', {}, 'message "q!000000000001" is not what'],
    ['a queue of another name', 'queue', 'q', { queue: 'p', attributes: {} }, 'queue "q" is not what'],
  ])('%s: named', async (_case, kind, key, value, words) => {
    const directory = await open(newPath());
    const queue = { queue: 'q', attributes: {}, times: {} };
    await directory.write([{ kind: 'queue', key: 'q', value: queue }]);
    await directory.write([{ kind, key, value }]);

    await expect(queuesIn(directory)).rejects.toMatchObject({
      name: 'DamagedState',
      message: expect.stringContaining(words),
    });
  });
});

describe('a catalogue in a state directory', () => {
  test('machines and activities that were added, changed and deleted: as they were, in their order', async () => {
    const path = newPath();
    const saved = savedCatalogue(await open(path));
    const catalogue = emptyCatalogue(() => saved.changed(catalogue));
    for (const name of ['b', 'a', 'c']) catalogue.machines.register(textOf({ W: WAIT }), { name }, START);
    const [first] = catalogue.machines.items();
    if (first) catalogue.machines.put({ ...first, tags: [{ key: 'k', value: 'v' }] });
    catalogue.machines.delete(catalogue.machines.list()[2]?.arn ?? '');
    catalogue.activities.put({ arn: 'arn:x', name: 'x', creationDate: 1, tags: [] });
    await saved.written();

    const again = emptyCatalogue();
    await savedCatalogue(await reopen(path)).load(again, revisions());

    expect(again.machines.items()).toEqual(catalogue.machines.items());
    expect(again.activities.list()).toEqual(catalogue.activities.list());
  });

  test.each<[ValueKind, object]>([
    ['stateMachine', {}],
    ['stateMachine', { number: 1, value: { machine: {}, versions: [] } }],
    ['activity', { number: 1, value: 5 }],
  ])('%s %j: named', async (kind, value) => {
    const directory = await open(newPath());
    await directory.write([{ kind, key: 'k', value }]);

    await expect(savedCatalogue(directory).load(emptyCatalogue(), revisions())).rejects.toThrow(
      `${kind} "k" is not what was written`,
    );
  });
});
