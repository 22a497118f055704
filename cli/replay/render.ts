import type { ReplayReport } from '@onceflow/local';
import { hanging } from '../layout';
import { colored, type Style } from '../terminal';
import { dateTime, plural, printable } from '../text';

/** A history by its file, and how its replay came out. */
export interface Row {
  readonly file: string;
  readonly report: ReplayReport;
  /** The program itself failed on it. */
  readonly isFault?: true;
}

/** Histories that are named though nothing is to be said of them; more are only counted. */
const NAMED = 20;
/** Divergences of one kind that are told in full. */
const TOLD = 2;

/** The answer for people: a paragraph per history that needs one, then the sum. */
export function rendered(rows: readonly Row[], style: Style): string {
  const kinds = (['same', 'diverged', 'rejected'] as const).map(kind => {
    return `${rows.filter(({ report }) => report.kind === kind).length} ${WORDS[kind]}`;
  });
  const shown = rows.filter(({ report }) => rows.length <= NAMED || !isPlain(report));
  const alike = new Map<string, Row[]>();
  const paragraphs = shown.map(row => {
    const kind = kindOf(row.report);
    const before = alike.get(kind) ?? [];
    alike.set(kind, [...before, row]);
    return paragraph(row, style, before.length < TOLD ? undefined : before[0]);
  });
  const taken = takenFrom(rows);
  const open = `Taken from the recordings, as the definition leaves them open: ${taken.join(', ')}`;
  return [
    ...paragraphs,
    ...(paragraphs.length > 0 ? [''] : []),
    ...(taken.length > 0 ? [hanging(style, '', open)] : []),
    `${plural(rows.length, 'history', 'histories')}: ${kinds.join(', ')}\n`,
  ].join('\n');
}

function isPlain(report: ReplayReport): boolean {
  return report.kind === 'same' && report.notes.length === 0;
}

/** What two divergences of one cause have in common. */
function kindOf(report: ReplayReport): string {
  if (report.kind !== 'diverged') return '';
  const { state, aspect, path } = report.divergence;
  return JSON.stringify([state, aspect, path]);
}

const WORDS = { same: 'the same way', diverged: 'another way', rejected: 'not replayed' } as const;

/** `alike` is one with a divergence of the same kind, which has been told. */
function paragraph({ file, report }: Row, style: Style, alike: Row | undefined): string {
  const name = printable(file);
  if (report.kind === 'rejected') {
    return hanging(style, `${name}  ${colored(style, 'yellow', 'not replayed')}: `, printable(report.reason));
  }
  const status = report.status === 'RUNNING' ? 'without an end' : report.status;
  const of = `${plural(report.events, 'event')}, ${status}`;
  const notes = report.notes.map(note => hanging(style, '  note: ', printable(note)));
  if (report.kind === 'same') return [`${name}  the same way (${of})`, ...notes].join('\n');
  const { eventId, time, state, aspect, path, recorded, replayed } = report.divergence;
  if (alike) {
    const as = printable(alike.file);
    return `${name}  ${colored(style, 'red', 'another way')} (${of}): at event ${eventId}, as ${as}`;
  }
  const where = state === '' ? '' : `, state ${JSON.stringify(state)}`;
  const at = path === '' ? '' : `, ${path}`;
  return [
    `${name}  ${colored(style, 'red', 'another way')} (${of})`,
    hanging(
      style,
      '  ',
      printable(`at event ${eventId}, ${dateTime(time)}${where}: ${ASPECTS[aspect]}${at}`),
    ),
    hanging(style, '    recorded         ', printable(recorded)),
    hanging(style, '    this definition  ', printable(replayed)),
    ...notes,
  ].join('\n');
}

const ASPECTS = {
  next: 'another next state',
  arguments: 'other arguments',
  input: 'another input',
  output: 'another output',
  variables: 'other variables',
  resource: 'another resource',
  limits: 'other limits of the call',
  error: 'another error',
  retry: 'another decision to retry',
  timeout: 'another end by timeout',
  event: 'another course',
} as const;

function takenFrom(rows: readonly Row[]): readonly string[] {
  const taken = rows.flatMap(({ report }) => (report.kind === 'rejected' ? [] : report.taken));
  const texts = taken
    .filter(({ name, value }) => name !== value)
    .map(({ name, value }) => printable(`${name} (${value})`));
  return [...new Set(texts)];
}
