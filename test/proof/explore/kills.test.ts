import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withFigures } from '../../../proof/explore/figures';
import { MUTATIONS, mutated, SPARE_GUARDS } from '../../../proof/explore/mutations/run';
import { replayTrace } from '../../../proof/explore/trace';
import { VARIANT_MUTATIONS } from '../../../proof/explore/variants/mutations';
import { KILLS } from './kills';
import { shippedSubject, variantSubject } from './subject';

const OF_KINDS = [...MUTATIONS, ...VARIANT_MUTATIONS].filter(({ kind }) => kind !== undefined);

const PAGE = path.join(__dirname, '../../../docs/proof/mutants.md');

/** The table of the page: a row for each mutant. */
function table(): string {
  const rows = OF_KINDS.map(({ kind, name, says }) => {
    const [invariant, schedule = ''] = KILLS[name] ?? [];
    return [kind, `\`${name}\`: ${says}`, `\`${invariant}\``, schedule.split(' ').length];
  });
  const sorted = rows.toSorted(([one], [other]) => String(one).localeCompare(String(other)));
  const lines = [['kind', 'mutant', 'killed by', 'steps'], ['---', '---', '---', '---'], ...sorted];
  return lines.map(cells => `| ${cells.join(' | ')} |\n`).join('');
}

describe('mutants by kind', () => {
  test('the table of docs/proof/mutants.md', () => {
    const before = readFileSync(PAGE, 'utf8');
    const page = withFigures(before, { 'mutants by kind': table() });
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page);

    expect(page).toBe(readFileSync(PAGE, 'utf8'));
  });

  test('the counts of the pages', () => {
    const [shipped, ofVariants, spare] = [MUTATIONS, VARIANT_MUTATIONS, SPARE_GUARDS].map(
      ({ length }) => length,
    );
    const figures = path.join(path.dirname(PAGE), 'exploration.md');
    const texts = [figures, PAGE].map(file => readFileSync(file, 'utf8')).join('\n');
    const page = texts.replace(/\s+/g, ' ').replaceAll('eight', '8');

    expect(page).toContain(
      `All ${MUTATIONS.length + VARIANT_MUTATIONS.length} mutants are killed, and ${spare} spare guards are listed`,
    );
    expect(page).toContain(
      `the ${shipped} mutants of the shipped definition, the ${spare} spare guards, and the ${ofVariants} mutants of`,
    );
  });

  test('each has its invariant and its schedule here, and nothing else has', () => {
    expect(OF_KINDS.map(({ name }) => name).sort()).toEqual(Object.keys(KILLS).sort());
  });

  test.each(OF_KINDS.map(mutation => [mutation.name, mutation] as const))(
    '%s: is found by its invariant',
    (name, mutation) => {
      const [invariant, schedule = ''] = KILLS[name] ?? [];
      const variant = VARIANT_MUTATIONS.find(other => other === mutation)?.variant;
      const subject = variant === undefined ? shippedSubject() : variantSubject(variant);
      const channels = ['direct', ...(variant === undefined ? (['dispatcher'] as const) : [])] as const;
      const budget = { executions: 3, faults: 3, channels };

      const { violation } = replayTrace(mutated(subject, mutation), budget, schedule.split(' '));

      expect(violation?.invariant).toBe(invariant);
    },
  );
});
