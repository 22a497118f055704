import { CfnOutput } from 'aws-cdk-lib';
import { cost } from '../../cli/commands/cost';
import { list } from '../../cli/commands/list/list';
import { readKeys } from '../../cli/console/views/read-keys';
import { readStoppedDeliveries } from '../../cli/key/stopped-deliveries';
import { PLAIN } from '../../cli/terminal';
import { ALL_TIME, DAY_MS } from '../../cli/time-range';
import { Source } from '../../infra/index';
import { FrontDoor } from '../../infra/nested/front-door';
import { BODY, inputOf, keyed } from '../support/http';
import { returns } from '../support/world';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from './world';

const LIST = {
  statuses: ['COMPLETED'],
  range: {},
  limit: 100,
  readMax: 1000,
  error: undefined,
  isUnfinished: false,
  isRejected: false,
  isPriced: false,
  by: undefined,
} as const;

describe('duplicates that started nothing', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
    c.world.step = () => returns('paid');
  });
  afterEach(() => c.close());

  const onAws = () => ({ ...c.context, aws: { ...c.aws, localEndpoint: undefined } });
  const listed = async (more: object = {}, context = c.context) =>
    list.run(context, { ...LIST, isOfDuplicates: true, ...more });

  test('of a key that has completed: each is counted, and the first delivery is not', async () => {
    for (let delivery = 0; delivery < 4; delivery += 1) await c.world.publish(ORDER);
    await c.world.publish({ ...ORDER, orderId: 'once' });

    const { text, json } = await listed();

    expect(text(PLAIN)).toMatch(
      /^key, by its name +duplicates +last +why, and the answer by HTTP\norder-7 +3 +2026-\S+ \S+Z +the key was completed\n\n3 duplicates of ChargePayment started nothing since /,
    );
    expect(json).toMatchObject({ duplicates: 3, keys: [{ name: 'order-7', count: 3 }] });
    expect((await listed({ isOfDuplicates: false })).text(PLAIN)).toContain(
      '; 3 duplicates started nothing: --duplicates; ',
    );
  });

  test('of a key whose execution is running: each except the one that started it', async () => {
    c.world.step = async () => {
      await c.world.pause(5_000);
      return returns('paid');
    };
    for (let delivery = 0; delivery < 3; delivery += 1) await c.world.send(ORDER);
    await c.world.settle();

    const stopped = await readStoppedDeliveries(c.context, ALL_TIME);

    expect(stopped).toHaveLength(2);
    expect(new Set(stopped?.map(({ answer }) => answer))).toEqual(
      new Set(['an execution of the key was running']),
    );
  });

  test('another payload, or a failed key, starts another execution: it is not among them', async () => {
    await c.world.publish(ORDER);
    await c.world.publish({ ...ORDER, amount: 99 });

    expect(await readStoppedDeliveries(c.context, ALL_TIME)).toEqual([]);
    expect((await listed()).text(PLAIN)).toMatch(/^0 duplicates of ChargePayment started nothing since /);
  });

  test('the story of the key, its cost, and the page have them', async () => {
    await c.world.publish(ORDER);
    await c.world.publish(ORDER);

    expect(await c.show()).toMatch(
      /\nDuplicates\n {2}2026-\S+ \S+ {2}started nothing: the key was completed\n/,
    );
    const of = { range: { since: { ago: DAY_MS } }, sample: 60, openedMax: 0 };
    const all = (await cost.run(c.context, { key: undefined, ...of })).text(PLAIN);
    expect(all).toMatch(/; 1 duplicate started nothing, for about \$0\.00000\d+ besides\n$/);
    const place = wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined });
    expect((await readKeys(place, undefined)).duplicates).toEqual({
      count: 1,
      last: [expect.objectContaining({ key: 'order-7', answer: 'the key was completed' })],
    });
  });

  test('on AWS: unknown, with the call that reads their number', async () => {
    const { text, json } = await listed({}, onAws());

    expect(text(PLAIN).replace(/\s+/g, ' ')).toMatch(
      /duplicates of ChargePayment are unknown here, because .*; their number, at least: aws cloudwatch get-metric-data --start-time \S+ --end-time \S+ --metric-data-queries '\[/,
    );
    const { duplicates } = json as { readonly duplicates: { readonly command: string } };
    const queries = JSON.parse(/'(.*)'$/.exec(duplicates.command)?.[1] ?? '');
    expect(queries.at(-1)).toEqual({ Id: 'stopped', Expression: 'FILL(taken0, 0) - FILL(started, 0)' });
    expect(queries[0].MetricStat.Metric.Dimensions[0].Value).toMatch(/Dispatcher/);
    expect((await listed({ isOfDuplicates: false }, onAws())).text(PLAIN)).not.toContain('duplicate');
  });
});

describe('requests by HTTP that started nothing', () => {
  test('replayed, in progress, with another payload: each with its status; a first request is none', async () => {
    const c = await openCliWorld({
      name: 'requests, and their duplicates',
      workflow: {
        idempotencyKey: '{% $states.input.idempotencyKey %}',
        payload: '{% $states.input.body %}',
      },
      source: Source.http('payments'),
      more: (stack, { node }) => {
        const frontDoor = node.findAll().find(one => one instanceof FrontDoor);
        new CfnOutput(stack, 'FrontDoorArn', { value: frontDoor?.stateMachine.stateMachineArn ?? '' });
      },
    });
    const stateMachineArn = c.world.stack.output('FrontDoorArn');
    const request = (key: string, body: object = BODY) =>
      c.world.stack.runtime.startExecution({
        stateMachineArn,
        input: JSON.stringify(inputOf(keyed(key, {}, body))),
      });
    c.world.step = async () => {
      await c.world.pause(4_000);
      return returns('paid');
    };
    await request('k-1');
    await c.world.pass(1_000);
    await request('k-1');
    await c.world.settle();
    await request('k-1');
    await request('k-1', { ...BODY, amount: 99 });
    await c.world.settle();

    const stopped = await readStoppedDeliveries(c.context, ALL_TIME);

    expect(stopped?.map(({ answer }) => answer).sort()).toEqual([
      'HTTP 200, replayed: the key was finished',
      'HTTP 409: the first request is at work',
      'HTTP 422: the key was used with another payload',
    ]);
    expect(new Set(stopped?.map(({ name }) => name)).size).toBe(1);
    await c.close();
  }, 60_000);
});
