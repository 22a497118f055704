import type { Answer, CommandContext } from '../actions/answer';
import { findExecutions } from '../key/find-executions';
import type { Key } from '../key/input/key';
import { keyFromArguments } from '../key/input/key';
import { resolveKey } from '../key/input/resolve-key';
import { costOf, sumOf } from '../key/list/cost';
import {
  costInTime,
  type ExecutionsCost,
  executionsCostInWords,
  HISTORIES_MAX,
  requireHistories,
  whyNotListed,
} from '../key/list/executions-cost';
import { readRecord } from '../key/read-record';
import { readStoppedDeliveries, stoppedOfKey } from '../key/stopped-deliveries';
import { hanging } from '../layout';
import { EXIT } from '../program/exit';
import { dateTime, printable } from '../text';
import { type AskedRange, DAY_MS, rangeAt } from '../time-range';
import { count, RECORDED_KEY_OPTIONS, timeRange } from './shared-options';
import { workflowCommand } from './workflow-command';

interface CostRequest {
  /** Undefined: all executions of the workflow. */
  readonly key: Key | undefined;
  readonly range: AskedRange;
  /** So many histories are read. */
  readonly sample: number;
  /** Of a key: so many histories of executions whose names do not come from it. */
  readonly openedMax: number;
}

/** What the executions of a key, or of a workflow in a time, have cost at list prices. */
export const cost = workflowCommand({
  name: 'cost',
  line: ['cost [KEY]', 'sums up what a key or a workflow cost at list prices, and the share of duplicates'],
  isReadOnly: true,
  usage: 'cost [KEY] [PART...] [options]',
  does: [
    'Counts the billed transitions, the reads and writes of the record, and the function invocations of a key, or of',
    'all executions that started in a time range. It sums them up at list prices, without function duration and without',
    'the source that starts the workflow. If there are many executions, it reads an even sample of them.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    ...timeRange('executions that started', { ago: DAY_MS }),
    sample: count(
      1,
      HISTORIES_MAX,
      'read at most N histories; with KEY also those of executions with other names',
    ),
  },
  examples: [
    'onceflow cost order-7 --since 7d',
    'onceflow cost --since 1d',
    'onceflow cost --since 2026-11-20 --until 2026-11-21 --json',
  ],
  wantedIn(line): CostRequest {
    const { values, positionals, given } = line;
    const { since, until, sample } = values;
    const hasKey = positionals.length > 0 || values['json-key'] !== undefined;
    return {
      key: hasKey ? keyFromArguments(line) : undefined,
      range: { since, until },
      sample,
      openedMax: given.has('sample') ? sample : 0,
    };
  },
  run: (context, wanted) => answerTo([context], wanted),
  keyIn: ({ key }) => key,
  runOnAll: answerTo,
});

async function answerTo(contexts: readonly CommandContext[], wanted: CostRequest): Promise<Answer> {
  const documents: ((Counted | Unknown) & { readonly workflow: string })[] = [];
  const isAnyListed = contexts.some(({ workflow }) => whyNotListed(workflow) === undefined);
  const sample = Math.max(1, Math.floor(wanted.sample / contexts.length));
  for (const context of contexts) {
    const why = isAnyListed ? whyNotListed(context.workflow) : undefined;
    const counted =
      why === undefined ? await countedIn(context, { ...wanted, sample }) : { cost: { unknown: why } };
    documents.push({ workflow: context.workflow.name, ...counted });
  }
  const [only] = documents;
  return {
    code: EXIT.done,
    json: only !== undefined && documents.length === 1 ? only : { workflows: documents },
    text: style =>
      documents
        .map((one, at) => {
          const recordKey = 'recordKey' in one ? one.recordKey : undefined;
          const of = recordKey ?? contexts[at]?.workflow.scope ?? one.workflow;
          return `${hanging(style, `${printable(of)}  `, inWords(one))}\n`;
        })
        .join(''),
  };
}

interface Counted extends ExecutionsCost {
  /** The record's key, if one key was asked about. */
  readonly recordKey?: string;
  /** Executions of that time with other names, which may be of the key. */
  readonly unopened?: number;
  readonly since: Date;
}

/** Of one workflow among others, why its cost is not known. */
interface Unknown {
  readonly cost: { readonly unknown: string };
}

async function countedIn(
  context: CommandContext,
  { key: named, range, sample, openedMax }: CostRequest,
): Promise<Counted> {
  const { aws, workflow, terminal } = context;
  requireHistories(workflow);
  const { since, until } = rangeAt(aws.time.now(), range);
  const from = { since: new Date(since) };
  if (named === undefined) {
    const search = { range: { since, until }, sample, progress: terminal.progress };
    return { ...from, ...(await costInTime(context, search)) };
  }
  const { text } = await resolveKey(context, named);
  const recordKey = `${workflow.scope}#${text}`;
  const names = { text, recordKey, owner: (await readRecord(context, recordKey))?.owner };
  const { executions, searched } = await findExecutions(context, names, { since, until, openedMax });
  const costs = executions.map(({ events }) => costOf(events, workflow.prefix));
  const [listed, opened] = [costs.length, costs.length];
  const { unopened } = searched;
  const all = await readStoppedDeliveries(context, { since, until });
  const stopped = all && stoppedOfKey(all, text).length;
  return { ...from, recordKey, cost: sumOf(costs), listed, opened, unopened, isCutOff: false, stopped };
}

function inWords(one: Counted | Unknown): string {
  if (!('since' in one)) return `cost unknown, because ${printable(one.cost.unknown)}`;
  const { since, unopened = 0, ...counted } = one;
  const others =
    unopened === 0 ? '' : `; ${unopened} with other names were not read: read N of them with --sample N`;
  return `since ${dateTime(since)}: ${executionsCostInWords(counted)}${others}`;
}
