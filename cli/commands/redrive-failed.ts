import { createHash } from 'node:crypto';
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { retryName, SUFFIX_LENGTH } from '../../state-machine/contract/execution-name';
import { executionName } from '../../state-machine/contract/index';
import { answerOf } from '../aws/aws';
import { describe, each } from '../aws/executions';
import { type DeadExecution, findDeadExecutions } from '../bulk/dead-executions';
import { paced } from '../bulk/paced';
import { type LeftReason, planRedelivery, type Redelivery } from '../bulk/redelivery-plan';
import { inspectKey } from '../key/inspect';
import { type JudgedKey, judgeKey } from '../key/judge';
import { planRedrive } from '../key/redrive-plan';
import { KeyWriter } from '../key/write';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal, usage } from '../refusal';
import { table } from '../render/layout';
import type { Style } from '../terminal';
import { executionNameIn, plural, printable } from '../text';
import type { Answer, CommandContext } from './command';

type Wanted = Command & { name: 'redrive failed' };

/** A key, and what is planned about it. */
interface Planned {
  readonly judged: JudgedKey;
  readonly executions: readonly DeadExecution[];
  readonly plan: Redelivery;
}

/**
 * Brings the keys to their ends whose executions ended without: redrives their dead owners, or delivers the inputs
 * again, under the workflow's own rules. Shows the plan and asks first.
 *
 * @throws Refusal for an Express workflow, and where nobody can be asked or says yes
 */
export async function redriveFailed(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { aws, terminal, workflow } = context;
  const since = aws.time.now() - wanted.sinceMs;
  const dead = await findDeadExecutions(context, { since, error: wanted.error }, terminal.progress);
  const planned = await planAll(context, dead, wanted.error !== undefined);
  const keyless = dead.filter(({ recordKey }) => recordKey === undefined).length;
  const ready = planned.filter(({ plan }) => plan.kind !== 'leave').slice(0, wanted.limit);
  const summary = summaryOf(planned, ready.length, keyless);
  if (ready.length === 0) {
    const json = { planned: planned.map(describePlanned), withoutKey: keyless, done: [] };
    return { code: EXIT.done, json, text: () => `${summary}; nothing to redrive\n` };
  }
  if (!wanted.isConfirmed) {
    if (!terminal.isAttended) throw usage('there is no terminal to ask on; pass --yes if you are sure');
    const text = `${tableOf(terminal.style, ready)}\n\n${summary}\n\n`;
    const question = `Redrive ${plural(ready.length, 'key')} of ${printable(workflow.name)}?`;
    if (!(await terminal.confirm(text, question))) throw new Refusal('nothing was redriven');
  }
  const outcomes = await paced(
    aws,
    ready,
    {
      perSecond: wanted.perSecond,
      progress: done => terminal.progress(`redriving: ${done} of ${ready.length}`),
    },
    one => act(context, one),
  );
  const done = ready.map((one, index) => ({ ...describePlanned(one), ...outcomes[index] }));
  const problems = done.flatMap(one =>
    'problem' in one ? [`${printable(one.recordKey)}: ${one.problem}`] : [],
  );
  return {
    code: problems.length === 0 ? EXIT.done : EXIT.failed,
    json: { planned: planned.map(describePlanned), withoutKey: keyless, done },
    text: style => {
      const failures = problems.map(problem => `${problem}\n`).join('');
      const acted = plural(ready.length - problems.length, 'key');
      return `${tableOf(style, ready)}\n\n${acted} redriven or delivered again; ${summary}\n${failures}`;
    },
  };
}

async function planAll(
  context: CommandContext,
  dead: readonly DeadExecution[],
  isNamed: boolean,
): Promise<readonly Planned[]> {
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
    const judged = judgeKey(await inspectKey(context, { value: undefined, text, form: 'recorded' }));
    done += 1;
    terminal.progress(`reading records: ${done} of ${byKey.size}`);
    return { judged, executions, plan: planRedelivery(judged, executions, isNamed) };
  });
}

/** Does what is planned; resolves to what was done. @throws Refusal where it is too late for it, or AWS refuses */
async function act(context: CommandContext, planned: Planned): Promise<string> {
  const { judged, plan } = planned;
  if (plan.kind === 'deliver') return deliver(context, planned, plan.execution.input);
  const redrive = planRedrive(judged, { isForced: false });
  const isRedriven =
    redrive.kind === 'ready' && (await new KeyWriter(context).redrive(redrive.record, redrive.owner));
  if (isRedriven) return `redrove ${executionNameIn(redrive.record.owner)}`;
  throw new Refusal('somebody else was faster, or it cannot go on any more; look again');
}

/**
 * Starts the workflow with this input, under a name that is the same until an execution of the key has ended anew: of
 * two commands that act at the same time one starts it, and what was started and has died is started once more.
 *
 * @throws Refusal where the name is taken by an execution that has ended without succeeding
 */
async function deliver(
  { aws, workflow }: CommandContext,
  { judged, executions: [newest] }: Planned,
  input: string | undefined,
): Promise<string> {
  const end = `${newest?.executionArn}#${newest?.stoppedAt}`;
  const suffix = createHash('sha256').update(end, 'utf8').digest('hex').slice(0, SUFFIX_LENGTH);
  const name = retryName(executionName(judged.key.text), suffix);
  const { stateMachineArn } = workflow;
  const request = new StartExecutionCommand({ stateMachineArn, name, input });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const subject = `state machine ${workflow.name}`;
  const answer = await answerOf(aws, 'StartExecution', subject, sent, 'ExecutionAlreadyExists');
  if (answer !== undefined) return `started ${name}`;
  // It did not end as those that were looked for, or has not been listed yet.
  const arn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  const { status } = (await describe(aws, arn)) ?? {};
  if (status === undefined || !DEATHS.has(status)) return `${name} had been started before`;
  throw new Refusal(
    `${name} had been started before, and is ${status}: look again, with other errors as well`,
  );
}

const DEATHS: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'ABORTED']);

function describePlanned({ judged, executions, plan }: Planned) {
  return {
    recordKey: judged.recordKey,
    status: judged.record?.status ?? null,
    action: plan.kind,
    ...(plan.kind === 'leave' && { reason: plan.reason }),
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
  atWork: 'at work, or may still be',
  refused: 'refused for what they are',
  failureIsAnswer: 'failed, which is the answer',
  redrivesExhausted: 'redriven too often: see `onceflow show KEY`',
  inDoubt: 'in doubt, for a person',
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
