import type { JsonObject } from '../../../../packages/local/json/json';
import type { Call } from '../../../../proof/explore/world/local-state';
import { Pending } from '../../../../proof/explore/world/locals';
import {
  describe as describeExecution,
  redrive,
  staleDescriptions,
  start,
} from '../../../../proof/explore/world/step-functions';
import { firstWorld, Universe, type World, withExecution } from '../../../../proof/explore/world/world';
import { shippedSubject } from '../subject';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const INPUT = { detail: { orderId: 'order-7', amount: 12, currency: 'EUR' } };

let universe: Universe;
let running: World;
let stopped: World;

beforeAll(async () => {
  universe = new Universe(shippedSubject());
  running = await settled(() => start(universe, firstWorld(universe, 1, 0), startOf('order-7', INPUT)).world);
  const number = await settled(() => universe.workflow.signalled(0, { kind: 'stopped' }, running.now));
  stopped = withExecution(running, 0, number);
});

/** What the engine cannot say at once is asked again. */
async function settled<Of>(ask: () => Of): Promise<Of> {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof Pending)) throw error;
    await error.done;
    return settled(ask);
  }
}

function startOf(name: string, input: JsonObject): Call {
  return callOf('states:startExecution', { Name: name, Input: input });
}

function callOf(resource: string, given: JsonObject): Call {
  return { resource, arguments: given, stateName: 'Test' };
}

function arnOf(world: World, place = 0): string {
  return universe.workflow.get(world.executions[place] ?? -1).execution.arn;
}

function later(world: World, ms: number): World {
  return { ...world, now: world.now + ms };
}

describe('a start by name', () => {
  test.each<[title: string, world: () => World, input: JsonObject, started: number | string]>([
    ['running, same input: the same execution', () => running, INPUT, 1],
    [
      'running, other input: taken',
      () => running,
      { detail: {} },
      'StepFunctions.ExecutionAlreadyExistsException',
    ],
    ['ended, same input: taken', () => stopped, INPUT, 'StepFunctions.ExecutionAlreadyExistsException'],
    ['ended 90 days ago: free', () => later(stopped, 90 * DAY_MS), INPUT, 2],
    [
      'ended a moment less ago: taken',
      () => later(stopped, 90 * DAY_MS - 1),
      INPUT,
      'StepFunctions.ExecutionAlreadyExistsException',
    ],
  ])('%s', async (_title, world, input, started) => {
    const served = await settled(() => start(universe, world(), startOf('order-7', input)));

    const came = served.result.kind === 'failed' ? served.result.error : served.world.executions.length;
    expect(came).toBe(started);
  });
});

describe('a redrive', () => {
  const REFUSED = 'Sfn.ExecutionNotRedrivableException';

  test.each<[title: string, world: () => World, outcome: number | string]>([
    ['running: refused', () => running, REFUSED],
    ['stopped: goes on', () => stopped, 1],
    ['stopped 14 days ago: refused', () => later(stopped, 14 * DAY_MS), REFUSED],
  ])('%s', async (_title, world, outcome) => {
    const call = callOf('aws-sdk:sfn:redriveExecution', { ExecutionArn: arnOf(running), ClientToken: 'one' });

    const { result, world: after } = await settled(() => redrive(universe, world(), call));

    const count = universe.workflow.get(after.executions[0] ?? -1).execution.redriveCount;
    expect(result.kind === 'failed' ? result.error : count).toBe(outcome);
  });

  test('same token, stopped again: within a quarter of an hour nothing, then another redrive', async () => {
    const call = callOf('aws-sdk:sfn:redriveExecution', { ExecutionArn: arnOf(running), ClientToken: 'one' });
    const once = (await settled(() => redrive(universe, stopped, call))).world;
    const number = once.executions[0] ?? -1;
    const again = await settled(() => universe.workflow.signalled(number, { kind: 'stopped' }, once.now));
    const dead = withExecution(once, 0, again);
    const countAfter = async (ms: number) => {
      const { world } = await settled(() => redrive(universe, later(dead, ms), call));
      return universe.workflow.get(world.executions[0] ?? -1).execution.redriveCount;
    };

    expect([await countAfter(15 * MINUTE_MS - 1), await countAfter(15 * MINUTE_MS)]).toEqual([1, 2]);
  });
});

describe('a description', () => {
  test('stopped: when, and that it can be redriven; later that it cannot', () => {
    const call = callOf('aws-sdk:sfn:describeExecution', { ExecutionArn: arnOf(running) });

    expect(describeExecution(universe, stopped, call)).toMatchObject({
      output: {
        Status: 'ABORTED',
        StopDate: '2026-11-20T09:00:00.000Z',
        RedriveCount: 0,
        RedriveStatus: 'REDRIVABLE',
      },
    });
    expect(describeExecution(universe, later(stopped, 14 * DAY_MS), call)).toMatchObject({
      output: { RedriveStatus: 'NOT_REDRIVABLE' },
    });
  });

  test('ended 90 days ago: unknown, and cannot be redriven', async () => {
    const call = callOf('aws-sdk:sfn:describeExecution', { ExecutionArn: arnOf(running) });
    const forgotten = later(stopped, 90 * DAY_MS);
    const UNKNOWN = { error: 'Sfn.ExecutionDoesNotExistException' };

    expect(describeExecution(universe, later(stopped, 90 * DAY_MS - 1), call)).toHaveProperty('output');
    expect(describeExecution(universe, forgotten, call)).toMatchObject(UNKNOWN);
    expect((await settled(() => redrive(universe, forgotten, call))).result).toMatchObject(UNKNOWN);
  });

  test('nobody: unknown', () => {
    expect(describeExecution(universe, running, callOf('', { ExecutionArn: 'arn:nobody' }))).toMatchObject({
      error: 'Sfn.ExecutionDoesNotExistException',
    });
  });

  test.each<[title: string, world: () => World, stale: string[]]>([
    ['running: may be unknown yet', () => running, ['unknown']],
    ['stopped: may look running', () => stopped, ['running', 'unknown']],
    ['after 15 minutes: is what it is', () => later(stopped, 15 * MINUTE_MS), []],
  ])('stale, %s', (_title, world, stale) => {
    const call = callOf('aws-sdk:sfn:describeExecution', { ExecutionArn: arnOf(running) });

    expect(staleDescriptions(universe, world(), call).map(([how]) => how)).toEqual(stale);
  });
});
