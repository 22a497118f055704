import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stopping } from '../support/faults';
import { GRACE_MS } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const PAGE = readFileSync(path.join(__dirname, '../../docs/guide/latency.md'), 'utf8');
const STEP = 'lambda:invoke from Business step';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** The row of the page's table, as the numbers of calls that it says. */
function rowOf(delivery: string): (number | string)[] {
  const row = PAGE.split('\n').find(line => line.startsWith(`| ${delivery} |`)) ?? '';
  return row
    .split(' | ')
    .slice(1, 3)
    .map(cell => (cell === 'none' ? cell : Number(cell)));
}

/** The calls of the state machines for what is done: those before the step, and all but the step's own. */
async function callsOf(delivered: () => Promise<unknown>): Promise<(number | string)[]> {
  const before = world.calls.length;
  await delivered();
  const calls = world.calls.slice(before);
  const step = calls.indexOf(STEP);
  return [step < 0 ? 'none' : step, calls.filter(call => call !== STEP).length];
}

describe('the calls of a delivery in docs/guide/latency.md', () => {
  test('from an event bus: fresh, and its duplicate', async () => {
    expect(await callsOf(() => world.publish(ORDER))).toEqual(rowOf('from an event bus: fresh'));
    expect(await callsOf(() => world.publish(ORDER))).toEqual(rowOf('its duplicate, by its name'));
  });

  test('started directly: fresh, and its duplicate', async () => {
    expect(await callsOf(() => world.delivered(ORDER))).toEqual(rowOf('started directly: fresh'));
    expect(await callsOf(() => world.delivered(ORDER))).toEqual(rowOf('its duplicate, by the record'));
  });

  test('started directly while the step runs', async () => {
    let duplicate: (number | string)[] = [];
    world.step = async () => {
      duplicate = await callsOf(async () => {
        await world.deliver(ORDER);
        await world.pause(1000);
      });
      return returns('paid');
    };
    await world.delivered(ORDER);

    expect(duplicate).toEqual(rowOf('its duplicate, while the step runs'));
  });

  test('a step that has failed, taken over', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    world.step = () => returns('paid');

    expect(await callsOf(() => world.delivered(ORDER))).toEqual(
      rowOf('a takeover, of a step that has failed'),
    );
  });

  test('a dead owner, redriven: until it goes on, and its own calls', async () => {
    world.faults = stopping(world, 'Business step', 'before');
    await world.delivered(ORDER);
    await world.pass(GRACE_MS);

    expect(await callsOf(() => world.delivered(ORDER))).toEqual(rowOf('a redrive, of an owner that is dead'));
  });
});
