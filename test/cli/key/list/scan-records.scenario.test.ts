import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { routeFor } from '../../../../cli/console/server/routes';
import { scanRecords } from '../../../../cli/key/list/scan-records';
import { ALL_TIME } from '../../../../cli/time-range';
import { type CliWorld, openCliWorld, wideConnectionTo } from '../../world';

/** As many keys as three workflows had in one night. */
const KEYS = 3_006;
const BATCH = 25;

describe('a table of 3,006 keys, by counts', () => {
  let c: CliWorld;
  beforeAll(async () => {
    c = await openCliWorld();
    const owner = `${c.workflow.stateMachineArn.replace(':stateMachine:', ':execution:')}:x`;
    const at = new Date(c.world.clock.now()).toISOString();
    const items = Array.from({ length: KEYS }, (_, index) => ({
      [c.workflow.schema.partitionKey]: { S: `ChargePayment#order-${index}` },
      status: { S: 'COMPLETED' },
      owner: { S: owner },
      claimId: { S: 'a' },
      attempt: { N: '1' },
      claimedAt: { S: at },
      finishedAt: { S: at },
      result: { S: '1' },
      expiry: { N: '9999999999' },
    }));
    for (let from = 0; from < KEYS; from += BATCH) {
      const puts = items.slice(from, from + BATCH).map(Item => ({ PutRequest: { Item } }));
      await c.aws.dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [c.workflow.table]: puts } }));
    }
  }, 120_000);
  afterAll(() => c.close());

  test('the first rows are there after 250 items, the others in pages of 1,000; each item is read once', async () => {
    const wanted = {
      statuses: ['COMPLETED'],
      range: ALL_TIME,
      limit: 20_000,
      readMax: 20_000,
      error: undefined,
    };
    const parts: (readonly [read: number, rows: number])[] = [];

    const { read, isWhole } = await scanRecords(c.context, wanted, (items, found) =>
      parts.push([items, found.length]),
    );

    expect(parts).toEqual([
      [250, 250],
      [1_250, 1_250],
      [2_250, 2_250],
      [KEYS, KEYS],
    ]);
    expect([read, isWhole]).toEqual([KEYS, true]);
  });

  test('a key is found without reading the table: its record alone', async () => {
    const sent: string[] = [];
    c.aws.dynamodb.middlewareStack.add(
      (next, { commandName }) =>
        args => {
          sent.push(commandName ?? '?');
          return next(args);
        },
      { step: 'initialize' },
    );
    const place = wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined });

    const view = await routeFor('/keys/order-3000')?.read(place, () => undefined, undefined);

    expect(view).toMatchObject({ key: 'order-3000', health: 'completed' });
    expect(new Set(sent)).toEqual(new Set(['GetItemCommand']));
    expect(sent.length).toBeLessThanOrEqual(8);
  });
});
