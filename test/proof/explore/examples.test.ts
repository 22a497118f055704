import { readFileSync } from 'node:fs';
import path from 'node:path';
import { progressOn } from '../../../cli/program/progress';
import { exploreAll, tryMutations, walkRandomly } from '../../../proof/explore/commands';
import { readDefinition } from '../../../proof/explore/definition-file';
import { type Options, parseOptions } from '../../../proof/explore/options';
import { exploreVariant } from '../../../proof/explore/variants/run';
import { VARIANTS, type VariantName } from '../../../proof/explore/variants/variants';
import { shippedSubject, variantSubject } from './subject';

const ROOT = path.join(__dirname, '../../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/proof/exploration.md'), 'utf8');
const golden = (name: string) => path.join(ROOT, `test/golden/${name}.asl.json`);

/** The examples at the head of the page, as words; their files are reviewed definitions. */
const EXAMPLES = [...PAGE.matchAll(/^npm run explore -- (.*?) *(?:#.*)?$/gm)]
  .map(([, words = '']) => words.split(' '))
  .map(words =>
    words.map((word, at) =>
      word === 'FILE' ? golden(words[at - 1] === '--recovery' ? 'recovery' : 'payload-and-retention') : word,
    ),
  )
  .filter(words => !words.includes('--help') && !words.includes('--figures'));

const signal = new AbortController().signal;
const progress = progressOn(process.stderr, { isSilent: true });

function subjectOf({ definition, recovery, variant, without }: Options) {
  if (variant !== undefined) return variantSubject(variant as VariantName);
  if (definition === undefined) return { ...shippedSubject(), ...(without && { without }) };
  const loaded = readDefinition(definition, recovery);
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  return loaded.subject;
}

/** What an example comes to within a budget of seconds: its exit code. */
async function run(options: Options): Promise<number> {
  const faults = Math.min(options.faults, 1);
  const small = { ...options, executions: 1, faults, workers: 1, only: 'claim-unconditional' };
  if (options.variants) {
    const [variant] = VARIANTS;
    const { exploration } = await exploreVariant(variant, variantSubject(variant.name), { given: small });
    return exploration.violation ? 1 : 0;
  }
  const asked = { subject: subjectOf(options), options: small, progress, signal };
  if (options.mutations) return tryMutations(asked);
  if (options.random) return walkRandomly(asked, { ...options.random, minutes: 0.01 });
  return exploreAll(asked);
}

describe('the examples of docs/proof/exploration.md, within small budgets', () => {
  beforeEach(() => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => jest.restoreAllMocks());

  test('there are some', () => {
    expect(EXAMPLES.length).toBeGreaterThan(8);
  });

  test.each(EXAMPLES.map(words => [words.join(' ').replaceAll(`${ROOT}/`, ''), words] as const))(
    '%s: no violation',
    async (_name, words) => {
      const parsed = parseOptions(words);
      if (parsed.kind !== 'options') throw new Error(JSON.stringify(parsed));

      expect(await run(parsed.options)).toBe(0);
    },
    60_000,
  );
});
