/**
 * List prices in us-east-1 in US dollars, on demand, without free tiers, of 2026-11-21. Look them up again before you
 * quote a sum: they are AWS's, and differ between regions.
 */
export const PRICES = {
  region: 'us-east-1',
  date: '2026-11-21',
  /** @see https://aws.amazon.com/step-functions/pricing/ */
  standardTransition: 25e-6,
  expressExecution: 1e-6,
  expressGbSecond: 16.67e-6,
  /** A request to a standard queue, up to 64 KB. @see https://aws.amazon.com/sqs/pricing/ */
  queueRequest: 0.4e-6,
  /** A request to a REST API, up to 333 million a month. @see https://aws.amazon.com/api-gateway/pricing/ */
  apiRequest: 3.5e-6,
  /** @see https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  writeRequestUnit: 0.625e-6,
  readRequestUnit: 0.125e-6,
  /** @see https://aws.amazon.com/lambda/pricing/ */
  invocation: 0.2e-6,
  lambdaGbSecond: 16.6667e-6,
  /** Logs that are taken in. @see https://aws.amazon.com/cloudwatch/pricing/ */
  logGb: 0.5,
} as const;

/** How many units AWS bills for something, by the name of their price in {@link PRICES}. */
export type BilledUnits = {
  readonly [Unit in Exclude<keyof typeof PRICES, 'region' | 'date'>]?: number;
};

/** The list price of billed units, in US dollars. */
export function listPriceOf(units: BilledUnits): number {
  const counts = Object.entries(units) as [keyof BilledUnits, number][];
  return counts.reduce((sum, [unit, count]) => sum + count * PRICES[unit], 0);
}

/** The assumptions beside the counts. */
export const ASSUMED = {
  /** Of a record: a write is one unit up to 1 KB, a read up to 4 KB. */
  recordKb: 1,
  /** Of one Express execution of the dispatcher, seconds; Express bills memory in steps of 64 MB. */
  dispatcherSeconds: 0.2,
  dispatcherGb: 64 / 1024,
  /** Of the function with idempotency code in it. */
  functionGb: 256 / 1024,
  /** Of one DynamoDB call that a function waits for, seconds. */
  awaitedSeconds: 0.005,
  /** What a duplicate's invocation takes beside the calls it waits for, seconds. */
  invocationSeconds: 0.005,
  /** The lines that Lambda logs of each invocation: start, end and report. */
  invocationLogBytes: 350,
  /** What CloudWatch Logs bills of each line beside its text. */
  logLineBytes: 26,
} as const;
