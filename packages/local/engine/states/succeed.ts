import type { SucceedState } from '../../language/index';
import type { Completion } from '../completion';
import type { Thread } from '../execution';
import type { Turn } from '../turn';
import { leaveByFlow } from './leaving';

// Succeed State: https://states-language.net/spec.html#succeed-state
//
// 1. Leave with `Output`; without one the output is the input. There is no next state: the scope ends.

/** Ends the scope with the input or `Output`. */
export function enterSucceed(turn: Turn, state: SucceedState, thread: Thread): Completion {
  return leaveByFlow(turn, thread, { flow: state, prefix: '' }, undefined);
}
