import { all, any, type Condition, eq, exists, holds, isIn, known, negated } from './condition';
import { OTHERWISE, type Row, type Rule, rulesOf } from './judgement';

// The rules by which recovery begins: whether it must recover an ended execution at all, and the facts about it.

const DETAIL = '$states.input.detail';

/** The facts of the execution, as the input of recovery has them. */
export const STATUS_TOLD = known('statusTold', `${DETAIL}.status`);
export const ERROR_TOLD = known('errorTold', `${DETAIL}.error`);
export const HAS_INPUT = holds('hasInput', `$type(${DETAIL}.input) = 'string'`);
/** True if Step Functions was asked about the execution. */
export const IS_INPUT_ASKED = holds('isInputAsked', '$exists($states.input.isAsked)');

/** What recovery does with what it was started with. */
export type BeginVerdict =
  | 'recoverTheFirst'
  | 'nothingLeft'
  /** It is an execution of recovery, which was interrupted: it goes on in its place. */
  | 'replace'
  /** As the judge of the machine decides, for an execution that failed by a certain error. */
  | 'special'
  | 'decide'
  | 'giveUpUnreadable'
  | 'readInput';

/** What distinguishes the beginnings of recoveries. */
export interface BeginVariant {
  /** The errors of executions that need no recovery. */
  readonly nothingToRecover: readonly string[];
  /** True if a failed execution is recovered only when its error is known. */
  readonly needsError: boolean;
  /** A rule of the machine's own, before its input decides; undefined: none. */
  readonly special: { readonly name: string; readonly when: Condition } | undefined;
}

const BEGIN_ROWS: readonly Row<BeginVerdict, BeginVariant>[] = [
  {
    name: 'Several that a search has found',
    when: holds('hasSeveral', '$count($states.input.executions) > 0'),
    verdict: 'recoverTheFirst',
  },
  {
    name: 'All of them have a recovery',
    when: holds('isList', '$exists($states.input.executions)'),
    verdict: 'nothingLeft',
  },
  {
    name: 'It has not failed',
    when: all(exists(STATUS_TOLD), negated(isIn(STATUS_TOLD, ['FAILED', 'TIMED_OUT', 'ABORTED']))),
    verdict: 'nothingLeft',
  },
  {
    name: 'Answered, rejected, or stopped for good',
    when: ({ nothingToRecover }) => isIn(ERROR_TOLD, nothingToRecover),
    verdict: 'nothingLeft',
  },
  {
    name: 'A recovery that was interrupted',
    when: all(
      holds('isOfRecovery', `${DETAIL}.stateMachineArn = $states.context.StateMachine.Id`),
      HAS_INPUT,
    ),
    verdict: 'replace',
  },
];

const BEGIN_ENDS: readonly Row<BeginVerdict, BeginVariant>[] = [
  {
    name: 'Its input is known',
    in: v => v.needsError,
    when: all(HAS_INPUT, any(negated(eq(STATUS_TOLD, 'FAILED')), exists(ERROR_TOLD), IS_INPUT_ASKED)),
    verdict: 'decide',
  },
  { name: 'Its input is known', when: HAS_INPUT, verdict: 'decide' },
  { name: 'Its input cannot be read', when: IS_INPUT_ASKED, verdict: 'giveUpUnreadable' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'readInput' },
];

/** The rules by which recovery begins; the last one always holds. */
export function beginRules(variant: BeginVariant): readonly Rule<BeginVerdict>[] {
  const { special } = variant;
  const ownRule = special && { ...special, when: all(HAS_INPUT, special.when), verdict: 'special' as const };
  return [...rulesOf(BEGIN_ROWS, variant), ...(ownRule ? [ownRule] : []), ...rulesOf(BEGIN_ENDS, variant)];
}
