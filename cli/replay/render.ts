import type { ReplayReport } from '@onceflow/local';
import { hanging } from '../layout';
import { colored, type Style } from '../terminal';
import { dateTime, plural, printable } from '../text';
import type { ReplayedFile } from './replay-file';

/** Histories that are named even if there is nothing to say about them; more are only counted. */
const NAMED_MAX = 20;
/** Divergences of one kind that are described in full. */
const DESCRIBED_MAX = 2;

/** The answer for people: a paragraph per history that needs one, then the sum. */
export function renderReplays(style: Style, replayed: readonly ReplayedFile[]): string {
  const counts = (['same', 'diverged', 'notReplayed'] as const).map(kind => {
    return `${replayed.filter(({ report }) => report.kind === kind).length} ${OUTCOMES[kind]}`;
  });
  const shown = replayed.filter(({ report }) => replayed.length <= NAMED_MAX || !isPlain(report));
  const byKind = new Map<string, ReplayedFile[]>();
  const paragraphs = shown.map(one => {
    const kind = kindOf(one.report);
    const before = byKind.get(kind) ?? [];
    byKind.set(kind, [...before, one]);
    return paragraph(style, one, before.length < DESCRIBED_MAX ? undefined : before[0]);
  });
  const taken = takenFrom(replayed);
  const open = `Taken from the recordings, as the definition leaves them open: ${taken.join(', ')}`;
  return [
    ...paragraphs,
    ...(paragraphs.length > 0 ? [''] : []),
    ...(taken.length > 0 ? [hanging(style, '', open)] : []),
    `${plural(replayed.length, 'history', 'histories')}: ${counts.join(', ')}\n`,
  ].join('\n');
}

/** True if there is nothing to say of a history but that it goes the same way. */
function isPlain(report: ReplayReport): boolean {
  return report.kind === 'same' && report.notes.length === 0;
}

/** What two divergences of one cause have in common. */
function kindOf(report: ReplayReport): string {
  if (report.kind !== 'diverged') return '';
  const { state, aspect, path } = report.divergence;
  return JSON.stringify([state, aspect, path]);
}

const OUTCOMES = { same: 'the same way', diverged: 'another way', notReplayed: 'not replayed' } as const;

/** `alike` is one with a divergence of the same kind that was described before. */
function paragraph(style: Style, { file, report }: ReplayedFile, alike: ReplayedFile | undefined): string {
  const name = printable(file);
  if (report.kind === 'notReplayed') {
    return hanging(
      style,
      `${name}  ${colored(style, 'yellow', OUTCOMES.notReplayed)}: `,
      printable(report.reason),
    );
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

/** What the recordings filled in where definitions are open: each name with its text. */
function takenFrom(replayed: readonly ReplayedFile[]): readonly string[] {
  const taken = replayed.flatMap(({ report }) => (report.kind === 'notReplayed' ? [] : report.taken));
  const texts = taken
    .filter(({ name, value }) => name !== value)
    .map(({ name, value }) => printable(`${name} (${value})`));
  return [...new Set(texts)];
}
