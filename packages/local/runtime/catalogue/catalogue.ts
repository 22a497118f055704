import type { Clock } from '../clock';
import type { Ids } from '../ids';
import type { Machines } from '../machines';
import type { Activities } from './activities';

/** What the operations on machines, versions, aliases, tags and activities work on. */
export interface Catalogue {
  readonly machines: Machines;
  readonly activities: Activities;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The ARNs of the log groups that machines may log to. @default - any */
  readonly logGroups?: ReadonlySet<string>;
}
