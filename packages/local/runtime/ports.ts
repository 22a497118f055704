import type { Activity } from './activity';
import type { Answering } from './answer';
import type { Clock } from './clock';
import type { Evaluator } from './evaluation/evaluator';
import type { Ids } from './ids';
import type { Store } from './store';

/** What an executor works with. */
export interface Ports extends Answering {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly evaluator: Evaluator;
  readonly store: Store;
  readonly activity: Activity;
  /** Called with each execution that goes on by a redrive, after that has been saved. */
  readonly redriven?: (executionArn: string) => void;
  /** Called with each execution that has ended, after that has been saved. */
  readonly ended: (executionArn: string) => void;
}
