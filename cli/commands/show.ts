import { inspectKey } from '../key/inspect';
import { judgeKey } from '../key/judge';
import { requireKeyOf } from '../key/key';
import type { FoundExecution, KeyState } from '../key/key-state';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal } from '../refusal';
import { keyFacts } from '../render/key-facts';
import { facts } from '../render/layout';
import { renderSearched, renderTimeline } from '../render/timeline';
import { dateTime, executionNameIn, printable } from '../text';
import { timelineOf } from '../timeline/timeline';
import type { Answer, CommandContext } from './command';

/** The record in words, and what every execution of the key decided. @throws Refusal where nothing is known of it */
export async function show(
  context: CommandContext,
  { key, sinceMs, limit }: Command & { name: 'show' },
): Promise<Answer> {
  const { aws, workflow, terminal } = context;
  requireKeyOf(workflow, key);
  const state = await inspectKey(context, key, {
    since: aws.time.now() - sinceMs,
    openedMax: limit,
    progress: (done, total) => terminal.progress(`reading histories ${done}/${total}`),
  });
  const { record, executions: found } = state;
  const executions = (found?.executions ?? []).map(execution => ({
    ...execution,
    timeline: timelineOf(execution.events, execution.executionArn, workflow.prefix),
  }));
  if (record === undefined && executions.length === 0) throw nothingKnown(state);
  const judged = judgeKey(state);
  return {
    code: EXIT.done,
    json: {
      recordKey: state.recordKey,
      record: record ?? null,
      owner: record === undefined ? null : judged.owner,
      nextDelivery: judged.nextDelivery,
      executions: executions.map(execution => ({ ...summaryOf(execution), timeline: execution.timeline })),
      searched: found?.searched ?? null,
    },
    text: style => {
      const head =
        record === undefined
          ? `${printable(state.recordKey)} has no record: it was deleted, or no execution has got it`
          : `${printable(state.recordKey)}\n\n${facts(style, keyFacts(judged, record))}`;
      const timelines = executions.map(execution =>
        renderTimeline(style, execution, execution.timeline, execution.executionArn === record?.owner),
      );
      const end =
        found === undefined
          ? 'Executions of an Express workflow are not kept by Step Functions: see its log group.'
          : renderSearched(style, found.searched);
      return `${[head, ...timelines, end].join('\n\n')}\n`;
    },
  };
}

function summaryOf({ executionArn, description }: FoundExecution) {
  const { status, startDate, stopDate, redriveCount } = description;
  return { executionArn, name: executionNameIn(executionArn), status, startDate, stopDate, redriveCount };
}

function nothingKnown({ workflow, recordKey, executions }: KeyState): Refusal {
  const searched = executions?.searched;
  const looked =
    searched === undefined
      ? ''
      : `, and none of the ${searched.opened} executions of ${workflow.name} that were opened is known to be of it ` +
        `(${searched.listed} began since ${dateTime(searched.since)}, ${searched.unopened} were not opened, ` +
        `${searched.undecided} do not say for which key they are)`;
  return new Refusal(
    `nothing is known of ${JSON.stringify(recordKey)}: ${workflow.table} has no record of it${looked}; check the key ` +
      '(--number for a number, --json-key for a list, --recorded for one as `list` shows it), or look further with ' +
      '--since and --limit',
  );
}
