import { executionNameIn } from '../arns';
import type { JudgedKey } from '../key/judge';
import { keyFacts } from '../key/key-facts';
import { nextInWords } from '../key/what-is-next';
import { dateTime, printable } from '../text';
import { type StoryRow, storyOf, summaryOf } from './story';
import type { ToldExecutions } from './timeline';

/** The story of a key as Markdown, for a ticket or a message: what happened, what is next, and the event. */
export function storyInMarkdown(judged: JudgedKey, told: ToldExecutions): string {
  const { record, recordKey, now } = judged;
  const event = eventOf(judged, told);
  const rows = storyOf(judged, told).map(({ at, text, ...row }) => {
    return `| ${new Date(at).toISOString()} | ${cell(whoseIn(row))} | ${cell(text)} |`;
  });
  return [
    `# ${printable(recordKey)}${record === undefined ? '' : `: ${printable(record.status)}`}`,
    summaryOf(judged, told),
    ...(record === undefined ? [] : [`Next: ${nextInWords(judged, record)}.`]),
    ...(rows.length === 0 ? [] : [`| time (UTC) | who | what |\n|---|---|---|\n${rows.join('\n')}`]),
    ...(record === undefined
      ? []
      : [
          keyFacts(judged, record)
            .map(([name, words]) => `- ${name}: ${words}`)
            .join('\n'),
        ]),
    ...(event === undefined ? [] : [`The event:\n\n\`\`\`json\n${event.replaceAll('```', '` ` `')}\n\`\`\``]),
    `As of ${dateTime(now)}.`,
  ].join('\n\n');
}

/** The input of the owner, or of the first execution; undefined if none is known. */
export function eventOf({ record }: JudgedKey, { executions }: ToldExecutions): string | undefined {
  const owner = executions.find(({ executionArn }) => executionArn === record?.owner) ?? executions[0];
  return owner?.description.input;
}

/** Who did it, with the execution and the reason: `recovery (order-7)`. */
export function whoseIn({ actor, executionArn, reason }: Omit<StoryRow, 'at' | 'text' | 'kind'>): string {
  const name = executionArn === undefined ? '' : executionNameIn(executionArn);
  const more = [name, reason].filter(text => text !== '').join(', ');
  return more === '' ? actor : `${actor} (${printable(more)})`;
}

function cell(text: string): string {
  return printable(text).replaceAll('|', '\\|');
}
