import type { RepositoryFile } from './repository';
import { isSource, isTest, type Rule, type Violation } from './repository';

const DECLARATION =
  /^export (?:default |declare |abstract |async )*(?:function\*?|class|const|let|type|interface|enum) (\w+)/;

/** What a module offers is explained where it is offered. By hand, because Biome has no such rule. */
export const DOCSTRING_RULE: Rule = {
  title: 'every export has a docstring',
  check: files =>
    files
      .filter(
        ({ path }) =>
          /^(?:state-machine|infra|packages\/local)\//.test(path) && isSource(path) && !isTest(path),
      )
      .flatMap(undocumentedExports),
};

function undocumentedExports(file: RepositoryFile): Violation[] {
  const lines = file.text.split('\n');
  let previous = '';
  return lines.flatMap((line, index) => {
    const name = DECLARATION.exec(line)?.[1];
    if (name === undefined) return [];
    // The overloads of a function follow each other and share the docstring of the first.
    const isOverload = name === previous;
    previous = name;
    if (isOverload || endsDocstring(lines, index - 1)) return [];
    return [{ path: file.path, line: index + 1, message: `exports ${name} without a docstring` }];
  });
}

function endsDocstring(lines: readonly string[], from: number): boolean {
  let index = from;
  // Notes to a tool may stand between a docstring and what it documents.
  while (index > 0 && /^\/\/ (?:biome|@ts)-/.test(lines[index] ?? '')) index -= 1;
  if (!lines[index]?.trimEnd().endsWith('*/')) return false;
  while (index > 0 && !lines[index]?.trimStart().startsWith('/*')) index -= 1;
  return lines[index]?.trimStart().startsWith('/**') ?? false;
}
