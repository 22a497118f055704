import { isSource, isTest, type RepositoryFile, type Rule } from './repository';

const FILE_LINES_MAX = 400;
/** From here on a file is reported, without failing. */
const FILE_LINES_WARNED = 250;
/** Tests hold tables of cases, which read best in one piece. */
const TEST_FILE_LINES_MAX = 450;
const LINE_CHARACTERS_MAX = 120;
const LITERAL = /(['"`/])(?:\\.|(?!\1)[^\\])*\1/g;
/** A literal this long does not fit on a line whatever stands around it. */
const UNBREAKABLE_CHARACTERS = 87;

/** By hand, because Biome has one limit for a rule, and prints a page for each warning. */
export const FILE_SIZE_RULE: Rule = {
  title: 'files stay short',
  check: files =>
    files
      .filter(file => isSource(file.path))
      .flatMap(file => {
        const lines = linesOf(file);
        const limit = isTest(file.path) ? TEST_FILE_LINES_MAX : FILE_LINES_MAX;
        if (lines <= limit) return [];
        return [
          { path: file.path, line: limit + 1, message: `has ${lines} lines, at most ${limit}; split it` },
        ];
      }),
};

/** Names the source files that have become long, longest first; undefined if there are none. */
export function longFilesWarning(files: readonly RepositoryFile[]): string | undefined {
  const long = files
    .filter(({ path }) => isSource(path) && !isTest(path))
    .map(file => ({ path: file.path, lines: linesOf(file) }))
    .filter(({ lines }) => lines >= FILE_LINES_WARNED)
    .sort((left, right) => right.lines - left.lines);
  if (long.length === 0) return undefined;
  const list = long.map(({ path, lines }) => `${path} (${lines})`).join(', ');
  return `${long.length} files have ${FILE_LINES_WARNED} lines or more: ${list}`;
}

function linesOf({ text }: RepositoryFile): number {
  return text.trimEnd().split('\n').length;
}

/**
 * Lines that fit on a screen, except URLs and literals that cannot be broken. By hand, because Biome's formatter breaks
 * neither comments nor templates.
 */
export const LINE_LENGTH_RULE: Rule = {
  title: 'lines stay short',
  check: files =>
    files
      .filter(({ path }) => isSource(path))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index) => {
          if (line.length <= LINE_CHARACTERS_MAX || isUnbreakable(line)) return [];
          return [
            {
              path,
              line: index + 1,
              message: `has ${line.length} characters, at most ${LINE_CHARACTERS_MAX}`,
            },
          ];
        }),
      ),
};

function isUnbreakable(line: string): boolean {
  if (/https?:\/\//.test(line)) return true;
  return (line.match(LITERAL) ?? []).some(({ length }) => length >= UNBREAKABLE_CHARACTERS);
}
