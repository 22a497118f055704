import type { ReplayReport } from '@onceflow/local';
import { hanging } from '../render/layout';
import { colored, type Style } from '../terminal';
import { dateTime, plural, printable } from '../text';

/** A history by its file, and how its replay came out. */
export interface Row {
  readonly file: string;
  readonly report: ReplayReport;
}

/** The answer for people: a paragraph per history that needs one, then the sum. */
export function rendered(rows: readonly Row[], style: Style): string {
  const kinds = (['same', 'diverged', 'refused'] as const).map(kind => {
    return `${rows.filter(({ report }) => report.kind === kind).length} ${WORDS[kind]}`;
  });
  const sum = `${plural(rows.length, 'history', 'histories')}: ${kinds.join(', ')}`;
  const taken = takenFrom(rows);
  const open =
    taken.length === 0
      ? ''
      : `${hanging(style, '', `Not compared, as the definition leaves it to the deployment: ${taken.join(', ')}`)}\n`;
  return `${rows.map(row => paragraph(row, style)).join('\n')}\n\n${open}${sum}\n`;
}

const WORDS = { same: 'the same way', diverged: 'another way', refused: 'not replayed' } as const;

function paragraph({ file, report }: Row, style: Style): string {
  const name = printable(file);
  if (report.kind === 'refused') {
    return hanging(style, `${name}  ${colored(style, 'yellow', 'not replayed')}: `, printable(report.reason));
  }
  const of = `${plural(report.events, 'event')}, ${report.status}`;
  const notes = report.notes.map(note => hanging(style, '  note: ', printable(note)));
  if (report.kind === 'same') return [`${name}  the same way (${of})`, ...notes].join('\n');
  const { eventId, time, state, aspect, path, recorded, replayed } = report.divergence;
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
  const taken = rows.flatMap(({ report }) => (report.kind === 'refused' ? [] : report.taken));
  const texts = taken
    .filter(({ name, value }) => name !== value)
    .map(({ name, value }) => printable(`${name} (recorded as ${value})`));
  return [...new Set(texts)];
}
