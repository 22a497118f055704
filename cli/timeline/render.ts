import { executionNameIn } from '../arns';
import type { JudgedKey } from '../key/judge';
import { keyFacts } from '../key/key-facts';
import type { Searched } from '../key/key-state';
import { namesakeInWords } from '../key/nothing-known';
import { facts, hanging } from '../layout';
import { type Color, colored, type Style } from '../terminal';
import { dateTime, plural, printable } from '../text';
import { whoseIn } from './markdown';
import { type StoryRow, storyOf } from './story';
import type { ToldExecution, ToldExecutions } from './timeline';

/** The story of a key: the facts of its record, the timelines of its executions, and what was looked through. */
export function renderStory(style: Style, judged: JudgedKey, told: ToldExecutions): string {
  const { executions, searched, namesake } = told;
  const owner = judged.record?.owner;
  const timelines = executions.map(one => renderTimeline(style, one, one.executionArn === owner));
  const others = namesake ? [hanging(style, 'Besides: ', namesakeInWords(namesake))] : [];
  const end = searched === undefined ? NOT_KEPT : renderSearched(style, searched);
  const story = storyOf(judged, told);
  const stopped = story.filter(({ kind }) => kind === 'stopped');
  const acts = [
    ...renderRows(style, 'Duplicates', stopped, ({ text }) => text),
    ...renderRows(
      style,
      'Not by a delivery',
      story.filter(({ actor }) => actor !== 'delivery'),
      row => `${row.text}, by ${whoseIn(row)}`,
    ),
  ];
  return `${[renderFacts(style, judged), ...timelines, ...acts, ...others, end].join('\n\n')}\n`;
}

function renderFacts(style: Style, judged: JudgedKey): string {
  const { record } = judged;
  const name = printable(judged.recordKey);
  return record === undefined
    ? `${name} has no record: it was deleted, or no execution has claimed the key`
    : `${name}\n\n${facts(style, keyFacts(judged, record))}`;
}

/** An execution's timeline: a heading, and a line for each thing that it did. */
function renderTimeline(
  style: Style,
  { executionArn, description, timeline }: ToldExecution,
  isOwner: boolean,
): string {
  const { status = 'of unknown status', redriveCount = 0, startDate } = description;
  const redriven =
    redriveCount === 0 ? '' : `, redriven ${redriveCount === 1 ? 'once' : `${redriveCount} times`}`;
  const owner = isOwner ? ', owns the record' : '';
  const name = colored(style, 'bold', printable(executionNameIn(executionArn)));
  const heading = `${name}  ${colored(style, statusColor(status), status)}${redriven}${owner}`;
  let day = startDate === undefined ? '' : dateTime(startDate).slice(0, 10);
  const lines = [colored(style, 'dim', `  ${day}`)];
  for (const { at, text } of timeline) {
    const [date = '', time = ''] = at.toISOString().replace('Z', '').split('T');
    if (date !== day) lines.push(colored(style, 'dim', `  ${date}`));
    day = date;
    lines.push(hanging(style, `  ${time}  `, printable(text)));
  }
  return [heading, ...lines].join('\n');
}

/** What no execution of the workflow tells, such as the acts of recovery and operators. */
function renderRows(
  style: Style,
  title: string,
  rows: readonly StoryRow[],
  textOf: (row: StoryRow) => string,
): readonly string[] {
  if (rows.length === 0) return [];
  const lines = rows
    .slice(-ROWS_MAX)
    .map(row => hanging(style, `  ${dateTime(row.at).replace('Z', '')}  `, printable(textOf(row))));
  const earlier = rows.length > ROWS_MAX ? [`  ${rows.length - ROWS_MAX} before`] : [];
  return [[colored(style, 'bold', title), ...earlier, ...lines].join('\n')];
}

/** So many are listed, the last ones: a key can have thousands of duplicates. */
const ROWS_MAX = 20;

function statusColor(status: string): Color | undefined {
  if (status === 'SUCCEEDED') return 'green';
  if (status === 'RUNNING' || status === 'PENDING_REDRIVE') return 'yellow';
  return /^(?:FAILED|ABORTED|TIMED_OUT)/.test(status) ? 'red' : undefined;
}

/** The text in place of executions that are not kept. */
export const NOT_KEPT =
  'Step Functions does not keep executions of Express workflows. See the log group of the workflow.';

/** The searched range: absence is not proof. */
export function renderSearched(style: Style, searched: Searched): string {
  const { since, listed, isListCutOff, opened } = searched;
  const cut = isListCutOff ? `, the newest ${listed} of them` : '';
  const text =
    `${plural(listed, 'execution')} since ${dateTime(since)}${cut}; ${opened} opened, ${leftOut(searched)}. ` +
    'Earlier ones: --since. All times are UTC.';
  return hanging(style, 'Searched: ', text);
}

function leftOut({ unopened, undecided }: Searched): string {
  const reasons = [
    ...(unopened > 0
      ? [`${unopened} older ones with other names were not opened: search further with --limit`]
      : []),
    ...(undecided > 0 ? [`${undecided} of them left out, because their history does not say their key`] : []),
  ];
  return reasons.length === 0 ? 'none left out' : reasons.join('; ');
}
