import { openServices } from '../../services';
import type { LocalService, Persistence } from '../../services/local-service';
import { SQS } from '../../services/sqs/service';
import { STATES } from '../../services/states/service';
import { contextOf } from './service-context';

async function persistenceOf(service: LocalService | Promise<LocalService>): Promise<Persistence> {
  const { persistence } = await service;
  if (!persistence) throw new Error('nothing of it outlives the process');
  return persistence;
}

const definitions = { catalogue: STATES, queues: SQS };

describe('what a service has persisted', () => {
  test.each([
    ['catalogue', '{}', 'does not hold state machines and activities'],
    ['catalogue', '[]', 'does not hold state machines and activities'],
    ['catalogue', 'null', 'does not hold state machines and activities'],
    ['catalogue', '{"machines":[{}],"activities":[]}', 'does not hold state machines'],
    ['catalogue', '{"machines":[],"activities":[5]}', 'does not hold state machines'],
    ['queues', '{}', 'does not hold queues'],
    ['queues', '[{"name":"q"}]', 'does not hold queues'],
  ] as const)('%s is %s: named by its file', async (name, content, words) => {
    const { restore } = await persistenceOf(definitions[name].open(contextOf()));

    await expect((async () => restore(JSON.parse(content), '/state/file.json'))()).rejects.toMatchObject({
      name: 'DamagedState',
      message: expect.stringContaining(`/state/file.json ${words}`),
    });
  });

  test('each change: saved before the operation answers', async () => {
    const saved: unknown[] = [];
    const { queues } = await SQS.open(
      contextOf({ persist: ({ snapshot }) => saved.push(structuredClone(snapshot())) }),
    );

    queues.create('q');
    queues.send('q', 'text');

    expect(saved).toMatchObject([[{ messages: [] }], [{ messages: [{ body: 'text' }] }]]);
  });

  test('names: each service its own', async () => {
    const opened: LocalService[] = [];
    await openServices(contextOf(), service => opened.push(service));
    const names = opened.flatMap(({ persistence }) => persistence?.name ?? []);
    for (const service of opened.toReversed()) await service.close();

    expect(names.toSorted()).toEqual(['catalogue', 'queues']);
  });
});
