import { type Guard, InUse, OtherPayload } from '../../guards/guard';
import type { Order } from '../world/play';
import { currentProcess } from '../world/process';
import { type QueueSettings, QueueSource } from '../world/queue-source';
import type { World } from '../world/world';
import type { Entrant } from './contender';

/** A function behind a queue, with this guard in it. */
export function behindQueue(world: World, guard: Guard<Order>, settings?: QueueSettings): Entrant {
  const step = businessStep(world);
  const source = new QueueSource(
    world,
    'orders',
    async order => {
      try {
        const { kind, result } = await guard(order, step);
        world.play.answered(order, kind, result);
      } catch (error) {
        // The message stays in the queue in any case.
        if (error instanceof InUse) world.play.answered(order, 'rejected');
        else if (error instanceof OtherPayload) world.play.answered(order, 'mismatch');
        else world.play.answered(order, 'failed', error instanceof Error ? error.name : String(error));
        throw error;
      }
    },
    settings,
  );
  return {
    deliver: order => source.send(order),
    reportedKeys: () => source.deadLetterKeys(),
    reset: () => source.reset(),
  };
}

/** The business step as a function runs it, with the faults of the schedule. */
function businessStep(world: World): (order: Order) => Promise<string> {
  return async order => {
    const { play, work, clock } = world;
    const process = currentProcess();
    if (process === undefined) throw new Error('a step outside of any invocation');
    world.bill.stepRuns += 1;
    if (play.takeFailure(order.key)) throw Object.assign(new Error('declined'), { name: 'CardDeclined' });
    const make = async () => play.effect(order);
    const result = await play.call<string>(order.key, {
      name: 'charge',
      isEffect: true,
      isTable: false,
      make,
      rejected: () =>
        Promise.reject(Object.assign(new Error('unreachable'), { name: 'ProviderUnreachable' })),
      answerLost: () => Promise.reject(Object.assign(new Error('timeout'), { name: 'ProviderTimeout' })),
      killed: () => process.end(work),
      frozen: how => process.frozen(work, clock, { ...how, make }),
    });
    return process.isDead ? work.lose() : result;
  };
}
