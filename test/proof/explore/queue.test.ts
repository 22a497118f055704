import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withFigures } from '../../../proof/explore/figures';
import { mutatedCode, QUEUE_MUTATIONS } from '../../../proof/explore/queue/mutations';
import { exploreQueue, replayQueue } from '../../../proof/explore/queue/search';
import { QUEUE_SUBJECTS, queueSubject } from '../../../proof/explore/queue/subjects';
import { queueRow } from '../../../proof/explore/queue/table';
import { rowOf } from '../../../proof/explore/variants/table';
import { explored } from '../../support/scale';

const FILE = path.join(__dirname, '../../../docs/proof/explored-queue.md');
const PAGE = readFileSync(FILE, 'utf8');
const [, TABLE = ''] = /^<!-- explore: queue -->\n([\s\S]*?)^<!-- explore: end -->$/m.exec(PAGE) ?? [];
const lineOf = (name: string) => TABLE.split('\n').find(line => line.startsWith(`| ${name} |`)) ?? '';

/** Whether a subject has so few states that it is explored again. */
function isExploredAgain(name: string): boolean {
  return Number((lineOf(name).split(' | ')[3] ?? '').replaceAll(',', '')) <= explored(12_000, 500_000);
}

describe("the queue's two functions", () => {
  test('subjects: each has its row on the page, without a violation', () => {
    expect(QUEUE_SUBJECTS.map(({ name }) => lineOf(name))).toEqual(
      QUEUE_SUBJECTS.map(() => expect.stringMatching(/ none \|$/)),
    );
  });

  test.each(QUEUE_SUBJECTS.filter(({ name }) => isExploredAgain(name)).map(({ name }) => name))(
    '%s: the counts are those of an exploration',
    async name => {
      const subject = queueSubject(name);

      expect(queueRow(subject, await exploreQueue(subject))).toBe(lineOf(name));
    },
    300_000,
  );

  test.each(QUEUE_MUTATIONS.map(mutation => [mutation.name, mutation] as const))(
    '%s: is found by its invariant',
    async (_, mutation) => {
      const { subject = 'one message', changes, trace, killedBy } = mutation;
      const changed = { ...queueSubject(subject), ...changes };
      const code = mutatedCode(mutation);
      const invariant = trace
        ? await replayQueue(changed, trace, code)
        : (await exploreQueue(changed, code)).violation?.invariant;

      expect(invariant).toBe(killedBy);
    },
    60_000,
  );

  test.each(
    QUEUE_MUTATIONS.flatMap(mutation => (mutation.trace ? [mutation] : [])).map(one => [one.name, one]),
  )(
    '%s: its trace breaks nothing in the deployed code',
    async (_, { subject = 'one message', changes, trace = '' }) => {
      const changed = { ...queueSubject(subject), ...changes };
      // The deployed code ends the check or hides the message, so the last steps are others.
      await expect(replayQueue(changed, trace)).rejects.toThrow(/cannot happen/);
    },
  );

  test('an exploration that is aborted: ends at once', async () => {
    const ended = new AbortController();
    const exploration = exploreQueue(queueSubject('early checks'), undefined, ended.signal);
    setTimeout(() => ended.abort(), 10);

    await expect(exploration).rejects.toThrow('aborted');
  });

  test('the table of its mutants on the page', () => {
    const head = ['mutant', 'killed by'];
    const rows = QUEUE_MUTATIONS.map(({ name, says, killedBy }) => [
      `\`${name}\`: ${says}`,
      `\`${killedBy}\``,
    ]);
    const table = [head, head.map(() => '---'), ...rows].map(cells => `${rowOf(cells)}\n`).join('');
    const page = withFigures(PAGE, { 'mutants of the queue': table });
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(FILE, page);

    expect(page).toBe(readFileSync(FILE, 'utf8'));
  });
});
