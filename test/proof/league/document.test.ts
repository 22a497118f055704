import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ONCEFLOW } from '../../../proof/league/contenders/onceflow';
import { INSERT_FIRST, LOCK_LEASE } from '../../../proof/league/contenders/plain';
import { parseOptions } from '../../../proof/league/options';
import { renderReplay } from '../../../proof/league/render';
import { isPromising, PROMISED, TITLES } from '../../../proof/league/report';
import { textOf } from '../../../proof/league/schedule';
import { replay } from '../../../proof/league/shorten';

const FILE = path.join(__dirname, '../../../docs/proof/league.md');
const CONTENDERS = [LOCK_LEASE, INSERT_FIRST, ...ONCEFLOW];

/** What `npm run league -- --replay` prints for the argument that the document has. */
async function printed(argument: string): Promise<string> {
  const parsed = parseOptions(['--replay', argument]);
  const asked = parsed.kind === 'options' ? parsed.options.replay : undefined;
  const contender = CONTENDERS.find(({ id }) => id === asked?.contender);
  if (asked === undefined || contender === undefined) throw new Error(`${argument} cannot be replayed here`);
  return renderReplay(
    `${contender.title}: ${textOf(asked.schedule)}`,
    await replay(contender, asked.schedule),
  );
}

describe('docs/proof/league.md', () => {
  test('its schedules are as they are played (UPDATE_DOCS=1 writes them)', async () => {
    const blockOf = /```sh\nnpm run league -- --replay '([^']+)'\n```\n\n```text\n([\s\S]*?)```/g;
    const text = readFileSync(FILE, 'utf8');
    const found = [...text.matchAll(blockOf)];
    const blocks: string[] = [];
    for (const [, argument = ''] of found) blocks.push(await printed(argument));
    if (process.env['UPDATE_DOCS'] === '1') {
      const next = blocks.values();
      const written = text.replace(blockOf, (all, _, block: string) => {
        const fresh: string = next.next().value ?? '';
        return `${all.slice(0, all.length - block.length - 3)}${fresh}\`\`\``;
      });
      writeFileSync(FILE, written);
      return;
    }

    expect(found).toHaveLength(3);
    expect(found.map(([, , block]) => block)).toEqual(blocks);
  }, 60_000);

  test('its table: a row for each contender of ours, with nothing in the columns that are promised', () => {
    const rows = readFileSync(FILE, 'utf8')
      .split('\n')
      .filter(line => line.startsWith('| '))
      .map(line => line.split('|').map(cell => cell.trim()));
    const heads = rows.find(cells => cells.includes(TITLES.doubled) && cells.includes('$')) ?? [];
    const own = ONCEFLOW.filter(({ id }) => isPromising(id)).map(({ id }) =>
      rows.find(cells => cells[1] === `\`${id}\`` && cells.length === heads.length),
    );

    expect(heads.slice(2, -2)).toEqual(Object.values(TITLES));
    const promised = PROMISED.map(failure => heads.indexOf(TITLES[failure]));
    expect(own.map(cells => promised.map(column => cells?.[column]))).toEqual(
      own.map(() => PROMISED.map(() => '·')),
    );
  });
});
