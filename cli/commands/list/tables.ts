import { type EpochMs, STATUS } from '../../../state-machine/contract/index';
import type { CommandContext } from '../../actions/answer';
import { executionNameIn, ownerNameIn } from '../../arns';
import { failureOf } from '../../key/failure';
import { type KeysCost, keysCostInWords } from '../../key/list/executions-cost';
import { KEY_HEALTHS, type KeyHealth, type Ranked } from '../../key/list/health';
import type { Counts, ScannedRecords } from '../../key/list/scan-records';
import { type Failed, tally } from '../../key/list/tally';
import { reservationOf, reservedInWords } from '../../key/operator/reservation';
import { type KeyRecord, sinceWhen } from '../../key/record';
import { type Column, hanging, table } from '../../layout';
import type { EndedExecution } from '../../repair/ended-executions';
import type { Style } from '../../terminal';
import { dateTime, duration, plural, printable } from '../../text';
import type { AskedRange } from '../../time-range';

export interface ListRequest {
  readonly statuses: readonly string[];
  readonly range: AskedRange;
  readonly limit: number;
  readonly readMax: number;
  /** Only records and executions that failed with this error; undefined: with any. */
  readonly error: string | undefined;
  /** Executions that ended without a record, beside the records. */
  readonly isUnfinished: boolean;
  /** Deliveries that the workflow has rejected. */
  readonly isRejected: boolean;
  /** What the executions of the keys that are shown have cost. */
  readonly isPriced: boolean;
  /** In place of records, the duplicates that started nothing. */
  readonly isOfDuplicates?: boolean;
  /** How many failed, by their error or the hour, instead of a list. */
  readonly by: 'error' | 'hour' | undefined;
}

/** A record, or an execution: of a key without a record, or a delivery that was rejected. */
export type Entry = Ranked & { readonly context: CommandContext; readonly now: EpochMs } & (
    | { readonly record: KeyRecord }
    | { readonly execution: EndedExecution; readonly kind: 'no record' | 'rejected' }
  );

/** The cost of executions, or why it is unknown. */
export type Price = KeysCost | { readonly unknown: string };

/** The keys that were found of one workflow. */
export interface Found extends Omit<ScannedRecords, 'records'> {
  readonly context: CommandContext;
  readonly entries: readonly Entry[];
  readonly failed: readonly Failed[];
  /** How many executions without a record, and rejected deliveries; undefined if not asked for, or not listed. */
  readonly without: number | undefined;
  readonly rejected: number | undefined;
  /** How many duplicates started nothing in this time, or in the last day; undefined if unknown, as on AWS. */
  readonly stopped: number | undefined;
  /** Why executions that are asked for cannot be listed, as those of an Express workflow. */
  readonly whyNotListed: string | undefined;
  /** Of the shown keys; undefined if the cost was not requested. */
  readonly price?: Price;
}

const TITLES = ['workflow', 'key', 'status', 'attempt', 'since', 'owner', 'error'] as const;
const ELASTIC: ReadonlySet<string> = new Set(['workflow', 'key', 'owner', 'error']);

/** The entries that are shown, a row each, and a sentence about all that was found. */
export function tableOf(
  style: Style,
  found: readonly Found[],
  shown: readonly Entry[],
  wanted: ListRequest,
): string {
  const rows = shown.map(entry => [printable(entry.context.workflow.scope), ...rowOf(entry)]);
  const columns = columnsOf(TITLES, rows).slice(found.length > 1 ? 0 : 1);
  return withSummary(style, rows.length === 0 ? '' : table(style, columns), found, shown.length, wanted);
}

/** How many have failed and were rejected, by error or hour, of all workflows together. */
export function tallyOf(
  style: Style,
  found: readonly Found[],
  _: readonly Entry[],
  wanted: ListRequest,
): string {
  const { by = 'error' } = wanted;
  const rows = tally(
    found.flatMap(({ failed }) => failed),
    by,
  ).map(({ name, records, deliveries, oldest, newest }) => [
    printable(name),
    String(records),
    String(deliveries),
    oldest === null ? '?' : dateTime(oldest),
    newest === null ? '?' : dateTime(newest),
  ]);
  const titles = [by, 'records', 'rejected deliveries', 'oldest', 'newest'];
  return withSummary(
    style,
    rows.length === 0 ? '' : table(style, columnsOf(titles, rows)),
    found,
    undefined,
    wanted,
  );
}

function columnsOf(titles: readonly string[], rows: readonly (readonly string[])[]): readonly Column[] {
  return titles.map((title, index) => ({
    title,
    values: rows.map(row => row[index] ?? ''),
    isElastic: ELASTIC.has(title) || title === 'error',
  }));
}

function withSummary(
  style: Style,
  rows: string,
  found: readonly Found[],
  shown: number | undefined,
  wanted: ListRequest,
): string {
  const all = found.reduce((sum, { entries, counts, without = 0, rejected = 0 }) => {
    const records = entries.filter(entry => 'record' in entry).length;
    return sum + Math.max(records, sumOf(counts)) + without + rejected;
  }, 0);
  const more =
    shown === undefined || shown >= all ? [] : [`shown: the ${shown} most urgent; --limit shows more`];
  const isOne = found.length === 1;
  const lines = [
    ...found.toSorted(byAttention).map(one => summaryOf(one, wanted, isOne ? more : []).join('; ')),
    ...(isOne ? [] : more),
  ];
  const sentences = lines.map(line => hanging(style, '', line)).join('\n');
  return `${rows === '' ? '' : `${rows}\n\n`}${sentences}\n`;
}

/** The workflow with the most keys that need a person comes first. */
function byAttention(one: Found, other: Found): number {
  const [of, ofOther] = [one, other].map(
    ({ counts: { held = 0, overdue = 0, failed = 0 }, rejected = 0 }) => held + overdue + failed + rejected,
  );
  return (ofOther ?? 0) - (of ?? 0);
}

function summaryOf(
  { context, counts, without, rejected, stopped = 0, whyNotListed, isWhole, read, others, price }: Found,
  wanted: ListRequest,
  more: readonly string[],
): string[] {
  const records = sumOf(counts);
  return [
    `${plural(records, 'record')} of ${printable(context.workflow.scope)}` +
      (records === 0 ? lookedFor(wanted) : inWords(counts)),
    ...(without === undefined ? [] : [`${plural(without, 'execution')} without a record`]),
    ...(rejected === undefined ? [] : [`${plural(rejected, 'rejected delivery', 'rejected deliveries')}`]),
    ...(stopped === 0 ? [] : [`${plural(stopped, 'duplicate')} started nothing: --duplicates`]),
    ...(whyNotListed === undefined
      ? []
      : [`${unlisted(wanted)}: unknown, because ${printable(whyNotListed)}`]),
    ...more,
    isWhole
      ? `the whole table was read, ${plural(read, 'item')}`
      : `after ${plural(read, 'item')} the table has more: read further with --read-at-most`,
    ...(others === 0
      ? []
      : [`left out: ${plural(others, 'item')} of this scope that lack what a record has`]),
    ...(price === undefined ? [] : [`cost of those shown: ${priceInWords(price)}`]),
  ];
}

/** A requested part that cannot be listed. */
function unlisted({ isUnfinished: isWithout, isRejected }: ListRequest): string {
  const names = [
    ...(isWithout ? ['executions without a record'] : []),
    ...(isRejected ? ['rejected deliveries'] : []),
  ];
  return names.join(' and ');
}

function priceInWords(price: Price): string {
  return 'unknown' in price ? `unknown, because ${price.unknown}` : keysCostInWords(price);
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** If nothing is found, the criteria of the search: otherwise the reader would miss a key that is COMPLETED. */
function lookedFor({ statuses, error }: ListRequest): string {
  const failed = error === undefined ? '' : `, and failed with ${printable(error)}`;
  return ` that are ${statuses.join(', ')}${failed}`;
}

function inWords(counts: Counts): string {
  const words = KEY_HEALTHS.flatMap(health => {
    const count = counts[health];
    return count === undefined ? [] : [`${count} ${WORDS[health]}`];
  });
  return ` (${words.join(', ')})`;
}

const WORDS: Readonly<Record<KeyHealth, string>> = {
  held: 'held for review',
  overdue: 'overdue',
  failed: 'failed',
  rejected: 'rejected',
  released: 'released',
  inProgress: 'in progress',
  unknown: 'of another status',
  completed: 'completed',
  expired: 'expired',
};

function errorIn(record: KeyRecord): string {
  const reservation = reservationOf(record);
  return reservation === undefined ? printable(failureOf(record)?.error ?? '') : reservedInWords(reservation);
}

function rowOf(entry: Entry): readonly string[] {
  const { context, health, now } = entry;
  const { scope, stateMachineArn } = context.workflow;
  if ('execution' in entry) {
    const { recordKey, stoppedAt, executionArn, error } = entry.execution;
    return [
      recordKey === undefined ? '?' : printable(recordKey.slice(`${scope}#`.length)),
      entry.kind,
      '',
      duration(now - stoppedAt),
      printable(executionNameIn(executionArn)),
      printable(error),
    ];
  }
  const { record } = entry;
  const since = sinceWhen(record);
  const isAdded = health === 'overdue' || health === 'expired' || record.status === STATUS.failed;
  return [
    printable(record.recordKey.slice(`${scope}#`.length)),
    `${printable(record.status)}${isAdded && health !== 'failed' ? ` (${WORDS[health]})` : ''}`,
    String(record.attempt),
    since === undefined ? '?' : duration(now - since),
    printable(ownerNameIn(record.owner, stateMachineArn)),
    errorIn(record),
  ];
}
