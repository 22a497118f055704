import { readdirSync, readFileSync, statSync } from 'node:fs';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { readPages } from '../docs/page';
import { figuresOf } from './figures';
import { breaches } from './rules';
import { sentencesOf } from './sentences';
import { structureBreaches } from './structure';

const HELP = `Usage: npm run prose -- [--figures] [FILE …]

Checks the Markdown pages by the style guide of CONTRIBUTING.md, or prints how they read, in figures per 1,000 words.

Exit codes: 0 if there is no breach, 1 if there is one, 2 wrong usage.
`;

exitOnBrokenPipe('prose');
const args = process.argv.slice(2);
const unknown = args.find(arg => arg.startsWith('-') && !['--figures', '--help'].includes(arg));
if (unknown) {
  process.stderr.write(`prose: ${unknown} is not an option; the options are --figures and --help\n`);
  process.exitCode = 2;
} else if (args.includes('--help')) process.stdout.write(HELP);
else {
  const files = args.filter(arg => !arg.startsWith('-'));
  const missing = files.find(file => !statSync(file, { throwIfNoEntry: false })?.isFile());
  if (missing === undefined) run(files);
  else {
    process.stderr.write(`prose: there is no file ${missing}; pass the path of a Markdown page\n`);
    process.exitCode = 2;
  }
}

function run(files: readonly string[]): void {
  const all = readPages();
  const read = files.length > 0 ? files.map(path => ({ path, text: readFileSync(path, 'utf8') })) : all;
  const pages = read.map(({ path, text }) => ({ path, sentences: sentencesOf(text) }));
  if (args.includes('--figures')) {
    for (const { path, sentences } of [
      ...pages,
      { path: 'all', sentences: pages.flatMap(page => page.sentences) },
    ]) {
      const { words, wordsPerSentence, longSentences, perThousand } = figuresOf(sentences);
      const kinds = Object.entries(perThousand).map(([kind, rate]) => `${kind} ${rate.toFixed(1)}`);
      process.stdout.write(
        `${path}: ${words} words, ${wordsPerSentence.toFixed(1)} in a sentence, ${longSentences.toFixed(1)} % over 30; ${kinds.join('; ')}\n`,
      );
    }
    return;
  }
  for (const { path, sentences } of pages) {
    for (const { line, text } of sentences) {
      for (const breach of breaches(text)) {
        process.exitCode = 1;
        process.stdout.write(`${path}:${line}: ${breach}\n`);
      }
    }
  }
  if (files.length > 0) return;
  for (const breach of structureBreaches(all, readdirSync('docs/images'))) {
    process.exitCode = 1;
    process.stdout.write(`${breach}\n`);
  }
}
