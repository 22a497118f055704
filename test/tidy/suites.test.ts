import { repositoryFile } from './repository';
import { SUITE_RULE } from './suites';

describe('suites', () => {
  const SPAWNS = "import { spawn } from 'node:child_process';";
  const helpers = {
    'test/support/world.ts': 'export const x = 1;',
    'test/cli/started.ts': SPAWNS,
    'test/cli/world.ts': "import { x } from '../support/world';",
    'test/tidy/repository.ts': "import { execFileSync } from 'node:child_process';",
  };

  test.each([
    ['test/cli/a.system.test.ts', SPAWNS, []],
    ['test/cli/a.test.ts', SPAWNS, ['starts programs; call it `.system.test.ts`']],
    ['test/proof/a.test.ts', SPAWNS, ['starts programs; call it `.system.test.ts`']],
    ['test/cli/a.test.ts', "import { s } from './started';", ['starts programs; call it `.system.test.ts`']],
    ['test/cli/a.test.ts', "import type { S } from './started';", []],
    ['test/tidy/a.test.ts', "import { r } from './repository';", []],
    [
      'test/cli/a.test.ts',
      "import { w } from './world';",
      ['opens a whole workflow; call it `.scenario.test.ts`'],
    ],
    ['test/cli/a.scenario.test.ts', "import { w } from './world';", []],
    ['test/scenarios/a.test.ts', "import { w } from '../support/world';", []],
  ])('%s: %s', (path, text, messages) => {
    const files = Object.entries({ ...helpers, [path]: text });

    expect(SUITE_RULE.check(files.map(([name, content]) => repositoryFile(name, content)))).toEqual(
      messages.map(message => ({ path, line: 1, message })),
    );
  });
});
