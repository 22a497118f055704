import { requireKeyOf } from '../key/key';
import type { FoundExecution } from '../key/key-state';
import { recoveryFacts } from '../key/recovery';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { keyFacts } from '../render/key-facts';
import { facts, hanging } from '../render/layout';
import { renderSearched, renderTimeline } from '../render/timeline';
import { executionNameIn, printable } from '../text';
import { namesakeInWords, readStory } from '../timeline/key-story';
import type { Answer, CommandContext } from './command';

/** The record in words, and what every execution of the key decided. @throws Refusal where nothing is known of it */
export async function show(
  context: CommandContext,
  { key, sinceMs, limit }: Command & { name: 'show' },
): Promise<Answer> {
  const { aws, workflow, terminal } = context;
  requireKeyOf(workflow, key);
  const { judged, executions, searched, namesake, recovery } = await readStory(context, key, {
    since: aws.time.now() - sinceMs,
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
      executions: executions.map(execution => ({ ...summaryOf(execution), timeline: execution.timeline })),
      recovery: recovery ?? null,
      searched: searched ?? null,
    },
    text: style => {
      const known = record ? [...keyFacts(judged, record), ...recoveryFacts(judged, recovery)] : [];
      const head =
        record === undefined
          ? `${printable(recordKey)} has no record: it was deleted, or no execution has got it`
          : `${printable(recordKey)}\n\n${facts(style, known)}`;
      const timelines = executions.map(execution =>
        renderTimeline(style, execution, execution.timeline, execution.executionArn === record?.owner),
      );
      const end =
        searched === undefined
          ? 'Executions of an Express workflow are not kept by Step Functions: see its log group.'
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
