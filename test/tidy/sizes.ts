import { isSource, isTest, type RepositoryFile, type Rule, type Violation } from './repository';

const FILE_LINES_MAX = 300;
/** Tests hold tables of cases, which read best in one piece. */
const TEST_FILE_LINES_MAX = 450;
const LINE_CHARACTERS_MAX = 120;
const FUNCTION_LINES_MAX = 70;
/** A literal this long does not fit on a line whatever stands around it. */
const UNBREAKABLE_CHARACTERS = 85;

/** Files that can be read in one sitting. */
export const FILE_SIZE_RULE: Rule = {
  title: 'files stay short',
  check: sources(file => {
    const lines = file.text.trimEnd().split('\n').length;
    const limit = isTest(file.path) ? TEST_FILE_LINES_MAX : FILE_LINES_MAX;
    if (lines <= limit) return [];
    return [{ path: file.path, line: limit + 1, message: `has ${lines} lines, at most ${limit}; split it` }];
  }),
};

/** Lines that fit on a screen; a URL or a long literal may stick out, because it cannot be broken. */
export const LINE_LENGTH_RULE: Rule = {
  title: 'lines stay short',
  check: sources(file => {
    const code = file.code.split('\n');
    return file.text.split('\n').flatMap((line, index) => {
      if (line.length <= LINE_CHARACTERS_MAX || isUnbreakable(line, code[index] ?? '')) return [];
      const message = `has ${line.length} characters, at most ${LINE_CHARACTERS_MAX}`;
      return [{ path: file.path, line: index + 1, message }];
    });
  }),
};

/** Functions that fit on a screen. Tests are left out: a `describe` is a chapter, not a function. */
export const FUNCTION_SIZE_RULE: Rule = {
  title: 'functions stay short',
  check: files => sources(functionsTooLong)(files.filter(file => !isTest(file.path))),
};

function sources(check: (file: RepositoryFile) => Violation[]): Rule['check'] {
  return files => files.filter(file => isSource(file.path)).flatMap(check);
}

function isUnbreakable(line: string, code: string): boolean {
  if (/https?:\/\//.test(line)) return true;
  // Between its delimiters a literal is blank in the code; code itself never has that many blanks in a row.
  const literals = code.trim().match(/(?<=['"`/}]) +(?=['"`/$])/g) ?? [];
  return literals.some(literal => literal.length >= UNBREAKABLE_CHARACTERS);
}

/** The formatter closes a function with a brace at the indentation its line opened with. */
function functionsTooLong(file: RepositoryFile): Violation[] {
  const lines = file.code.split('\n');
  return lines.flatMap((line, index) => {
    if (
      !/(?:\bfunction\b.*|=>|\)(?:: .+)?) \{$/.test(line) ||
      /^\s*(?:\} )?(?:if|for|while|switch)\b/.test(line)
    ) {
      return [];
    }
    const indentation = /^\s*/.exec(line)?.[0] ?? '';
    const length = lines.slice(index + 1).findIndex(other => other.startsWith(`${indentation}}`)) + 2;
    if (length <= FUNCTION_LINES_MAX) return [];
    const message = `opens a function of ${length} lines, at most ${FUNCTION_LINES_MAX}; split it`;
    return [{ path: file.path, line: index + 1, message }];
  });
}
