import path from 'node:path';
import { lineAt, type RepositoryFile } from './repository';

/** One import, re-export, `require` or dynamic import. */
export interface Import {
  readonly line: number;
  /** As written: `./x`, `node:fs`, `aws-cdk-lib/aws-events`. */
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  /** For relative imports: the file's path in the repository, without extension. */
  readonly target?: string;
}

// The keyword is looked for in the blanked code, so that neither comments nor strings count.
const STATIC = /(?:^|\n)\s*(?:import|export)\s+(?:(type)\s+)?(?:[\w*{}\s,$]*?\bfrom\s+)?(['"])/g;
const DYNAMIC = /\b(?:require|import|require\.resolve)\s*\(\s*()(['"])/g;

/** Everything a source imports, in the order of the text. */
export function importsOf(file: RepositoryFile): Import[] {
  const matches = [...file.code.matchAll(STATIC), ...file.code.matchAll(DYNAMIC)];
  return matches
    .sort((left, right) => left.index - right.index)
    .map(match => {
      const [whole, typeKeyword, quote = ''] = match;
      const start = match.index + whole.length;
      const specifier = file.text.slice(start, file.text.indexOf(quote, start));
      const found = { line: lineAt(file.text, start), specifier, isTypeOnly: typeKeyword === 'type' };
      return specifier.startsWith('.') ? { ...found, target: resolveTarget(file.path, specifier) } : found;
    });
}

function resolveTarget(from: string, specifier: string): string {
  const joined = path.posix.join(path.posix.dirname(from), specifier);
  return joined.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/$/, '');
}
