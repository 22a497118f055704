import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { findExecutions } from '../key/find-executions';
import type { Key } from '../key/input/key';
import { inspectKey } from '../key/inspect';
import { judgeKey } from '../key/judge';
import { ALL_TIME } from '../key/list/time-range';
import { planRedrive } from '../key/operator/redrive-plan';
import { KeyWriter } from '../key/operator/write';
import { NoRecord } from '../key/read-record';
import { EXIT } from '../program/exit';
import { Refusal } from '../program/refusal';
import type { Style, Terminal } from '../terminal';
import { executionNameIn, plural, printable } from '../text';
import { type DeadExecution, deadExecutionOf } from './dead-executions';
import { deliverAgain } from './deliver-again';
import { paced } from './paced';
import { type NotPlanned, type Planned, planRedelivery } from './redelivery-plan';
import { describePlanned, describeUnknown, inWords, summaryOf, tableOf } from './redelivery-words';

/** What a redelivery works with. */
interface Context extends WorkflowAccess {
  readonly terminal: Terminal;
}

/** How it is gone about. */
export interface Redelivering {
  /** Keys at most. */
  readonly limit: number;
  readonly perSecond: number;
  readonly isConfirmed: boolean;
  /** True where only the plan is wanted. */
  readonly isDryRun: boolean;
}

/** Plans what is done about the keys of executions that ended. @throws Refusal where AWS does not answer */
export async function planAll(
  context: Context,
  dead: readonly DeadExecution[],
  isNamed: boolean,
): Promise<readonly (Planned | NotPlanned)[]> {
  const { workflow, terminal } = context;
  const byKey = new Map<string, DeadExecution[]>();
  for (const execution of dead) {
    if (execution.recordKey === undefined) continue;
    const others = byKey.get(execution.recordKey) ?? [];
    byKey.set(execution.recordKey, [...others, execution]);
  }
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

/** A key to deliver again, and the execution that it was seen with, such as a delivery that was refused. */
export interface Wanted {
  readonly key: Key;
  readonly executionArn?: string | undefined;
}

/** So many executions are opened to find those of a key without a record. */
const OPENED_MAX = 200;

/**
 * Plans what is done about keys that an operator has named: whatever their executions ended with. Of a key without a
 * record its executions are looked for, unless one is given. What is no record stands as {@link NotPlanned}.
 *
 * @throws Refusal where AWS does not answer
 */
export function planKeys(
  access: WorkflowAccess,
  wanted: readonly Wanted[],
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
      const dead = await each([...new Set(all)], arn => deadExecutionOf(access, arn, state.recordKey));
      const executions = dead
        .filter(execution => execution !== undefined)
        .sort((one, other) => other.stoppedAt - one.stoppedAt);
      return { judged, executions, plan: planRedelivery(judged, executions, true) };
    } catch (error) {
      if (error instanceof NoRecord)
        return { recordKey: `${access.workflow.scope}#${key.text}`, executions: [] };
      throw error;
    }
  });
}

/**
 * Does what is planned, after asking: where nobody can be asked, and for a dry run, the plan is the answer. After
 * Ctrl-C it answers what has been done until then. `keyless` is how many executions have no key.
 *
 * @throws Refusal where somebody who is asked does not say yes
 */
export async function redeliver(
  context: Context,
  all: readonly (Planned | NotPlanned)[],
  wanted: Redelivering,
  keyless = 0,
) {
  const { aws, terminal, workflow } = context;
  const planned = all.flatMap(one => ('plan' in one ? [one] : []));
  const unknown = all.flatMap(one => ('plan' in one ? [] : [one]));
  const ready = planned.filter(({ plan }) => plan.kind !== 'leave').slice(0, wanted.limit);
  const summary = [summaryOf(planned, ready.length, keyless), ...unknown.map(inWords)].join('; ');
  const plan = {
    planned: [...planned.map(describePlanned), ...unknown.map(describeUnknown)],
    withoutKey: keyless,
  };
  const isUnasked = !wanted.isConfirmed && !terminal.isAttended;
  if (wanted.isDryRun || isUnasked || ready.length === 0) {
    const error = isUnasked && !wanted.isDryRun ? NOT_ASKED : undefined;
    return {
      code: error === undefined ? EXIT.done : EXIT.usage,
      json: { ...plan, done: [], ...(error !== undefined && { error }) },
      text: (style: Style) =>
        `${ready.length === 0 ? `${summary}; nothing to redrive` : `${tableOf(style, ready)}\n\n${summary}`}\n` +
        (error === undefined ? '' : `${error}\n`),
    };
  }
  if (!wanted.isConfirmed) {
    const text = `${tableOf(terminal.style, ready)}\n\n${summary}\n\n`;
    const question = `Redrive ${plural(ready.length, 'key')} of ${printable(workflow.name)}?`;
    if (!(await terminal.confirm(text, question))) throw new Refusal('nothing was redriven');
  }
  const isInterrupted = () => aws.signal?.aborted === true;
  const outcomes = await paced(
    aws,
    ready,
    {
      perSecond: wanted.perSecond,
      progress: done => terminal.progress(`redriving: ${done} of ${ready.length}`),
    },
    one => act(context, one),
  );
  const done = outcomes.map((outcome, index) => ({
    ...describePlanned(ready[index] as Planned),
    ...outcome,
  }));
  const problems = done.flatMap(one =>
    'problem' in one ? [`${printable(one.recordKey)}: ${one.problem}`] : [],
  );
  return {
    code: isInterrupted() ? EXIT.interrupted : problems.length === 0 ? EXIT.done : EXIT.failed,
    json: { ...plan, done, notBegun: ready.length - done.length },
    text: (style: Style) => {
      const failures = problems.map(problem => `${problem}\n`).join('');
      const acted = plural(done.length - problems.length, 'key');
      const end = isInterrupted()
        ? `interrupted; ${plural(ready.length - done.length, 'key')} not started\n`
        : '';
      return `${tableOf(style, ready)}\n\n${acted} redriven or redelivered; ${summary}\n${failures}${end}`;
    },
  };
}

/** Does what is planned; resolves to what was done. @throws Refusal where it is too late for it, or AWS refuses */
async function act(context: Context, planned: Planned): Promise<string> {
  const { judged, plan, executions } = planned;
  if (plan.kind === 'deliver') {
    const [newest] = executions;
    // The same until an execution of the key has ended anew: of two commands that act at the same time one starts it.
    const once = `${newest?.executionArn}#${newest?.stoppedAt}`;
    return deliverAgain(context, { keyText: judged.key.text, input: plan.execution.input, once });
  }
  const redrive = planRedrive(judged, { isForced: false });
  const isRedriven =
    redrive.kind === 'ready' && (await new KeyWriter(context).redrive(redrive.record, redrive.owner));
  if (isRedriven) return `redrove ${executionNameIn(redrive.record.owner)}`;
  throw new Refusal('it was already redriven, or can no longer resume. Run `onceflow show KEY`');
}

const NOT_ASKED =
  'nothing was done, because there is no terminal to ask on. Pass --yes to do it, or --dry-run to see the plan';
