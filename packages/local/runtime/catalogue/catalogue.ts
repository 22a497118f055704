import type { Ids } from '../ids';
import type { Clock } from '../time/clock';
import type { Activities } from './activities';
import type { MachineRegistry } from './machine-registry';

/** What the operations on machines, versions, aliases, tags and activities work on. */
export interface Catalogue {
  readonly machines: MachineRegistry;
  readonly activities: Activities;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The ARNs of the log groups that machines may log to. @default - any */
  readonly logGroups?: ReadonlySet<string>;
}
