import type { Answer, CommandContext } from '../actions/answer';
import { resolveKey } from '../key/input/interpretations';
import { type Key, requireKeyOf } from '../key/input/key';
import { keyFacts, recoveryFacts } from '../key/key-facts';
import type { FoundExecution } from '../key/key-state';
import { type AskedRange, DAY_MS, rangeAt } from '../key/list/time-range';
import { facts, hanging } from '../layout';
import { EXIT } from '../program/exit';
import { executionNameIn, printable } from '../text';
import { namesakeInWords, readStory } from '../timeline/key-story';
import { renderSearched, renderTimeline } from '../timeline/render';
import { count, RECORDED_KEY_OPTIONS, timeRange } from './shared-options';
import { keyIn, workflowCommand } from './workflow-command';

interface Wanted {
  readonly key: Key;
  readonly range: AskedRange;
  /** So many executions with names of their own are opened. */
  readonly limit: number;
}

/** The record in words, and what every execution of the key decided. Fails where nothing is known of the key. */
export const show = workflowCommand({
  name: 'show',
  line: ['show KEY', 'explains the record, and what every execution of the key decided and why'],
  usage: 'show KEY [PART...] [options]',
  does: [
    'Explains the record, and what every execution of the key decided and why, from its history.',
    'Executions are found by the names that come from the key, by the owner in the record, and by opening executions with',
    'other names, newest first. If something might be missing, the last lines say what was not opened.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    ...timeRange('executions that started', { ago: 7 * DAY_MS }),
    limit: count(0, 200, 'open at most N executions whose names do not come from the key'),
  },
  examples: [
    'onceflow show order-7',
    'onceflow show 4711 --number --since 30d',
    'onceflow show shop-1 order-7',
    `onceflow show --json-key '["shop-1",4711]' --json`,
    "onceflow show '#4711' --recorded",
  ],
  wantedIn: (line): Wanted => {
    const { since, until, limit } = line.values;
    return { key: keyIn(line), range: { since, until }, limit };
  },
  run: answerTo,
});

async function answerTo(context: CommandContext, { key: named, range, limit }: Wanted): Promise<Answer> {
  const { aws, workflow, terminal } = context;
  const key = await resolveKey(context, named);
  requireKeyOf(workflow, key);
  const { judged, executions, searched, namesake, recovery } = await readStory(context, key, {
    ...rangeAt(aws.time.now(), range),
    openedMax: limit,
    progress: (done, total) => terminal.progress(`reading histories ${done}/${total}`),
  });
  const { record, recordKey } = judged;
  return {
    code: EXIT.done,
    json: {
      recordKey,
      record: record ?? null,
      owner: record === undefined ? null : judged.owner,
      nextDelivery: judged.nextDelivery,
      nextRecovery: judged.nextRecovery ?? null,
      executions: executions.map(execution => ({ ...summaryOf(execution), timeline: execution.timeline })),
      recovery: recovery ?? null,
      searched: searched ?? null,
    },
    text: style => {
      const known = record ? [...keyFacts(judged, record), ...recoveryFacts(judged, recovery)] : [];
      const head =
        record === undefined
          ? `${printable(recordKey)} has no record: it was deleted, or no execution has claimed the key`
          : `${printable(recordKey)}\n\n${facts(style, known)}`;
      const timelines = executions.map(execution =>
        renderTimeline(style, execution, execution.timeline, execution.executionArn === record?.owner),
      );
      const end =
        searched === undefined
          ? 'Step Functions does not keep executions of Express workflows. See the log group of the workflow.'
          : renderSearched(style, searched);
      const others = namesake ? [hanging(style, 'Besides: ', namesakeInWords(namesake))] : [];
      return `${[head, ...timelines, ...others, end].join('\n\n')}\n`;
    },
  };
}

function summaryOf({ executionArn, description }: FoundExecution) {
  const { status, startDate, stopDate, redriveCount } = description;
  return { executionArn, name: executionNameIn(executionArn), status, startDate, stopDate, redriveCount };
}
