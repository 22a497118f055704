import type { Answer, CommandContext } from '../../actions/answer';
import { dispatchersOf } from '../../aws/dispatchers';
import { grouped } from '../../grouped';
import { readStoppedDeliveries, type StoppedDelivery } from '../../key/stopped-deliveries';
import { hanging, table } from '../../layout';
import { EXIT } from '../../program/exit';
import { dateTime, plural, printable } from '../../text';
import type { TimeRange } from '../../time-range';

/** The duplicates of one key that started nothing. */
interface DuplicatesOfKey {
  readonly name: string;
  readonly count: number;
  readonly last: StoppedDelivery;
}

/** The duplicates of a workflow: each one, or the command that reads their number. */
interface Duplicates {
  readonly context: CommandContext;
  readonly stopped: readonly StoppedDelivery[] | undefined;
  readonly command: string | undefined;
}

/** The deliveries that started nothing, by key, the key with the most first. On AWS the command that counts them. */
export async function duplicatesOf(
  contexts: readonly CommandContext[],
  range: TimeRange,
  limit: number,
): Promise<Answer> {
  const all: Duplicates[] = [];
  for (const context of contexts) {
    const stopped = await readStoppedDeliveries(context, range);
    const command = stopped === undefined ? await metricCommand(context, range) : undefined;
    all.push({ context, stopped, command });
  }
  const keys = all.flatMap(({ context, stopped = [] }) => byKey(stopped).map(of => ({ context, of })));
  const shown = keys.toSorted((one, other) => other.of.count - one.of.count).slice(0, limit);
  const documents = all.map(({ context, stopped, command }) => ({
    workflow: context.workflow.name,
    duplicates: stopped?.length ?? { unknown: WHY_UNKNOWN, command: command ?? null },
    keys: shown.flatMap(({ context: its, of: { name, count, last } }) =>
      its === context ? [{ name, count, lastAt: new Date(last.at), answer: last.answer }] : [],
    ),
  }));
  const [only] = documents;
  return {
    code: EXIT.done,
    json: only !== undefined && documents.length === 1 ? only : { workflows: documents },
    text(style) {
      const columns = [
        { title: 'workflow', values: shown.map(({ context }) => printable(context.workflow.scope)) },
        { title: 'key, by its name', values: shown.map(({ of }) => printable(of.name)) },
        { title: 'duplicates', values: shown.map(({ of }) => String(of.count)) },
        { title: 'last', values: shown.map(({ of }) => dateTime(of.last.at)) },
        { title: 'why, and the answer by HTTP', values: shown.map(({ of }) => printable(of.last.answer)) },
      ].map(column => ({ ...column, isElastic: !['duplicates', 'last'].includes(column.title) }));
      const rows = shown.length === 0 ? '' : `${table(style, columns.slice(all.length > 1 ? 0 : 1))}\n\n`;
      const left = keys.length - shown.length;
      const more = left === 0 ? '' : `${hanging(style, '', `${plural(left, 'more key')}: --limit`)}\n`;
      const sums = all.map(one => hanging(style, '', sumInWords(one, range)));
      return `${rows}${more}${sums.join('\n')}\n`;
    },
  };
}

function byKey(stopped: readonly StoppedDelivery[]): readonly DuplicatesOfKey[] {
  return [...grouped(stopped, ({ name }) => name)].flatMap(([name, of]) => {
    const last = of.at(-1);
    return last === undefined ? [] : [{ name, count: of.length, last }];
  });
}

const WHY_UNKNOWN = 'the executions of dispatchers are in no list of Step Functions';

function sumInWords({ context, stopped, command }: Duplicates, { since }: TimeRange): string {
  const scope = printable(context.workflow.scope);
  if (stopped !== undefined)
    return `${plural(stopped.length, 'duplicate')} of ${scope} started nothing since ${dateTime(since)}`;
  const how = command === undefined ? 'it has no dispatcher' : `their number, at least: ${command}`;
  return `duplicates of ${scope} are unknown here, because ${WHY_UNKNOWN}; ${how}`;
}

/**
 * The call of the AWS CLI that reads how many deliveries started nothing: what dispatchers have done, without what was
 * started. CloudWatch bills each metric that is read. Undefined without a dispatcher.
 */
async function metricCommand(
  context: CommandContext,
  { since, until }: TimeRange,
): Promise<string | undefined> {
  const { aws, workflow } = context;
  const dispatchers = await dispatchersOf(context);
  if (dispatchers.length === 0) return undefined;
  const [from, to] = [new Date(since), new Date(Math.min(until, aws.time.now()))];
  const Period = Math.max(60, Math.ceil((to.getTime() - from.getTime()) / 60_000) * 60);
  const query = (Id: string, MetricName: string, Value: string) => {
    const Metric = { Namespace: 'AWS/States', MetricName, Dimensions: [{ Name: 'StateMachineArn', Value }] };
    return { Id, ReturnData: false, MetricStat: { Metric, Period, Stat: 'Sum' } };
  };
  const taken = dispatchers.map((arn, index) => query(`taken${index}`, 'ExecutionsSucceeded', arn));
  const Expression = `${taken.map(({ Id }) => `FILL(${Id}, 0)`).join(' + ')} - FILL(started, 0)`;
  const queries = [
    ...taken,
    query('started', 'ExecutionsStarted', workflow.stateMachineArn),
    { Id: 'stopped', Expression },
  ];
  return (
    `aws cloudwatch get-metric-data --start-time ${from.toISOString()} --end-time ${to.toISOString()} ` +
    `--metric-data-queries '${JSON.stringify(queries)}'`
  );
}
