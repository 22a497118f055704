import type { ActionItem, ActionOutcome } from '@onceflow/console';
import { act } from '../../../cli/console/actions/act';
import { readExecution } from '../../../cli/console/views/read-execution';
import { readKey } from '../../../cli/console/views/read-key';
import { readKeys } from '../../../cli/console/views/read-keys';
import { Key } from '../../../infra/index';
import { GRACE_MS } from '../../support/variant';
import { fails } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';

describe('what a person may do on the page', () => {
  let c: CliWorld;
  afterEach(() => c.close());
  const connection = () =>
    wideConnectionTo(c.aws, { where: 'here', isLocal: true, mayWrite: true, stack: undefined });
  const read = (key = 'order-7') => readKey(connection(), c.workflow.name, key);
  const found = (actions: readonly ActionItem[], title: string): ActionItem => {
    const item = actions.find(one => one.title === title);
    if (item === undefined) throw new Error(`no ${title} among ${actions.map(one => one.title).join(', ')}`);
    return item;
  };
  const done = (item: ActionItem, values = {}, once = 'once'): Promise<ActionOutcome> =>
    act(connection(), { request: item.request, values, once });
  const ready = (actions: readonly ActionItem[]) =>
    actions.filter(({ rejection }) => rejection === null).map(({ title }) => title);

  test('an owner that runs: stopped; then nothing until its step has ended, then redriven', async () => {
    c = await openCliWorld();
    const { step } = c.world;
    c.world.step = async () => c.world.never();
    const executionArn = await c.world.deliver(ORDER);
    await c.world.pass(1000);
    const ofExecution = (await readExecution(c.aws, executionArn)).actions;
    expect(ready(ofExecution)).toEqual(['Stop the execution', 'Stop the execution for good']);
    const { actions } = await read();
    expect(ready(actions)).toEqual(['Stop the owner', 'Stop the owner for good', 'Deliver again']);
    expect(found(actions, 'Redrive the execution').rejection).toMatch(/is RUNNING, so it needs no redrive$/);

    expect((await done(found(actions, 'Stop the owner'))).kind).toBe('done');
    expect(await done(found(actions, 'Stop the owner'))).toEqual({
      kind: 'rejected',
      text: expect.stringMatching(/is not running: it is ABORTED, so there is nothing to stop$/),
    });
    c.world.step = step;
    expect(ready((await read()).actions)).toEqual(['Deliver again']);
    await c.world.pass(GRACE_MS);
    const dead = await read();
    expect(ready(dead.actions)).toEqual([
      'Redrive the execution',
      'Release the key, by force',
      'Release the key, and forget it, by force',
      'Deliver again',
    ]);
    const redrive = found(dead.actions, 'Redrive the execution');
    expect(redrive.dangers).toEqual(['it stopped within its step: the step runs again']);

    expect((await done(redrive)).text).toMatch(/resumes where it stopped/);
    await c.world.pass(1000);
    expect(ready((await read()).actions)).toEqual(['Deliver again']);
    expect(await done(redrive)).toEqual({
      kind: 'rejected',
      text: expect.stringMatching(/the record is COMPLETED, so .* has nothing to finish$/),
    });
  });

  test('released by force: marked, after the record was reserved; what was shown before is not done any more', async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    const { actions } = await read();
    const release = found(actions, 'Release the key, by force');
    expect(release.writes[0]).toMatch(/^reserves the record first/);
    expect(release.writes[1]).toMatch(/^marks the record as released: .* as attempt 2$/);

    expect((await done(release)).text).toMatch(/is released: the next delivery runs the step as attempt 2/);
    expect((await read()).record).toMatchObject({ status: 'RELEASED', attempt: 1 });
    expect(await done(found(actions, 'Release the key, and forget it, by force'))).toEqual({
      kind: 'rejected',
      text: 'nothing was released: the record has changed in the meantime; see `onceflow show`',
    });
    expect(await done(found(actions, 'Redrive the execution'))).toMatchObject({ kind: 'rejected' });
  });

  test('delivered again: one execution for one decision, however often it is sent', async () => {
    c = await openCliWorld();
    const { step } = c.world;
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    c.world.step = step;
    const again = found((await read()).actions, 'Deliver again');
    expect(again.writes[2]).toMatch(/delivery: it takes over, and runs the step as attempt 2$/);

    expect((await done(again)).text).toMatch(/^started order-7-[0-9a-f]{16}$/);
    await c.world.pass(1000);
    expect((await done(again)).text).toMatch(/^order-7-[0-9a-f]{16} had already been started$/);
    await c.world.pass(1000);
    expect(c.world.runs).toHaveLength(2);
    const { executions, record } = await read();
    expect([executions.length, record?.['status']]).toEqual([2, 'COMPLETED']);
    expect((await done(again, {}, 'another')).text).toMatch(/^started /);
    await c.world.pass(1000);
    expect(c.world.runs).toHaveLength(2);
  });

  test('started with an input: the step runs; without the key in it, nothing is started', async () => {
    c = await openCliWorld();
    const { actions } = await readKeys(connection(), c.workflow.name);
    const start = found(actions, 'Start');
    const input = start.fields.find(({ name }) => name === 'input')?.value ?? '';
    expect(JSON.parse(input)).toEqual({ detail: { orderId: '' } });

    const given = { key: 'order-7', form: 'text', input: JSON.stringify({ detail: ORDER }) };
    expect((await done(start, given)).text).toBe('order-7 is started');
    await c.world.pass(1000);
    expect((await read()).record).toMatchObject({ status: 'COMPLETED' });
    expect(ready((await readExecution(c.aws, (await read()).owner ?? '')).actions)).toEqual([]);
    for (const [values, sentence] of [
      [{ ...given, input }, /^nothing was started, because the input has no usable key where/],
      [{ ...given, input: '{' }, /^the input is not a valid JSON document/],
      [
        { ...given, key: 'order-8' },
        /^nothing was started, because the input belongs to order-7, not to order-8/,
      ],
      [{ ...given, key: 'order-8' }, /orderId\. Enter order-7 as a text, or the input of order-8$/],
      [{ ...given, form: 'number' }, /^the key "order-7" is not a whole number/],
      [{ ...given, form: 'json' }, /^the key is not JSON/],
      [{ ...given, key: '' }, /^a key must be a non-empty text/],
    ] as const) {
      const { kind, text } = await done(start, values);
      expect([kind, text]).toEqual(['rejected', expect.stringMatching(sentence)]);
    }
    expect(c.world.runs).toHaveLength(1);
  });

  test('started with an unknown key of the input: rejected, in the words of the form', async () => {
    c = await openCliWorld({
      name: 'key by a function of the service',
      workflow: {
        idempotencyKey: Key.unchecked('{% $range(1, $states.input.detail.lines, 1) %}', { reason: 'a test' }),
      },
    });
    const start = found((await readKeys(connection(), c.workflow.name)).actions, 'Start');

    const { kind, text } = await done(start, { key: 'order-7', form: 'text', input: '{}' });

    expect(kind).toBe('rejected');
    expect(text).toMatch(
      /^nothing was started, because onceflow cannot compute the key of the input for \S+: onceflow cannot read the expression /,
    );
    expect(text).not.toMatch(/--input|KEY/);
  });

  test('an execution of another state machine: not delivered as one of this', async () => {
    c = await openCliWorld();
    await c.world.delivered(ORDER);
    const { request } = found((await read()).actions, 'Deliver again');
    const executionArn = 'arn:aws:states:us-east-1:111111111111:execution:Other:order-7';

    expect(
      await act(connection(), {
        request: { ...request, executionArn } as typeof request,
        values: {},
        once: 'a',
      }),
    ).toEqual({ kind: 'rejected', text: `${executionArn} is not an execution of ${c.workflow.name}` });
  });
});
