import { releaseKey } from '../../cli/actions/release';
import { readKey } from '../../cli/console/views/read-key';
import { Recovery } from '../../infra/index';
import { GRACE_MS } from '../support/variant';
import { returns } from '../support/world';
import { type CliWorld, keyOfText, ORDER, openCliWorld, wideConnectionTo } from './world';

const AT_MOST_ONCE = {
  name: 'at most once with recovery',
  workflow: { delivery: 'at-most-once', recovery: Recovery.automatic() },
} as const;

describe('the story of a key', () => {
  let c: CliWorld;
  afterEach(() => c.close());

  const view = () =>
    readKey(
      wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined }),
      c.workflow.name,
      'order-7',
    );
  /** Who did what, of the rows that no delivery did. */
  const acts = async () =>
    (await view()).story.flatMap(({ actor, kind }) => (actor === 'delivery' ? [] : [`${actor} ${kind}`]));

  test('recovery redrives the owner: the row says so, with the execution of recovery', async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    c.world.deliveries = async () => 'lost';
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    await c.world.delivered(ORDER);
    await c.world.settle();
    const { story, summary, versions } = await view();

    expect(await acts()).toEqual(['operator aborted', 'recovery redriven']);
    expect(story.find(({ kind }) => kind === 'redriven')?.reason).toMatch(/^[0-9a-f]{32}$/);
    expect(summary).toMatch(
      /^The step has run, and the key completed .* after its claim; it was interrupted, and resumed once;/,
    );
    expect(versions.map(({ status }) => status)).toEqual(['IN_PROGRESS', 'COMPLETED']);
  });

  test('an operator redrives the owner: the row says so, because no recovery was running', async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    c.world.deliveries = async () => 'lost';
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    await c.redrive();
    await c.world.settle();

    expect(await acts()).toEqual(['operator aborted', 'operator redriven']);
    expect((await view()).story.find(({ kind }) => kind === 'redriven')?.reason).toBe(
      'no recovery of it was running then',
    );
  });

  test('at most once: recovery holds the key, an operator releases it, and a delivery takes over; each is a version', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();
    await c.world.settle();
    await c.world.delivered(ORDER);
    const held = await view();
    await c.release();
    await c.world.delivered(ORDER);
    await c.world.settle();
    const { versions } = await view();

    expect(held.health).toBe('held');
    expect(held.bounds).toEqual([]);
    expect(held.summary).toBe(
      'Nothing runs until an operator decides: the step might have run; 1 delivery was rejected.',
    );
    expect(held.story.find(({ actor }) => actor === 'recovery')).toMatchObject({
      kind: 'held',
      text: 'held the key for review: the step might have run',
    });
    expect(versions.map(({ status }) => status)).toEqual([
      'IN_PROGRESS',
      'HELD',
      'RELEASED',
      'IN_PROGRESS',
      'COMPLETED',
    ]);
    expect(await acts()).toEqual(['operator aborted', 'recovery held', 'operator released']);
  });

  test('an operator completes a held key: the row says who and why, and the summary, too', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();
    await c.world.settle();
    await c.world.delivered(ORDER);
    const completion = { result: '{"charge":"c-1"}', reason: 'the provider has charged it', by: 'ana' };
    const wanted = {
      key: keyOfText('order-7'),
      isConfirmed: true,
      isForced: false,
      isDeleted: false,
      completion,
    };
    await releaseKey(c.context, wanted);
    const { story, summary, versions, result } = await view();

    expect(story.at(-1)).toMatchObject({
      actor: 'operator',
      kind: 'finalized',
      text: 'completed the key',
      reason: 'ana, because the provider has charged it',
    });
    expect(summary).toContain('The key was completed by ana, because the provider has charged it');
    expect(versions.map(({ status }) => status)).toEqual(['IN_PROGRESS', 'HELD', 'COMPLETED']);
    expect(result).toBe('{"charge":"c-1"}');
  });

  test('as Markdown: one row for each event, with its time, actor and reason; the event; no table is broken by a bar', async () => {
    c = await openCliWorld();
    c.world.step = () => returns({ charge: 'a|b' });
    await c.world.delivered({ ...ORDER, currency: 'E|R' });
    const { markdown, story, event } = await view();

    const rows = markdown.split('\n').filter(line => line.startsWith('| 20'));
    expect(rows).toHaveLength(story.length);
    for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
    expect(markdown).toContain(`\`\`\`json\n${event}\n\`\`\``);
    expect(markdown.split('\n')[0]).toMatch(/^# ChargePayment#order-7: [A-Z_]+$/);
  });
});
