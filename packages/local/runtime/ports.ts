import type { Activity } from './activity';
import type { Answering } from './answer';
import type { Clock } from './clock';
import type { Ids } from './ids';
import type { Store } from './store';

/** What the executor works with. */
export interface Ports extends Answering {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  readonly activity: Activity;
  /** Told of each execution that goes on by a redrive, after that is kept. */
  readonly redriven?: (executionArn: string) => void;
  /** Told of each execution that has ended, after it is kept. */
  readonly ended: (executionArn: string) => void;
}
