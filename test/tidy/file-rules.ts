import { importsOf } from './imports';
import { isSource, isTest, type RepositoryFile, type Rule, type Violation } from './repository';

/** What something other than an import starts, so that an importer says nothing. knip.jsonc has them all. */
const ENTRIES = [
  /(?:^|\/)(?:main|index|app)\.tsx?$/,
  /^functions\/[^/]+\/handler\.ts$/,
  /\.d\.ts$/,
  /^(?:proof\/bench|examples|docs)\//,
];

/** Files whose names come from a specification, so that a reader of it looks for them. */
const SPECIFIED = [
  // State types and rules of the States Language.
  /^packages\/local\/engine\/states\//,
  /^packages\/local\/asl\/validate\//,
  // CloudFormation's resources and intrinsic functions, the operators of event patterns, DynamoDB's expressions.
  /(?:^|\/)cloudformation\.ts$/,
  /^packages\/local\/assembly\/intrinsics\//,
  /^packages\/local\/services\/events\/pattern\/match-[\w-]+\.ts$/,
  /^packages\/local\/services\/dynamodb\/table\//,
  // The services of the local runtime, each where its folder is looked into first.
  /^packages\/local\/services\/[\w-]+\/service\.ts$/,
  // Operations of the APIs, and the commands of the command line.
  /^packages\/local\/services\/[\w-]+\/api\/(?:route|[\w-]+-operations)\.ts$/,
  /^cli\/commands\//,
  // The ways in which the demo delivers, each under its name.
  /^proof\/demo\/channels\//,
];

/** Lines up to which a file counts as a part of another one. */
const SMALL_FILE_LINES_MAX = 40;

/**
 * A small file stands on its own where something else needs it, too: a second importer, a test that imports it or bears
 * its name, or a specification that gives it its name. Otherwise it is a part of the file that imports it. By hand,
 * because knip and dependency-cruiser do not know how long a file is.
 *
 * `stillToMerge` are rooms in which that is still to be done; one without such a file has to leave the list.
 */
export function smallFileRule(stillToMerge: readonly string[]): Rule {
  return {
    title: 'a small file has a second importer, a test of its own, or a name of a specification',
    check: files => {
      const merge = filesToMerge(files.filter(({ path }) => isSource(path)));
      const done = stillToMerge.filter(room => !merge.some(({ path }) => path.startsWith(room)));
      return [
        ...merge.filter(({ path }) => !stillToMerge.some(room => path.startsWith(room))),
        ...done.map(room => ({
          path: room,
          line: 1,
          message: 'has no small file to merge any more; remove it from the list in rules.ts',
        })),
      ];
    },
  };
}

function filesToMerge(sources: readonly RepositoryFile[]): Violation[] {
  const importers = importersOf(sources);
  const tested = new Set(sources.flatMap(({ path }) => testedBy(path) ?? []));
  return sources.flatMap(file => {
    const { path } = file;
    const [importer, ...others] = importers.get(path.replace(/\.tsx?$/, '')) ?? [];
    const isAlone = importer !== undefined && others.length === 0 && !tested.has(path);
    if (!isAlone || !isSmall(file) || isOnItsOwn(path)) return [];
    return [{ path, line: 1, message: `is small and imported by ${importer} alone; merge it into that` }];
  });
}

/** The file that a test is named after: test folders mirror the rooms. */
function testedBy(path: string): string | undefined {
  return path.endsWith('.test.ts')
    ? path.replace(/(^|\/)test\//, '$1').replace(/\.test\.ts$/, '.ts')
    : undefined;
}

function isSmall({ text }: RepositoryFile): boolean {
  return text.split('\n').length - 1 <= SMALL_FILE_LINES_MAX;
}

function isOnItsOwn(path: string): boolean {
  return isTest(path) || [...ENTRIES, ...SPECIFIED].some(name => name.test(path));
}

/** The files that import each file, by its path without extension. */
function importersOf(sources: readonly RepositoryFile[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const file of sources) {
    for (const target of new Set(importsOf(file).flatMap(found => found.target ?? []))) {
      importers.set(target, [...(importers.get(target) ?? []), file.path]);
    }
  }
  return importers;
}

/** By commit, because a tag can be moved to other code; the version beside it says which release that is. */
export const PINNED_ACTIONS_RULE: Rule = {
  title: 'actions are pinned by commit',
  check: files =>
    files
      .filter(({ path }) => /^\.github\/.*\.ya?ml$/.test(path))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index) => {
          const action = /^\s*(?:- )?uses:\s*(.*)$/.exec(line)?.[1];
          if (action === undefined || /^\.\/|^[\w./-]+@[0-9a-f]{40} # v\d/.test(action)) return [];
          return [{ path, line: index + 1, message: `pin ${action} as \`OWNER/NAME@COMMIT # VERSION\`` }];
        }),
      ),
};

/** A document has one subject, and its title names it. By hand, because no tool here reads Markdown. */
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
