import { cost } from '../../cli/commands/cost';
import { list } from '../../cli/commands/list/list';
import { show } from '../../cli/commands/show';
import { Recovery } from '../../infra/index';
import { failing, noFault } from '../support/faults';
import { type CliWorld, KEY, ORDER, openCliWorld } from './world';

const DAY = { since: { ago: 86_400_000 } };
const TIME = /^2026-11-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Numbers that are a time in seconds or milliseconds, by their place; records have them as they are stored. */
function epochsIn(value: unknown, place = ''): string[] {
  if (typeof value === 'number') return value > 1e9 ? [place] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'record' || name === 'records' ? [] : epochsIn(member, `${place}.${name}`),
  );
}

describe('the times of --json', () => {
  let c: CliWorld;
  let stoppedAt: number;
  beforeAll(async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    c.world.faults = failing('Claim record', 'DynamoDB.AccessDeniedException');
    await c.world.delivered({ ...ORDER, orderId: 'unclaimed' });
    c.world.faults = noFault;
    await c.ownerStoppedInStep();
    stoppedAt = c.world.clock.now();
    await c.world.deliver({ ...ORDER, amount: 99 });
    await c.world.pass(5000);
  });
  afterAll(() => c.close());

  const documentOf = async ({ json }: { readonly json: object | string }) => {
    const document: unknown = JSON.parse(JSON.stringify(json));
    expect(epochsIn(document)).toEqual([]);
    return document;
  };
  const listed = async (by?: 'error' | 'hour') => {
    const all = { statuses: ['IN_PROGRESS'], range: DAY, limit: 100, readMax: 1000, error: undefined };
    const more = { isUnfinished: true, isRejected: true, isPriced: false };
    return documentOf(await list.run(c.context, { ...all, ...more, by }));
  };

  test('show: until when the step can run, when recovery decides, and what executions did', async () => {
    const at = expect.stringMatching(TIME);

    expect(await documentOf(await show.run(c.context, { key: KEY, range: DAY, limit: 100 }))).toMatchObject({
      record: { claimedAt: at },
      owner: { kind: 'mayStillWork', until: new Date(stoppedAt + 40_000).toISOString() },
      nextRecovery: { from: new Date(stoppedAt + 50_000).toISOString() },
      executions: [
        { startDate: at, stopDate: at, timeline: expect.arrayContaining([expect.objectContaining({ at })]) },
        {},
      ],
      searched: { since: at },
    });
  });

  test('list: the ends of executions', async () => {
    const end = expect.objectContaining({ stopDate: expect.stringMatching(TIME) });

    expect(await listed()).toMatchObject({ executions: expect.arrayContaining([end]), rejected: [end] });
  });

  test.each([
    ['error', 'Idempotency.PayloadMismatch'],
    ['hour', expect.stringMatching(/^2026-11-\d\dT\d\d:00Z$/)],
  ] as const)('list --by %s: the oldest and the newest', async (by, name) => {
    const at = expect.stringMatching(TIME);

    expect(await listed(by)).toMatchObject({ by, rows: [{ name, oldest: at, newest: at }] });
  });

  test.each([
    ['a workflow', undefined],
    ['a key', KEY],
  ])('cost of %s: since when', async (_, key) => {
    const since = new Date(c.world.clock.now() - DAY.since.ago).toISOString();

    expect(
      await documentOf(await cost.run(c.context, { key, range: DAY, sample: 10, openedMax: 10 })),
    ).toMatchObject({
      since,
    });
  });
});
