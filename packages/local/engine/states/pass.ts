import type { PassState } from '../../asl/definition';
import type { Completion } from '../completion';
import type { Thread } from '../execution';
import type { Turn } from '../turn';
import { leaveByFlow } from './leaving';

// Pass State: https://states-language.net/spec.html#pass-state
//
// 1. Leave with `Assign` and `Output`; without an `Output` the output is the input.

/** Hands the input or `Output` on. */
export function enterPass(turn: Turn, state: PassState, thread: Thread): Completion {
  return leaveByFlow(turn, thread, { flow: state, prefix: '', fallback: thread.input }, state.next);
}
