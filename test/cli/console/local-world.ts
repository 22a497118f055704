import { createLocalStackAccess } from '../../../cli/dev/create-local-stack-access';
import { Faults } from '../../../cli/dev/faults';
import type { LocalStackAccess } from '../../../cli/dev/local-stack-access';
import { RecentActivity } from '../../../cli/dev/recent-activity';
import type { CliWorld } from '../world';

/** What a page in the process of a world's stack has: its faults and its deliveries are those of the world. */
export function accessOfWorld({ world }: CliWorld): {
  readonly access: LocalStackAccess;
  readonly recent: RecentActivity;
} {
  const recent = new RecentActivity(() => world.stack.now());
  const faults = new Faults({ lose: () => world.never() }, () => world.stack);
  world.faults = faults.interceptor;
  world.deliveries = recent.deliveryInterceptor;
  return { access: createLocalStackAccess(world.stack, recent, faults), recent };
}
