import type { DeliveryInterceptor, Interceptor, TestStack } from '@onceflow/local';
import { reportsOf, sell } from './shop';

/** Half an hour before the first report. */
export const START = Date.parse('2026-11-20T08:30:00Z');
const HOUR = 3_600_000;

/** One scheduled time, and what came of it. */
export interface Row {
  readonly time: string;
  readonly what: string;
  /** Events that reached the workflow's dispatcher. */
  readonly deliveries: number;
  /** Calls of the business step, failed ones included. */
  readonly runs: number;
  readonly reports: number;
  readonly total: number;
  /** True where there is one report of this time, with the sales of the hour before it. */
  readonly isRight: boolean;
}

/** Counts what is delivered and what runs, by scheduled time; its interceptors are for the stack of the story. */
export class Witness {
  readonly deliveries = new Map<string, number>();
  readonly runs = new Map<string, number>();
  /** Scheduled times whose next run fails before it has written anything. */
  readonly failing = new Set<string>();
  /** Scheduled times whose event is delivered, and the answer lost: EventBridge delivers it again. */
  readonly losing = new Set<string>();

  readonly interceptor: Interceptor = async (call, next) => {
    if (call.stateName !== 'Business step') return next();
    const { Payload } = call.arguments as { readonly Payload: { readonly input: { readonly time: string } } };
    const { time } = Payload.input;
    count(this.runs, time);
    if (!this.failing.delete(time)) return next();
    return { kind: 'failed', error: 'SalesNotReadable', cause: 'made up by the story' };
  };

  readonly deliveryInterceptor: DeliveryInterceptor = async ({ ruleArn, input }, next) => {
    if (!isOfTheReport(ruleArn)) return next();
    const { time } = JSON.parse(input) as { readonly time: string };
    count(this.deliveries, time);
    const answer = await next();
    if (this.losing.delete(time)) throw new Error('connection reset');
    return answer;
  };
}

/** Whether a schedule is the report's own: its workflow has a schedule for the search of its recovery, too. */
export function isOfTheReport(rule: string): boolean {
  return rule.includes('SourceSchedule');
}

function count(counts: Map<string, number>, time: string): void {
  counts.set(time, (counts.get(time) ?? 0) + 1);
}

/** Plays four hours: a time that comes once, twice, with a lost answer, and with a run that fails first. */
export async function play(stack: TestStack, witness: Witness): Promise<readonly Row[]> {
  for (const { hour, amounts } of HOURS) await sell(stack, hour, amounts);
  witness.losing.add(timeOf(2));
  witness.failing.add(timeOf(3));

  const rule = stack.schedules.names().find(isOfTheReport) ?? '';
  await stack.pass(HOUR / 2);
  for (const index of HOURS.keys()) {
    // The schedule has fired for this time already.
    if (HOURS[index]?.isFiredTwice) await stack.schedules.fire(rule);
    if (index < HOURS.length - 1) await stack.pass(HOUR);
  }
  await stack.act(async () => undefined);

  const reports = await reportsOf(stack);
  return HOURS.map(({ what, amounts }, index) => {
    const time = timeOf(index);
    const own = reports.filter(({ scheduledTime }) => scheduledTime === time);
    const total = own.reduce((sum, report) => sum + report.total, 0);
    const [deliveries, runs] = [witness.deliveries.get(time) ?? 0, witness.runs.get(time) ?? 0];
    const isRight = own.length === 1 && total === amounts.reduce((sum, amount) => sum + amount, 0);
    return { time, what, deliveries, runs, reports: own.length, total, isRight };
  });
}

const HOURS = [
  { hour: '2026-11-20T08', amounts: [1250, 300], what: 'fires once', isFiredTwice: false },
  { hour: '2026-11-20T09', amounts: [999], what: 'fires twice', isFiredTwice: true },
  { hour: '2026-11-20T10', amounts: [5000, 1, 1], what: 'an answer is lost', isFiredTwice: false },
  { hour: '2026-11-20T11', amounts: [700], what: 'fires twice, the first run fails', isFiredTwice: true },
] as const;

function timeOf(index: number): string {
  return `${new Date(START + HOUR / 2 + index * HOUR).toISOString().slice(0, 19)}Z`;
}
