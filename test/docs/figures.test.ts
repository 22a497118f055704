import { ASSUMED, PRICES } from '../../cli/program/prices';
import { readIfThere } from './page';

const textOf = (name: string) => (readIfThere(name) ?? '').replace(/\s+/g, ' ');
const README = textOf('README.md');

/** The cells of the row of a page that begins with this one, after a line with this text. */
function cellsOf(page: string, first: string, after = ''): readonly string[] {
  const text = readIfThere(page) ?? '';
  const lines = text.slice(text.indexOf(after)).split('\n');
  const row = lines.find(line => line.startsWith(`| ${first} |`)) ?? '';
  return row
    .split('|')
    .map(cell => cell.trim())
    .slice(1, -1);
}

const thousands = (digits: string | undefined) => Number(digits).toLocaleString('en-US');

describe('the figures of README.md', () => {
  test('of the league: those of its table, which says how many deliveries were played', () => {
    const [, deliveries] = /of each, (\d+) deliveries\./.exec(textOf('docs/proof/league.md')) ?? [];
    const doubled = (id: string) =>
      cellsOf('docs/proof/league.md', `\`${id}\``, '<!-- league: standings').slice(1, 3);
    const [ignoring, honoring] = [0, 1].map(column =>
      ['powertools', 'powertools-best', 'onceflow'].map(id => doubled(id)[column]),
    );

    expect(honoring).toEqual([expect.stringMatching(/^\d+$/), '·', '·']);
    expect(README).toContain(
      `${thousands(deliveries)} deliveries under faults. For each 10,000, Powertools doubled ${honoring?.[0]} charges, ` +
        'its best settings and onceflow none.',
    );
    const [powertools, best, own] = (ignoring ?? []).map(thousands);
    expect(README).toContain(
      `by Powertools ${powertools}, by its best settings ${best}, by onceflow ${own}.`,
    );
  });

  test('of a million deliveries: those of the guide', () => {
    const page = 'docs/guide/costs.md';
    const [bus, powertools, single, batch] = [
      'onceflow, from an event bus',
      'Powertools idempotency',
      'onceflow, Express, from an event bus, batches of 1',
      'onceflow, Express, from an event bus, batches of 10',
    ].map(what => cellsOf(page, what));

    expect(cellsOf('README.md', 'fresh')).toEqual([
      'fresh',
      bus?.[1],
      `${batch?.[1]} to ${single?.[1]}`,
      powertools?.[1],
    ]);
    expect(cellsOf('README.md', 'duplicate')).toEqual([
      'duplicate',
      bus?.[2],
      `${batch?.[2]} to ${single?.[2]}`,
      powertools?.[2],
    ]);
  });

  test('of the exploration: those of its page', () => {
    const [counted = ''] = /[\d,]+ states, [\d,]+ transitions/.exec(README) ?? [];
    const [states, transitions] = counted.match(/[\d,]+(?= )/g) ?? [];

    expect(states).toMatch(/^\d/);
    expect(textOf('docs/proof/exploration.md')).toContain(states);
    expect(textOf('docs/proof/exploration.md')).toContain(transitions);
  });
});

describe('the figures of docs/guide/costs.md', () => {
  const page = textOf('docs/guide/costs.md');

  test('of more memory and of batches: by the prices and assumptions', () => {
    const more = (seconds: number) =>
      (seconds * ASSUMED.dispatcherGb * PRICES.expressGbSecond * 1e6).toFixed(2);

    expect(page).toContain(
      `with 128 MB a duplicate from a bus costs $${more(ASSUMED.dispatcherSeconds)} more, and a fresh request by HTTP ` +
        `$${more(1.1)} more.`,
    );
    expect(page).toContain(`onceflow for ten: $${(PRICES.invocation * 0.9e6).toFixed(2)} more a million.`);
  });
});
