import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { readPages } from '../docs/page';
import { changedFiles, readRepository } from '../tidy/repository';
import { proseOf } from './code';
import { figuresOf } from './figures';
import { bannedIn, breaches } from './rules';
import { type Sentence, sentencesOf } from './sentences';
import { structureBreaches } from './structure';

const HELP = `Usage: npm run prose -- [--changed] [--figures] [FILE …]

Checks sentences by the style guide of CONTRIBUTING.md: those of the Markdown pages, and those of comments, docstrings,
test names and messages in TypeScript and JavaScript. Prints the file and the line of each breach. FILE is a page or a
source file; without one all are read, with --changed those that differ from the last commit. --figures prints how the
pages read, in figures per 1,000 words.

Exit codes: 0 if there is no breach, 1 if there is one, 2 wrong usage.
`;

interface Text {
  readonly path: string;
  readonly text: string;
}

const PAGE = /\.md$/;
const CODE = /\.(?:[cm]?[jt]s|tsx)$/;

exitOnBrokenPipe('prose');
const args = process.argv.slice(2);
const unknown = args.find(arg => arg.startsWith('-') && !['--changed', '--figures', '--help'].includes(arg));
if (unknown) {
  process.stderr.write(
    `prose: ${unknown} is not an option; the options are --changed, --figures and --help\n`,
  );
  process.exitCode = 2;
} else if (args.includes('--help')) process.stdout.write(HELP);
else {
  const files = args.filter(arg => !arg.startsWith('-'));
  const missing = files.find(file => !statSync(file, { throwIfNoEntry: false })?.isFile());
  if (missing === undefined && args.includes('--figures')) printFigures(pagesOf(files));
  else if (missing === undefined) run(files);
  else {
    process.stderr.write(
      `prose: there is no file ${missing}; pass the path of a Markdown page or a source file\n`,
    );
    process.exitCode = 2;
  }
}

function run(files: readonly string[]): void {
  const isAll = files.length === 0 && !args.includes('--changed');
  const read = isAll ? readAll() : (args.includes('--changed') ? changedFiles('.') : files).flatMap(readText);
  for (const { path, text } of read) {
    const found = PAGE.test(path)
      ? breachesOf(sentencesOf(text))
      : CODE.test(path)
        ? breachesOfCode(path, text)
        : [];
    for (const { line, breach } of found) report(`${path}:${line}: ${breach}`);
  }
  if (files.length > 0) return;
  for (const breach of structureBreaches(readPages(), readdirSync('docs/images'))) report(breach);
}

function pagesOf(files: readonly string[]): readonly Text[] {
  return files.length > 0 ? files.flatMap(readText) : readPages();
}

function readAll(): readonly Text[] {
  return [...readPages(), ...readRepository('.').filter(({ path }) => CODE.test(path))];
}

function readText(path: string): Text[] {
  return existsSync(path) ? [{ path, text: readFileSync(path, 'utf8') }] : [];
}

interface Breach {
  readonly line: number;
  readonly breach: string;
}

function breachesOf(sentences: readonly Sentence[], before = 0): Breach[] {
  return sentences.flatMap(({ line, text }) =>
    breaches(text).map(breach => ({ line: line + before, breach })),
  );
}

function breachesOfCode(path: string, source: string): Breach[] {
  return proseOf(path, source).flatMap(({ line, text, isMessage }) =>
    isMessage
      ? bannedIn(text.replace(/\s+/g, ' ')).map(breach => ({ line, breach }))
      : breachesOf(sentencesOf(text), line - 1),
  );
}

function report(breach: string): void {
  process.exitCode = 1;
  process.stdout.write(`${breach}\n`);
}

function printFigures(pages: readonly Text[]): void {
  const read = pages.map(({ path, text }) => ({ path, sentences: sentencesOf(text) }));
  for (const { path, sentences } of [
    ...read,
    { path: 'all', sentences: read.flatMap(page => page.sentences) },
  ]) {
    const { words, wordsPerSentence, longSentences, perThousand } = figuresOf(sentences);
    const kinds = Object.entries(perThousand).map(([kind, rate]) => `${kind} ${rate.toFixed(1)}`);
    process.stdout.write(
      `${path}: ${words} words, ${wordsPerSentence.toFixed(1)} in a sentence, ${longSentences.toFixed(1)} % over 30; ${kinds.join('; ')}\n`,
    );
  }
}
