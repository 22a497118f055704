import type { Answer, CommandContext } from '../actions/answer';
import { executionNameIn } from '../arns';
import { type Key, keyFromArguments } from '../key/input/key';
import { readKnownKey } from '../key/inspect';
import { type JudgedKey, judgeKey } from '../key/judge';
import { EXIT } from '../program/exit';
import { flag } from '../program/options';
import { Rejection } from '../program/rejection';
import { type AskedRange, DAY_MS } from '../time-range';
import { storyInMarkdown } from '../timeline/markdown';
import { renderStory } from '../timeline/render';
import { storyOf } from '../timeline/story';
import { type ToldExecution, type ToldExecutions, withTimelines } from '../timeline/timeline';
import { count, RECORDED_KEY_OPTIONS, timeRange } from './shared-options';
import { workflowCommand } from './workflow-command';

interface ShowRequest {
  readonly key: Key;
  readonly range: AskedRange;
  /** So many executions with names of their own are opened. */
  readonly limit: number;
  readonly isMarkdown?: boolean;
}

/** The record in words, and what every execution of the key decided. Fails where nothing is known of the key. */
export const show = workflowCommand({
  name: 'show',
  line: ['show KEY', 'explains the record, and what every execution of the key decided and why'],
  isReadOnly: true,
  usage: 'show KEY [PART...] [options]',
  does: [
    'Explains the record, and what every execution of the key decided and why, from its history.',
    'Executions are found by the names that come from the key, and by the owner in the record; with --limit also by',
    'opening executions with other names, newest first. The last lines say what was not opened. If several workflows have',
    'the key, it explains each.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    ...timeRange('executions that started', { ago: 7 * DAY_MS }),
    limit: count(0, 0, 'open at most N executions whose names do not come from the key: one history each'),
    markdown: flag('print the story as Markdown, for a ticket'),
  },
  examples: [
    'onceflow show order-7',
    'onceflow show 4711 --number --since 30d',
    'onceflow show order-7 --markdown > story.md',
    'onceflow show shop-1 order-7',
    'onceflow show ChargePayment#order-7',
    `onceflow show --json-key '["shop-1",4711]' --json`,
  ],
  wantedIn: (line): ShowRequest => {
    const { since, until, limit, markdown: isMarkdown } = line.values;
    return { key: keyFromArguments(line), range: { since, until }, limit, isMarkdown };
  },
  keyIn: ({ key }) => key,
  run: answerTo,
  async runOnAll(contexts, wanted) {
    const told = await Promise.allSettled(contexts.map(context => answerTo(context, wanted)));
    const answers = told.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
    const [failed] = told.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
    // An execution with the name of the key may be of another one.
    if (answers.length === 0 || (failed !== undefined && !(failed instanceof Rejection))) throw failed;
    return {
      code: EXIT.done,
      json: { workflows: answers.map(({ json }) => json) },
      text: style => answers.map(answer => answer.text(style)).join('\n'),
    };
  },
});

async function answerTo(
  context: CommandContext,
  { key, range, limit, isMarkdown }: ShowRequest,
): Promise<Answer> {
  const progress = (done: number, total: number) =>
    context.terminal.progress(`reading histories ${done}/${total}`);
  const state = await readKnownKey(context, key, { range, openedMax: limit, progress });
  const judged = judgeKey(state);
  const told = withTimelines(state);
  const text: Answer['text'] = style =>
    isMarkdown ? `${storyInMarkdown(judged, told)}\n` : renderStory(style, judged, told);
  return { code: EXIT.done, json: jsonOf(judged, told), text };
}

function jsonOf(judged: JudgedKey, told: ToldExecutions): object {
  const { executions, searched } = told;
  const { workflow, recordKey, record, owner, nextDelivery, nextRecovery, recovery } = judged;
  return {
    recordKey,
    record: record ?? null,
    ...(workflow.uncheckedKey !== undefined && { uncheckedKey: workflow.uncheckedKey }),
    owner:
      record === undefined ? null : 'until' in owner ? { ...owner, until: new Date(owner.until) } : owner,
    nextDelivery,
    nextRecovery: nextRecovery === undefined ? null : { ...nextRecovery, from: dateOf(nextRecovery.from) },
    story: storyOf(judged, told).map(({ at, ...row }) => ({ at: new Date(at), ...row })),
    executions: executions.map(summaryOf),
    recovery: recovery ?? null,
    searched: searched ?? null,
  };
}

function dateOf(at: number | undefined): Date | null {
  return at === undefined ? null : new Date(at);
}

function summaryOf({ executionArn, description, timeline }: ToldExecution) {
  const { status, startDate, stopDate, redriveCount } = description;
  const name = executionNameIn(executionArn);
  return { executionArn, name, status, startDate, stopDate: stopDate ?? null, redriveCount, timeline };
}
