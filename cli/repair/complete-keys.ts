import { ERROR } from '../../state-machine/contract/error-names';
import { executionNameIn } from '../arns';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { grouped } from '../grouped';
import { findExecutions } from '../key/find-executions';
import type { Key } from '../key/input/key';
import { inspectKey } from '../key/inspect';
import { judgeKey } from '../key/judge';
import { planRedrive } from '../key/operator/redrive-plan';
import { KeyWriter } from '../key/operator/write';
import { NoRecord } from '../key/read-record';
import { EXIT } from '../program/exit';
import { Rejection } from '../program/rejection';
import type { Style, Terminal } from '../terminal';
import { plural, printable } from '../text';
import { ALL_TIME } from '../time-range';
import { type EndedExecution, endedExecutionOf } from './ended-executions';
import { paced } from './paced';
import { type NotPlanned, type Planned, planRedelivery } from './redelivery-plan';
import { describePlanned, describeUnknown, inWords, summaryOf, tableOf } from './redelivery-words';
import { startAgain } from './start-again';

/** The clients and settings that complete keys. */
interface Context extends WorkflowAccess {
  readonly terminal: Terminal;
}

/** How many keys are completed, how fast, and whether to ask. */
export interface CompletionOptions {
  /** Keys at most. */
  readonly limit: number;
  readonly perSecond: number;
  readonly isConfirmed: boolean;
  /** True where only the plan is wanted. */
  readonly isDryRun: boolean;
}

/** Plans what is done about the keys of executions that ended. @throws Rejection where AWS does not answer */
export async function planAll(
  context: Context,
  ended: readonly EndedExecution[],
  isNamed: boolean,
): Promise<readonly (Planned | NotPlanned)[]> {
  const { workflow, terminal } = context;
  const known = ended.filter(({ recordKey }) => recordKey !== undefined);
  const byKey = grouped(known, ({ recordKey = '' }) => recordKey);
  let done = 0;
  return each([...byKey], async ([recordKey, executions]) => {
    const text = recordKey.slice(workflow.scope.length + 1);
    try {
      const judged = judgeKey(await inspectKey(context, { value: undefined, text, form: 'recorded' }));
      return { judged, executions, plan: planRedelivery(judged, executions, isNamed) };
    } catch (error) {
      if (error instanceof NoRecord) return { recordKey, executions };
      throw error;
    } finally {
      done += 1;
      terminal.progress(`reading records: ${done} of ${byKey.size}`);
    }
  });
}

/** A key to deliver again, and the execution that it was seen with, such as a delivery that was rejected. */
export interface NamedKey {
  readonly key: Key;
  readonly executionArn?: string | undefined;
}

/** So many executions are opened to find those of a key without a record. */
const OPENED_MAX = 200;

/**
 * Plans what is done about keys that an operator has named: whatever their executions ended with. Of a key without a
 * record its executions are looked for, unless one is given. An item that is not a record stands as {@link NotPlanned}.
 *
 * @throws Rejection where AWS does not answer
 */
export function planKeys(
  access: WorkflowAccess,
  wanted: readonly NamedKey[],
): Promise<readonly (Planned | NotPlanned)[]> {
  return each(wanted, async ({ key, executionArn }) => {
    try {
      const state = await inspectKey(access, key);
      const judged = judgeKey(state);
      const arns = [executionArn, state.record?.owner].filter(arn => arn !== undefined);
      const search = { ...ALL_TIME, openedMax: OPENED_MAX };
      const names = { text: key.text, recordKey: state.recordKey, owner: undefined };
      const isSearched = arns.length === 0 && access.workflow.type === 'STANDARD';
      const found = isSearched ? (await findExecutions(access, names, search)).executions : [];
      const all = [...arns, ...found.map(one => one.executionArn)];
      const ended = await each([...new Set(all)], arn => endedExecutionOf(access, arn, state.recordKey));
      const known = ended.filter(execution => execution !== undefined);
      // An input that was rejected as it is would be rejected again: it counts only if it was pointed at.
      const executions = known
        .filter(one => one.error !== ERROR.invalidEvent || one.executionArn === executionArn)
        .sort((one, other) => other.stoppedAt - one.stoppedAt);
      const plan = planRedelivery(judged, executions, true);
      const isRejected = known.length > 0 && plan.kind === 'leave' && plan.reason === 'unknown';
      return { judged, executions, plan: isRejected ? { kind: 'leave', reason: 'rejected' } : plan };
    } catch (error) {
      if (error instanceof NoRecord)
        return { recordKey: `${access.workflow.scope}#${key.text}`, executions: [] };
      throw error;
    }
  });
}

/** The planned or done work, in the forms of an answer. */
interface Completion {
  readonly code: number;
  readonly json: object;
  readonly text: (style: Style) => string;
}

/** The plan about keys, and the part of it that is possible. */
interface KeysPlan {
  /** The keys that are acted on, within the limit. */
  readonly ready: readonly Planned[];
  /** In words: how many keys there are, and why the others are left alone. */
  readonly summary: string;
  /** For scripts. */
  readonly json: { readonly planned: readonly object[]; readonly withoutKey: number };
}

/**
 * Executes the plan, after a question. For a dry run, and if the user cannot be asked, the plan is the answer. After
 * Ctrl-C it answers what has been done until then. `keyless` is how many executions have no key.
 *
 * @throws Rejection if the user does not answer yes
 */
export async function completeKeys(
  context: Context,
  all: readonly (Planned | NotPlanned)[],
  options: CompletionOptions,
  keyless = 0,
): Promise<Completion> {
  const planned = all.flatMap(one => ('plan' in one ? [one] : []));
  const unknown = all.flatMap(one => ('plan' in one ? [] : [one]));
  const ready = planned.filter(({ plan }) => plan.kind !== 'leave').slice(0, options.limit);
  const plan = {
    ready,
    summary: [summaryOf(planned, ready.length, keyless), ...unknown.map(inWords)].join('; '),
    json: {
      planned: [...planned.map(describePlanned), ...unknown.map(describeUnknown)],
      withoutKey: keyless,
    },
  };
  const isUnasked = !options.isConfirmed && !context.terminal.isAttended;
  if (options.isDryRun) return answerPlan(plan);
  if (isUnasked) return answerPlan(plan, NOT_ASKED);
  if (ready.length === 0) return answerPlan(plan);
  if (!options.isConfirmed && !(await isAgreed(context, plan))) throw new Rejection('nothing was redriven');
  return carryOut(context, plan, options.perSecond);
}

/** The plan as the answer, with the message if it could not be done. */
function answerPlan({ ready, summary, json }: KeysPlan, message?: string): Completion {
  return {
    code: message === undefined ? EXIT.done : EXIT.usage,
    json: { ...json, done: [], ...(message !== undefined && { message }) },
    text: style =>
      `${ready.length === 0 ? `${summary}; nothing to redrive` : `${tableOf(style, ready)}\n\n${summary}`}\n` +
      (message === undefined ? '' : `${message}\n`),
  };
}

/** Shows the plan, and asks. */
function isAgreed({ terminal, workflow }: Context, { ready, summary }: KeysPlan): Promise<boolean> {
  const text = `${tableOf(terminal.style, ready)}\n\n${summary}\n\n`;
  return terminal.confirm(text, `Redrive ${plural(ready.length, 'key')} of ${printable(workflow.name)}?`);
}

async function carryOut(
  context: Context,
  { ready, summary, json }: KeysPlan,
  perSecond: number,
): Promise<Completion> {
  const { aws, terminal } = context;
  const isInterrupted = () => aws.signal?.aborted === true;
  const progress = (count: number) => terminal.progress(`redriving: ${count} of ${ready.length}`);
  const outcomes = await paced(aws, ready, { perSecond, progress }, one => act(context, one));
  const done = outcomes.map((outcome, index) => ({
    ...describePlanned(ready[index] as Planned),
    ...outcome,
  }));
  const problems = done.flatMap(one =>
    'problem' in one ? [`${printable(one.recordKey)}: ${one.problem}`] : [],
  );
  return {
    code: isInterrupted() ? EXIT.interrupted : problems.length === 0 ? EXIT.done : EXIT.failed,
    json: { ...json, done, notBegun: ready.length - done.length },
    text: style => {
      const failures = problems.map(problem => `${problem}\n`).join('');
      const acted = plural(done.length - problems.length, 'key');
      const end = isInterrupted()
        ? `interrupted; ${plural(ready.length - done.length, 'key')} not started\n`
        : 'How each of them ended: `onceflow list --by error --since 5m`\n';
      return `${tableOf(style, ready)}\n\n${acted} redriven or redelivered, of ${summary}\n${failures}${end}`;
    },
  };
}

/** Does what is planned; resolves to what was done. @throws Rejection where it is too late for it, or AWS rejects */
async function act(context: Context, planned: Planned): Promise<string> {
  const { judged, plan, executions } = planned;
  if (plan.kind === 'deliver') {
    const [newest] = executions;
    // The same until an execution of the key has ended anew: of two commands that act at the same time one starts it.
    const once = `${newest?.executionArn}#${newest?.stoppedAt}`;
    return startAgain(context, { keyText: judged.key.text, input: plan.execution.input, once });
  }
  const redrive = planRedrive(judged, { isForced: false });
  const isRedriven =
    redrive.kind === 'ready' && (await new KeyWriter(context).redrive(redrive.record, redrive.owner));
  if (isRedriven) return `redrove ${executionNameIn(redrive.record.owner)}`;
  throw new Rejection('it was already redriven, or can no longer resume. Run `onceflow show KEY`');
}

const NOT_ASKED =
  'nothing was done, because there is no terminal to ask on. Pass --yes to do it, or --dry-run to see the plan';
