import type { SucceedState } from '../../asl/definition';
import type { Soon } from '../../jsonata/soon';
import type { Completion } from '../completion';
import type { Thread } from '../execution';
import type { Turn } from '../turn';
import { leaveByFlow } from './leaving';

// States Language, "Succeed State".

/** Ends the scope with the input or `Output`. */
export function enterSucceed(turn: Turn, state: SucceedState, thread: Thread): Soon<Completion> {
  return leaveByFlow(turn, thread, { flow: state, prefix: '', fallback: thread.input }, undefined);
}
