import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Interceptor, LocalStack, MetricDatum, ServiceCall, ServiceResult } from '@onceflow/local';
import { assemblyOf } from '../assembly';
import type { Variant } from '../variant';
import type { World } from '../world';
import { matchesPattern } from './filter-pattern';
import { evaluateMath } from './metric-math';
import { TemplateValues } from './template-values';

interface MetricJson {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

interface Statistics {
  readonly Period: number;
  readonly Stat: string;
}

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: Statistics & { readonly Metric: MetricJson };
  readonly ReturnData?: boolean;
}

/** An alarm of a template, with its references resolved. */
export interface AlarmJson extends Partial<MetricJson> {
  readonly AlarmDescription?: string;
  readonly Metrics?: readonly MetricQuery[];
  readonly Period?: number;
  readonly Statistic?: string;
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData?: string;
}

interface FilterJson {
  readonly LogGroupName: string;
  readonly FilterPattern: string;
  readonly MetricTransformations: readonly {
    readonly MetricNamespace: string;
    readonly MetricName: string;
    readonly MetricValue: string;
  }[];
}

type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties: object }>>;

/** A time in which data counts, in epoch milliseconds; `to` is not part of it. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * What CloudWatch would make of a template's metric filters and alarms, over what a local stack has logged and what its
 * services have told of themselves.
 */
export class CloudWatch {
  readonly #stack: LocalStack;
  readonly #filters: readonly FilterJson[];
  readonly #alarms: ReadonlyMap<string, AlarmJson>;
  /** What services tell of themselves that the local ones keep to themselves. */
  readonly #observed: MetricDatum[] = [];

  constructor(stack: LocalStack, assembly: string, stackName = 'OnceflowPayments') {
    this.#stack = stack;
    const template = readFileSync(path.join(assembly, `${stackName}.template.json`), 'utf8');
    const { Resources: resources } = JSON.parse(template) as { readonly Resources: Resources };
    const values = new TemplateValues(stack);
    const ofType = (type: string) =>
      Object.entries(resources).filter(([, resource]) => resource.Type === type);
    this.#filters = ofType('AWS::Logs::MetricFilter').map(
      ([, { Properties }]) => values.resolve(Properties) as FilterJson,
    );
    this.#alarms = new Map(
      ofType('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => {
        // The called target is not evaluated, and may not be run here.
        const { AlarmActions, OKActions, ...alarm } = Properties as Readonly<Record<string, unknown>>;
        return [id, values.resolve(alarm) as AlarmJson];
      }),
    );
  }

  /** The logical ids of the alarms. */
  get alarms(): readonly string[] {
    return [...this.#alarms.keys()];
  }

  alarm(id: string): AlarmJson {
    const alarm = this.#alarms.get(id);
    if (!alarm) throw new Error(`there is no alarm ${id}`);
    return alarm;
  }

  /** What the metric of each alarm comes to over all that has happened, by its logical id; 0 without data. */
  totals(): ReadonlyMap<string, number> {
    const all = new Series(this.#data(), { from: 0, to: Number.POSITIVE_INFINITY });
    return new Map([...this.#alarms].map(([id, alarm]) => [id, figureOf(alarm, all) ?? 0]));
  }

  /** The alarms that have fired at some time, looked at every minute. Epoch milliseconds. */
  fired({ from, to }: Span): readonly string[] {
    const data = this.#data();
    const minutes = Array.from(
      { length: Math.ceil((to - from) / MINUTE_MS) },
      (_, at) => from + at * MINUTE_MS,
    );
    const hasFired = (alarm: AlarmJson) => minutes.some(now => isFiring(alarm, data, now));
    return [...this.#alarms].filter(([, alarm]) => hasFired(alarm)).map(([id]) => id);
  }

  /** Lets what state machines ask of functions and tables be seen, as those services tell of it. */
  watching(faults: Interceptor, now: () => number): Interceptor {
    return async (call, next) => {
      const result = await faults(call, next);
      for (const told of toldOf(call, result)) this.#observed.push({ ...told, timestamp: now() });
      return result;
    };
  }

  /** Lets the queues tell how many messages wait in them. Epoch milliseconds. */
  sampleQueues(now: number): void {
    for (const { name } of this.#stack.queues.list()) {
      const value = (this.#stack.queues.peek(name) ?? []).filter(({ visibleAt }) => visibleAt <= now).length;
      const metricName = 'ApproximateNumberOfMessagesVisible';
      const dimensions = { QueueName: name };
      this.#observed.push({ namespace: 'AWS/SQS', metricName, dimensions, timestamp: now, value });
    }
  }

  /** Lets the metric of an alarm have a value: what a service would tell that the local stack cannot be brought to. */
  tell(id: string, value: number, now: number): void {
    const { Namespace: namespace, MetricName: metricName, Dimensions = [], Metrics } = this.alarm(id);
    const metric = Metrics?.[0]?.MetricStat?.Metric ?? {
      Namespace: namespace,
      MetricName: metricName,
      Dimensions,
    };
    const named = (metric.Dimensions ?? []).map(({ Name, Value }) => [Name, Value] as const);
    this.#observed.push({
      namespace: metric.Namespace ?? '',
      metricName: metric.MetricName ?? '',
      dimensions: Object.fromEntries(named),
      timestamp: now,
      value,
    });
  }

  #data(): readonly MetricDatum[] {
    const counted = this.#filters.flatMap(({ LogGroupName, FilterPattern, MetricTransformations }) => {
      const events = this.#stack.logs.events(LogGroupName);
      const matching = events.filter(({ message }) => matchesPattern(FilterPattern, message));
      return matching.flatMap(({ timestamp }) =>
        MetricTransformations.map(({ MetricNamespace, MetricName, MetricValue }) => {
          const value = Number(MetricValue);
          return { namespace: MetricNamespace, metricName: MetricName, dimensions: {}, timestamp, value };
        }),
      );
    });
    return [...this.#stack.metrics.data, ...counted, ...this.#observed];
  }
}

const MINUTE_MS = 60_000;

/** What a function or a table tells of a call. */
function toldOf(call: ServiceCall, result: ServiceResult): Omit<MetricDatum, 'timestamp'>[] {
  if (result.kind !== 'failed') return [];
  const { FunctionName, TableName } = call.arguments as { FunctionName?: string; TableName?: string };
  if (call.resource === 'lambda:invoke' && FunctionName !== undefined) {
    const metricName = result.error === 'Lambda.TooManyRequestsException' ? 'Throttles' : 'Errors';
    if (metricName === 'Errors' && result.error.startsWith('Lambda.')) return [];
    const dimensions = { FunctionName: FunctionName.split(':').at(-1) ?? '' };
    return [{ namespace: 'AWS/Lambda', metricName, dimensions, value: 1 }];
  }
  if (TableName !== undefined && /Throughput|Throttling/.test(result.error)) {
    const metricName = call.resource.endsWith('getItem') ? 'ReadThrottleEvents' : 'WriteThrottleEvents';
    return [{ namespace: 'AWS/DynamoDB', metricName, dimensions: { TableName }, value: 1 }];
  }
  return [];
}

/** The data of one span, by metric and statistic. */
class Series {
  constructor(
    private readonly data: readonly MetricDatum[],
    private readonly span: Span,
  ) {}

  statistic({ Namespace, MetricName, Dimensions = [] }: MetricJson, stat: string): number | undefined {
    const values = this.data
      .filter(datum => datum.namespace === Namespace && datum.metricName === MetricName)
      .filter(({ timestamp }) => timestamp >= this.span.from && timestamp < this.span.to)
      .filter(({ dimensions }) => isSame(dimensions, Dimensions))
      .map(({ value }) => value);
    if (values.length === 0) return undefined;
    if (stat === 'Sum') return values.reduce((sum, value) => sum + value, 0);
    if (stat === 'Maximum') return Math.max(...values);
    throw new Error(`the statistic ${stat} is not evaluated`);
  }
}

function isSame(
  dimensions: MetricDatum['dimensions'],
  wanted: NonNullable<MetricJson['Dimensions']>,
): boolean {
  const isEach = wanted.every(({ Name, Value }) => dimensions[Name] === Value);
  return isEach && Object.keys(dimensions).length === wanted.length;
}

function figureOf({ Metrics, ...simple }: AlarmJson, series: Series): number | undefined {
  if (!Metrics) return series.statistic(simple as MetricJson, simple.Statistic ?? '');
  const value = (id: string): number | undefined => {
    const query = Metrics.find(({ Id }) => Id === id);
    if (!query) throw new Error(`an expression refers to ${id}, which there is not`);
    if (query.Expression !== undefined) return evaluateMath(query.Expression, value);
    return query.MetricStat && series.statistic(query.MetricStat.Metric, query.MetricStat.Stat);
  };
  const returned = Metrics.filter(({ ReturnData = true }) => ReturnData);
  if (returned.length !== 1) throw new Error(`an alarm has one expression, got ${returned.length}`);
  return value(returned[0]?.Id ?? '');
}

function periodOf({ Metrics = [], Period }: AlarmJson): number {
  const periods = Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
  return 1000 * Math.max(Period ?? 0, ...periods);
}

function isFiring(alarm: AlarmJson, data: readonly MetricDatum[], now: number): boolean {
  const period = periodOf(alarm);
  const end = Math.floor(now / period) * period;
  const values = Array.from({ length: alarm.EvaluationPeriods }, (_, index) => {
    const to = end - index * period;
    return figureOf(alarm, new Series(data, { from: to - period, to }));
  });
  const breaching = values.filter(value => isBreaching(value, alarm)).length;
  return breaching >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods);
}

function isBreaching(
  value: number | undefined,
  { Threshold, ComparisonOperator, TreatMissingData }: AlarmJson,
): boolean {
  if (value === undefined) {
    if (TreatMissingData === 'notBreaching') return false;
    throw new Error(`missing data that is ${TreatMissingData ?? 'missing'} is not evaluated`);
  }
  if (ComparisonOperator === 'GreaterThanOrEqualToThreshold') return value >= Threshold;
  if (ComparisonOperator === 'GreaterThanThreshold') return value > Threshold;
  throw new Error(`${ComparisonOperator} is not evaluated`);
}

/** What the metrics of a world's alarms come to, by the names of the constructs. */
export function totalsOf(world: World, variant: Variant): ReadonlyMap<string, number> {
  const totals = new CloudWatch(world.stack, assemblyOf(variant)).totals();
  return new Map([...totals].map(([id, total]) => [id.replace(/[0-9A-F]{8}$/, ''), total]));
}
