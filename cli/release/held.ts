import { STATUS } from '../../state-machine/contract/index';
import type { SeenRecord } from '../key/record';

/** The status that holds a record while it is being released: to the workflow an owner that nobody asks about. */
export const HELD = 'RELEASING';

/** Whether the step's end is not in the record: an execution owns it, or a release holds it. */
export function isUnfinished({ status }: SeenRecord): boolean {
  return status === STATUS.inProgress || status === HELD;
}
