import type { Variables } from '../../language/index';
import type { MappingJob } from '../../vtl/mapping';

/** An evaluation that is made elsewhere: all that it depends on, in a form that can be sent. */
export interface EvaluationJob extends Variables {
  readonly source: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Determines what `$random()`, `$shuffle()` and `$uuid()` draw. */
  readonly seed: string;
}

/** What a thread evaluates: an expression, or a mapping template. */
export type ThreadJob = EvaluationJob | MappingJob;
