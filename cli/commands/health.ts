import type { HealthLine } from '@onceflow/console';
import type { Answer, CommandContext } from '../actions/answer';
import { facts } from '../layout';
import { EXIT } from '../program/exit';
import { usage } from '../program/rejection';
import { readHealth } from '../repair/recovery-health';
import { printable } from '../text';
import { workflowCommand } from './workflow-command';

/** Whether recovery works, of all workflows: for people, and for scripts by its exit code. */
export const health = workflowCommand({
  name: 'health',
  line: ['health', 'says whether recovery works, and what lies in dead-letter queues'],
  isReadOnly: true,
  usage: 'health [options]',
  does: [
    'Says of each recovery when it last searched, what it did in the last day, and how often it gave up; which dead-letter',
    'queues have messages; and what cannot be known here, and why. Exits with 1 if recovery gave up a key that is still',
    'open, if a search failed or is late, if there are dead letters, or if the queues cannot be read.',
  ],
  keyOptions: {},
  options: {},
  examples: ['onceflow health', 'onceflow health --json'],
  wantedIn({ positionals }) {
    if (positionals.length > 0) throw usage('health does not take a key; `onceflow show KEY` explains one');
    return {};
  },
  run: context => answerTo([context]),
  runOnAll: answerTo,
});

async function answerTo(contexts: readonly CommandContext[]): Promise<Answer> {
  const lines = await readHealth(contexts);
  const isBad = lines.some(({ state }) => state === 'bad');
  const isUnread = lines.some(line => line.isUnread === true);
  return {
    code: isBad || isUnread ? EXIT.failed : EXIT.done,
    // Null: what could be read is good, and something could not.
    json: { healthy: isBad ? false : isUnread ? null : true, lines },
    text: style =>
      `${facts(
        style,
        lines.map(({ name, state, words }) => [printable(name), `${MARKS[state]} ${printable(words)}`]),
      )}\n`,
  };
}

const MARKS: Readonly<Record<HealthLine['state'], string>> = {
  good: 'ok:',
  bad: 'attention:',
  unknown: 'not known:',
};
