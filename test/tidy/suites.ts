import { importsOf } from './imports';
import { isSource, isTest, type RepositoryFile, type Rule, type Violation } from './repository';

/** These ask git which files there are, and start nothing else. */
const ASKS_GIT = ['test/tidy/repository.ts', 'test/docs/page.ts'];

/** What opens a whole workflow: its synthesis and a stack for it take a second and more. */
const WORLD = 'test/support/world.ts';

const IS_SUITE = /\.test\.ts$/;
const IS_SYSTEM = /\.system\.test\.ts$/;
/** As `jest.config.js` has them. */
const IS_SLOW = /\.(?:system|scenario)\.test\.ts$|^(?:examples|docs|test\/scenarios|test\/proof)\//;

/**
 * Suites stand in the project that their cost belongs to, so that the units stay quick: only system suites start
 * programs, and no unit suite opens a whole workflow.
 */
export const SUITE_RULE: Rule = {
  title: 'suites are called after what they start',
  check: files => {
    const helpers = new Map(
      files.filter(({ path }) => isSource(path) && isTest(path)).map(file => [nameOf(file.path), file]),
    );
    return files.filter(({ path }) => IS_SUITE.test(path)).flatMap(suite => checkSuite(suite, helpers));
  },
};

function checkSuite(suite: RepositoryFile, helpers: ReadonlyMap<string, RepositoryFile>): Violation[] {
  const { path } = suite;
  const reached = reachedFrom(suite, helpers);
  const violations: Violation[] = [];
  if (!IS_SYSTEM.test(path) && reached.some(startsPrograms)) {
    violations.push({ path, line: 1, message: 'starts programs; call it `.system.test.ts`' });
  }
  if (!IS_SLOW.test(path) && reached.some(file => file.path === WORLD)) {
    violations.push({ path, line: 1, message: 'opens a whole workflow; call it `.scenario.test.ts`' });
  }
  return violations;
}

/** The suite and all the test code it imports, at first or second hand. */
function reachedFrom(suite: RepositoryFile, helpers: ReadonlyMap<string, RepositoryFile>): RepositoryFile[] {
  const reached = new Set([suite]);
  for (const file of reached) {
    for (const { target, isTypeOnly } of importsOf(file)) {
      const helper = target === undefined || isTypeOnly ? undefined : helpers.get(target);
      if (helper) reached.add(helper);
    }
  }
  return [...reached];
}

function startsPrograms(file: RepositoryFile): boolean {
  if (ASKS_GIT.includes(file.path)) return false;
  return importsOf(file).some(
    ({ specifier, isTypeOnly }) => specifier === 'node:child_process' && !isTypeOnly,
  );
}

function nameOf(path: string): string {
  return path.replace(/\.[cm]?[jt]s$/, '');
}
