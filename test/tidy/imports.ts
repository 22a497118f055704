import path from 'node:path';
import type { RepositoryFile } from './repository';

/** One import, re-export, `require` or dynamic import. */
export interface Import {
  /** As written: `./x`, `node:fs`, `aws-cdk-lib/aws-events`. */
  readonly specifier: string;
  /** For relative imports: the file's path in the repository, without extension. */
  readonly target?: string;
}

// The formatter puts the keyword at the beginning of a line. What else looks like an import does no harm here: it
// would only add an importer.
const IMPORTS =
  /^\s*(?:import|export)\s(?:[\w*{}\s,$]*?\bfrom\s+)?'([^']+)'|\b(?:require|import)\(\s*'([^']+)'/gm;

/**
 * Everything a source imports. Dependency-cruiser checks imports; this is for the questions that it cannot answer in a
 * test: which small file has one importer, and which arrows a picture needs.
 */
export function importsOf(file: RepositoryFile): Import[] {
  return [...file.text.matchAll(IMPORTS)].map(([, fromStatic, fromCall]) => {
    const specifier = fromStatic ?? fromCall ?? '';
    if (!specifier.startsWith('.')) return { specifier };
    const joined = path.posix.join(path.posix.dirname(file.path), specifier);
    return { specifier, target: joined.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/$/, '') };
  });
}
