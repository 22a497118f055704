import { importsOf } from './imports';
import { isSource, type RepositoryFile, type Rule, type Violation } from './repository';

/**
 * Files that something other than an import starts: a command, a bundler, the test runner, a package's
 * exports.
 */
const ENTRIES = [
  /(?:^|\/)(?:main|index|app)\.ts$/,
  /^functions\/[^/]+\/handler\.ts$/,
  /\.test\.ts$/,
  /\.d\.ts$/,
  /^test\/support\/(?:environment\.ts|jest-environment\.js)$/,
  /^(?:proof\/bench|examples|docs)\//,
  /^packages\/build\.ts$/,
  /^[^/]+\.[cm]?[jt]s$/,
];

/** A name that says nothing collects everything. */
export const FILE_NAME_RULE: Rule = {
  title: 'names say what is inside',
  check: files =>
    files.flatMap(({ path }) => {
      const vague = path.split('/').find(part => /^(?:utils?|helpers?|common|misc)(?:\.[\w.]+)?$/.test(part));
      return vague === undefined
        ? []
        : [{ path, line: 1, message: `\`${vague}\` says nothing; name its subject` }];
    }),
};

/** Dead files are deleted, not kept. */
export const USED_FILE_RULE: Rule = {
  title: 'every source file is used',
  check: files => {
    const sources = files.filter(({ path }) => isSource(path));
    const used = new Set(sources.flatMap(file => importsOf(file).flatMap(({ target }) => target ?? [])));
    return sources.flatMap(({ path }) => {
      const target = path.replace(/\.[cm]?[jt]s$/, '');
      const isUsed = used.has(target) || used.has(target.replace(/\/index$/, ''));
      if (isUsed || ENTRIES.some(entry => entry.test(path))) return [];
      return [{ path, line: 1, message: 'is imported by nothing; delete it, or add it to the entries' }];
    });
  },
};

/** A document has one subject, and its title names it. */
export const DOCUMENT_TITLE_RULE: Rule = {
  title: 'every document has one title',
  check: files => files.filter(({ path }) => path.endsWith('.md')).flatMap(checkTitles),
};

function checkTitles({ path, text }: RepositoryFile): Violation[] {
  let fence = '';
  const titles: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = marker;
    // A fence ends with its own character, at least as often as it began.
    else if (marker.startsWith(fence)) fence = '';
    if (fence === '' && line.startsWith('# ')) titles.push(index + 1);
  }
  if (titles.length === 0) return [{ path, line: 1, message: 'has no title (`# ...`)' }];
  return titles.slice(1).map(line => ({ path, line, message: 'is a second title; use `## `' }));
}
