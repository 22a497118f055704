import type { Interceptor } from '@onceflow/local';
import { fails, type World } from './world';

/** Every call is made, and its answer arrives. */
export const noFault: Interceptor = (_call, next) => next();

/** What happens to the calls of one state; those of the others are made. */
export function at(stateName: string, happens: Interceptor): Interceptor {
  return (call, next) => (call.stateName === stateName ? happens(call, next) : next());
}

/** What happens to the first call of a state; all the others are made. */
export function atFirst(stateName: string, happens: Interceptor): Interceptor {
  let isOver = false;
  return at(stateName, (call, next) => {
    if (isOver) return next();
    isOver = true;
    return happens(call, next);
  });
}

/** The calls of a state fail without being made: so many, or all of them. */
export function failing(stateName: string, error: string, times = Number.POSITIVE_INFINITY): Interceptor {
  let left = times;
  return at(stateName, async (_call, next) => {
    if (left === 0) return next();
    left -= 1;
    return fails(error, 'injected');
  });
}

/** The first call of a state is made, and its answer lost: a failure arrives instead. */
export function loseFirstAnswer(stateName: string, error = 'DynamoDB.SdkClientException'): Interceptor {
  return atFirst(stateName, async (_call, next) => {
    await next();
    return fails(error, 'Unable to execute HTTP request: Connection reset');
  });
}

/** The execution is stopped at the first call of a state: before the call is made, or when it has been answered. */
export function stopping(world: World, stateName: string, when: 'before' | 'after'): Interceptor {
  return atFirst(stateName, async (call, next) => {
    if (when === 'after') await next();
    void world.stop(call.executionArn);
    return world.never();
  });
}
