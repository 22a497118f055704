import { Faults } from '../../../cli/dev/faults';
import type { LocalStackPort } from '../../../cli/dev/local-stack';
import { Recent } from '../../../cli/dev/recent';
import { portOf } from '../../../cli/dev/stack-port';
import type { CliWorld } from '../world';

/** What a page in the process of a world's stack has: its faults and its deliveries are those of the world. */
export function portOfWorld({ world }: CliWorld): { readonly port: LocalStackPort; readonly recent: Recent } {
  const recent = new Recent(() => world.stack.now());
  const faults = new Faults({ lose: () => world.never() }, () => world.stack);
  world.faults = faults.interceptor;
  world.deliveries = recent.deliveryInterceptor;
  return { port: portOf(world.stack, recent, faults), recent };
}
