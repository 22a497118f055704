import type { Answer, CommandContext } from '../actions/answer';
import { each } from '../aws/executions';
import { type DeadExecution, findDeadExecutions } from '../bulk/dead-executions';
import { deliverAgain } from '../bulk/deliver-again';
import { paced } from '../bulk/paced';
import { type LeftReason, planRedelivery, type Redelivery } from '../bulk/redelivery-plan';
import { inspectKey, NoRecord } from '../key/inspect';
import { type JudgedKey, judgeKey } from '../key/judge';
import { planRedrive } from '../key/redrive-plan';
import { KeyWriter } from '../key/write';
import { table } from '../layout';
import { EXIT } from '../program/exit';
import { Refusal } from '../program/refusal';
import type { Style } from '../terminal';
import { executionNameIn, plural, printable } from '../text';

/** Which keys `redrive --failed` is about, and how it goes about them. */
export interface Wanted {
  readonly sinceMs: number;
  /** Only executions that ended with this error; undefined: with any. */
  readonly error: string | undefined;
  readonly limit: number;
  readonly perSecond: number;
  readonly isConfirmed: boolean;
  /** True where only the plan is wanted. */
  readonly isDryRun: boolean;
}

/** A key, and what is planned about it. */
interface Planned {
  readonly judged: JudgedKey;
  readonly executions: readonly DeadExecution[];
  readonly plan: Redelivery;
}

/** A key of which the table has an item that is no record: it is left alone. */
interface NotPlanned {
  readonly recordKey: string;
  readonly executions: readonly DeadExecution[];
}

/**
 * Brings the keys to their ends whose executions ended without: redrives their dead owners, or delivers the inputs
 * again, under the workflow's own rules. Shows the plan and asks first; where nobody can be asked, and for a dry run,
 * the plan is the answer. After Ctrl-C it answers what has been done until then.
 *
 * @throws Refusal for an Express workflow, and where somebody who is asked does not say yes
 */
export async function redriveFailed(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { aws, terminal, workflow } = context;
  const since = aws.time.now() - wanted.sinceMs;
  const dead = await findDeadExecutions(context, { since, error: wanted.error }, terminal.progress);
  const all = await planAll(context, dead, wanted.error !== undefined);
  const planned = all.flatMap(one => ('plan' in one ? [one] : []));
  const unknown = all.flatMap(one => ('plan' in one ? [] : [one]));
  const keyless = dead.filter(({ recordKey }) => recordKey === undefined).length;
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
      text: style =>
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
    text: style => {
      const failures = problems.map(problem => `${problem}\n`).join('');
      const acted = plural(done.length - problems.length, 'key');
      const end = isInterrupted()
        ? `interrupted; ${plural(ready.length - done.length, 'key')} not begun\n`
        : '';
      return `${tableOf(style, ready)}\n\n${acted} redriven or delivered again; ${summary}\n${failures}${end}`;
    },
  };
}

async function planAll(
  context: CommandContext,
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

/** Does what is planned; resolves to what was done. @throws Refusal where it is too late for it, or AWS refuses */
async function act(context: CommandContext, planned: Planned): Promise<string> {
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
  throw new Refusal('it was redriven before, or cannot resume any more; look again');
}

const NOT_ASKED =
  'nothing was done: there is no terminal to ask on; pass --yes to do it, or --dry-run to look only';

function describeUnknown({ recordKey, executions }: NotPlanned) {
  const reason: LeftReason = 'noRecord';
  const errors = [...new Set(executions.map(({ error }) => error))];
  const arns = executions.map(({ executionArn }) => executionArn);
  return { recordKey, status: null, action: 'leave', reason, errors, executions: arns };
}

function inWords({ recordKey }: NotPlanned): string {
  return `${printable(recordKey)} is left alone: the table has an item of this key that is no record`;
}

function describePlanned({ judged, executions, plan }: Planned) {
  return {
    recordKey: judged.recordKey,
    status: judged.record?.status ?? null,
    action: plan.kind,
    ...(plan.kind === 'leave' && { reason: plan.reason }),
    ...(plan.kind === 'leave' && plan.until !== undefined && { until: new Date(plan.until).toISOString() }),
    errors: [...new Set(executions.map(({ error }) => error))],
    executions: executions.map(({ executionArn }) => executionArn),
  };
}

const TITLES = ['key', 'status', 'error', 'what is done'] as const;

function tableOf(style: Style, planned: readonly Planned[]): string {
  const rows = planned.map(({ judged, executions, plan }) => [
    printable(judged.key.text),
    printable(judged.record?.status ?? 'no record'),
    printable(executions[0]?.error ?? ''),
    plan.kind === 'deliver'
      ? `delivers ${printable(executionNameIn(plan.execution.executionArn))} again`
      : `redrives ${printable(executionNameIn(judged.record?.owner ?? ''))}`,
  ]);
  const columns = TITLES.map((title, index) => ({
    title,
    values: rows.map(row => row[index] ?? ''),
    isElastic: title !== 'status',
  }));
  return table(style, columns);
}

const LEFT_IN_WORDS: Readonly<Record<LeftReason, string>> = {
  finished: 'finished since',
  atWork: 'at work',
  mayStillWork: 'whose step may still be running, until the time that --json and `onceflow show KEY` say',
  noRecord: 'with an item that is no record',
  refused: 'refused for what they are',
  failureIsAnswer: 'failed, which is the answer',
  redrivesExhausted: 'redriven too often: see `onceflow show KEY`',
  toRelease: 'whose owner cannot be redriven: see `onceflow release`',
  inDoubt: 'in doubt, held for an operator',
  stopped: 'stopped for good',
  foreign: "another workflow's",
  recordGone: 'with a record that is gone',
  partOfMore: "in a team's own state machine, to be started there",
  inputUnknown: 'with an input that is not told',
};

function summaryOf(planned: readonly Planned[], ready: number, keyless: number): string {
  const reasons = new Map<LeftReason, number>();
  for (const { plan } of planned) {
    if (plan.kind === 'leave') reasons.set(plan.reason, (reasons.get(plan.reason) ?? 0) + 1);
  }
  const beyond = planned.filter(({ plan }) => plan.kind !== 'leave').length - ready;
  const left = [...reasons].map(([reason, count]) => `${count} ${LEFT_IN_WORDS[reason]}`);
  return [
    `${plural(planned.length, 'key')} with executions that ended without succeeding`,
    ...left,
    ...(beyond > 0 ? [`${beyond} beyond --limit`] : []),
    ...(keyless > 0 ? [`${plural(keyless, 'execution')} without a usable key`] : []),
  ].join('; ');
}
