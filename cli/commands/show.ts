import { recordKey } from '../../state-machine/contract/index';
import type { Answer, Desk } from '../answer';
import type { Aws } from '../aws/aws';
import { type Found, findExecutions } from '../key/find-executions';
import { type Situation, situationOf } from '../key/inspect';
import { nextDelivery } from '../key/judge';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal } from '../refusal';
import { recordFacts } from '../render/key-facts';
import { facts } from '../render/layout';
import { renderExecution, renderSearched } from '../render/timeline';
import { printable } from '../text';
import { dateTime } from '../time-text';
import type { Workflow } from '../workflow';

/** The record in words, and what every execution of the key decided. @throws Refusal where nothing is known of it */
export async function show(
  aws: Aws,
  workflow: Workflow,
  { key, sinceMs, limit }: Command & { name: 'show' },
  desk: Desk,
): Promise<Answer> {
  const full = recordKey(workflow.scope, key.text);
  const situation = await situationOf(aws, workflow, full);
  const { record, now } = situation;
  const isExpress = workflow.type === 'EXPRESS';
  const reach = {
    since: now - sinceMs,
    openedMax: limit,
    progress: (done: number, total: number) => desk.progress(`reading histories ${done}/${total}`),
  };
  const found = isExpress
    ? undefined
    : await findExecutions(aws, workflow, { text: key.text, recordKey: full, owner: record?.owner }, reach);
  if (record === undefined && (found?.executions.length ?? 0) === 0)
    throw nothingKnown(full, workflow, found);
  return {
    code: EXIT.done,
    json: jsonOf(full, situation, found),
    text: look => {
      const { executions, searched } = found ?? { executions: [], searched: undefined };
      const head =
        record === undefined
          ? `${printable(full)} has no record: it was deleted, or no execution has got it`
          : `${printable(full)}\n\n${facts(look, recordFacts(situation, record))}`;
      const stories = executions.map(execution =>
        renderExecution(look, execution, execution.executionArn === record?.owner),
      );
      const end =
        searched === undefined
          ? 'Executions of an Express workflow are not kept by Step Functions: see its log group.'
          : renderSearched(look, searched);
      return `${[head, ...stories, end].join('\n\n')}\n`;
    },
  };
}

function nothingKnown(full: string, { table, name }: Workflow, found: Found | undefined): Refusal {
  const searched = found?.searched;
  const looked =
    searched === undefined
      ? ''
      : `, and none of the ${searched.opened} executions of ${name} that were opened (${searched.listed} began since ` +
        `${dateTime(searched.since)}, ${searched.unopened} were left out)`;
  return new Refusal(
    `nothing is known of ${JSON.stringify(full)}: ${table} has no record of it${looked}; check the key ` +
      '(--number for a number, --recorded for one as `list` shows it), or look further with --since and --limit',
  );
}

function jsonOf(full: string, situation: Situation, found: Found | undefined): object {
  const { record, owner } = situation;
  return {
    recordKey: full,
    record: record ?? null,
    owner: record === undefined ? null : owner,
    nextDelivery: nextDelivery(situation),
    executions: (found?.executions ?? []).map(({ events: _, ...execution }) => execution),
    searched: found?.searched ?? null,
  };
}
