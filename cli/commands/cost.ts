import type { Answer, CommandContext } from '../actions/answer';
import { costOf, sumOf } from '../key/cost';
import {
  costInTime,
  type ExecutionsCost,
  executionsCostInWords,
  requireHistories,
} from '../key/executions-cost';
import { findExecutions } from '../key/find-executions';
import type { Key } from '../key/key';
import { resolveKey } from '../key/readings';
import { type AskedRange, rangeAt } from '../key/time-range';
import { hanging } from '../layout';
import { EXIT } from '../program/exit';
import { dateTime, printable } from '../text';
import { count, DAY_MS, RECORDED_KEY_OPTIONS, timeRange } from './shared-options';
import { keyIn, workflowCommand } from './workflow-command';

interface Wanted {
  /** Undefined: all executions of the workflow. */
  readonly key: Key | undefined;
  readonly range: AskedRange;
  /** So many histories are read. */
  readonly sample: number;
}

/** What the executions of a key, or of a workflow in a time, have cost at list prices. */
export const cost = workflowCommand({
  name: 'cost',
  line: [
    'cost [KEY]',
    'what a key, or a workflow in a day, has cost at list prices, and the share of duplicates',
  ],
  usage: 'cost [KEY] [PART...] [options]',
  does: [
    'Counts the billed transitions, the writes and reads of the record and the invocations of functions of the',
    'executions of a key, or of all that began in a time, and sums them up at list prices. The time that functions take',
    'is not in it, nor is what starts the workflow. Of many executions a sample is read, evenly over the time.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    ...timeRange('executions that began', { ago: DAY_MS }),
    sample: count(1, 200, 'read at most N histories'),
  },
  examples: [
    'onceflow cost order-7 --since 7d',
    'onceflow cost --since 1d',
    'onceflow cost --since 2026-11-20 --until 2026-11-21 --json',
  ],
  wantedIn(line): Wanted {
    const { values, positionals } = line;
    const { since, until, sample } = values;
    const hasKey = positionals.length > 0 || values['json-key'] !== undefined;
    return { key: hasKey ? keyIn(line) : undefined, range: { since, until }, sample };
  },
  run: (context, wanted) => answerTo([context], wanted),
  runOnAll: answerTo,
});

async function answerTo(contexts: readonly CommandContext[], wanted: Wanted): Promise<Answer> {
  const documents: (Counted & { readonly workflow: string })[] = [];
  for (const context of contexts) {
    documents.push({ workflow: context.workflow.scope, ...(await countedIn(context, wanted)) });
  }
  const [only] = documents;
  return {
    code: EXIT.done,
    json: only !== undefined && documents.length === 1 ? only : { workflows: documents },
    text: style =>
      documents
        .map(one => `${hanging(style, `${printable(one.recordKey ?? one.workflow)}  `, inWords(one))}\n`)
        .join(''),
  };
}

interface Counted extends ExecutionsCost {
  /** The record's key, if one key was asked about. */
  readonly recordKey?: string;
  readonly since: string;
}

async function countedIn(context: CommandContext, { key: named, range, sample }: Wanted): Promise<Counted> {
  const { aws, workflow, terminal } = context;
  requireHistories(workflow);
  const { since, until } = rangeAt(aws.time.now(), range);
  const from = { since: dateTime(since) };
  if (named === undefined) {
    const search = { range: { since, until }, sample, progress: terminal.progress };
    return { ...from, ...(await costInTime(context, search)) };
  }
  const { text } = await resolveKey(context, named);
  const names = { text, recordKey: `${workflow.scope}#${text}`, owner: undefined };
  const { executions } = await findExecutions(context, names, { since, until, openedMax: sample });
  const costs = executions.map(({ events }) => costOf(events, workflow.prefix));
  const { recordKey } = names;
  const [listed, opened] = [costs.length, costs.length];
  return { ...from, recordKey, cost: sumOf(costs), listed, opened, isCutOff: false };
}

function inWords({ since, ...counted }: Counted): string {
  return `since ${since}: ${executionsCostInWords(counted)}`;
}
