import type { FoundExecution, Searched } from '../key/find-executions';
import { printable } from '../text';
import { dateTime } from '../time-text';
import { hanging } from './layout';
import { colourOf, type Look, painted } from './look';

/** An execution's story: a heading, and a line for each thing that it did. */
export function renderExecution(look: Look, execution: FoundExecution, isOwner: boolean): string {
  const { status, story, redriveCount, startDate } = execution;
  const redriven =
    redriveCount === 0 ? '' : `, redriven ${redriveCount === 1 ? 'once' : `${redriveCount} times`}`;
  const owner = isOwner ? ', owns the record' : '';
  const name = painted(look, 'bold', printable(execution.name));
  const heading = `${name}  ${painted(look, colourOf(status), status)}${redriven}${owner}`;
  let day = startDate === undefined ? '' : dateTime(startDate).slice(0, 10);
  const lines = [painted(look, 'dim', `  ${day}`)];
  for (const { at, text } of story) {
    const [date = '', time = ''] = at.toISOString().replace('Z', '').split('T');
    if (date !== day) lines.push(painted(look, 'dim', `  ${date}`));
    day = date;
    lines.push(hanging(look, `  ${time}  `, printable(text)));
  }
  return [heading, ...lines].join('\n');
}

/** What was looked through: absence is no proof. */
export function renderSearched(look: Look, searched: Searched): string {
  const { since, listed, isListCutOff, opened, unopened } = searched;
  const cut = isListCutOff ? `, the newest ${listed} of them` : '';
  const missed =
    unopened === 0
      ? 'none left out'
      : `${unopened} older ones with other names were not opened: look further with --limit`;
  const text =
    `${listed} execution${listed === 1 ? '' : 's'} since ${dateTime(since)}${cut}; ${opened} opened, ${missed}. ` +
    'Earlier ones: --since. All times are UTC.';
  return hanging(look, 'Searched: ', text);
}
