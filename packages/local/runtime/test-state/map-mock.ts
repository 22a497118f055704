import type { MapState } from '../../asl/definition';
import { failByOwnField, failWithChild, succeedWith } from '../../engine/children';
import type { Completion, Failure } from '../../engine/completion';
import type { Thread } from '../../engine/execution';
import { effectiveInput } from '../../engine/paths';
import { evaluatePlan, type MapNumbers } from '../../engine/states/map-plan';
import type { Turn } from '../../engine/turn';
import { StatesError } from '../errors';
import type { Inspection } from './inspection';
import type { Mock } from './mock';

/** What is said of the iterations of a Map besides their result. */
export interface MapConfiguration {
  /** Iterations that have failed. @default 0 */
  readonly failures?: number;
}

/** A Map that is tested, about to begin. */
interface TestedMap {
  readonly turn: Turn;
  readonly state: MapState;
  readonly thread: Thread;
  readonly inspection: Inspection;
}

/**
 * Evaluates what a Map evaluates before its first iteration and completes it with the mock.
 *
 * @throws StatesError `ValidationException` for more failures than there are iterations
 */
export function completeMap(
  { turn, state, thread, inspection }: TestedMap,
  mock: Mock,
  { failures = 0 }: MapConfiguration,
): Completion {
  const input = state.paths && effectiveInput(turn, thread, state.paths);
  if (input?.kind === 'failed') return failByOwnField(turn, state, thread, input);
  if (input) inspection.inspect('afterInputPath', input.value);
  const plan = evaluatePlan(turn, state, thread);
  if (plan.kind === 'failed') return failByOwnField(turn, state, thread, plan);
  inspection.counted({ ...plan, maxConcurrency: plan.maxConcurrency ?? 0 });
  const iterations = plan.items.length;
  if (failures > iterations) {
    const message = 'Map iteration failure count must be less than or equal to the number of Map iterations';
    throw new StatesError('ValidationException', message);
  }
  if (mock.kind === 'failed') return failWithChild(turn, state, thread, mock);
  if (isExceeded(plan, failures, iterations)) return failWithChild(turn, state, thread, EXCEEDED);
  return succeedWith(turn, state, thread, mock.result);
}

/** As recorded: a Map that says nothing of failures takes the mock for its result, however many have failed. */
function isExceeded(
  { toleratedFailureCount: count, toleratedFailurePercentage: percentage }: MapNumbers,
  failures: number,
  iterations: number,
): boolean {
  if (count !== undefined && failures > count) return true;
  return percentage !== undefined && failures * 100 > percentage * iterations;
}

const EXCEEDED: Failure = {
  kind: 'failed',
  error: 'States.ExceedToleratedFailureThreshold',
  cause: 'The specified tolerated failure threshold was exceeded',
};
