import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Project, readProject } from '../../../cli/app/project';

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

/** A directory with these files; a value that is not a text is written as JSON. */
function directoryWith(files: Readonly<Record<string, unknown>>): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-project-'));
  directories.push(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(
      path.join(directory, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return directory;
}

function projectWith(files: Readonly<Record<string, unknown>>, app?: string): Omit<Project, 'directory'> {
  const project = readProject(directoryWith(files), app);
  if (typeof project === 'string') throw new Error(project);
  const { directory: _, ...rest } = project;
  return rest;
}

describe('the CDK app of a directory', () => {
  test('cdk.json with an app only: every file counts but the output', () => {
    expect(projectWith({ 'cdk.json': { app: 'node app.js' } })).toEqual({
      commands: ['node app.js'],
      context: {},
      watched: { include: ['**'], exclude: ['cdk.out', 'cdk.context.json'] },
    });
  });

  test('cdk.json with everything that counts: the build first, its context before what was looked up', () => {
    const cdkJson = {
      app: 'node app.js',
      build: 'npx tsc',
      output: 'out',
      context: { flag: true, zone: 'mine' },
      watch: { include: 'src/**', exclude: ['test', '**/*.d.ts'] },
    };

    const project = projectWith({ 'cdk.json': cdkJson, 'cdk.context.json': { zone: 'theirs', vpc: 1 } });

    expect(project).toEqual({
      commands: ['npx tsc', 'node app.js'],
      context: { flag: true, zone: 'mine', vpc: 1 },
      watched: { include: ['src/**'], exclude: ['test', '**/*.d.ts', 'out', 'cdk.context.json'] },
    });
  });

  test.each([
    ['beside that of cdk.json', { 'cdk.json': { app: 'node app.js' } }],
    ['without a cdk.json', {}],
  ])('a command of its own, %s: it runs', (_case, files) => {
    expect(projectWith(files, 'node other.js').commands).toEqual(['node other.js']);
  });

  test.each([
    ['no cdk.json', {}, /^there is no cdk\.json in .*, or pass --app CMD or --assembly DIR/],
    ['no app in it', { 'cdk.json': {} }, /^cdk\.json has no `app` in /],
    ['a cdk.json that is not JSON', { 'cdk.json': '{' }, /cdk\.json is not a valid JSON document/],
    [
      'a cdk.context.json that is not JSON',
      { 'cdk.json': { app: 'a' }, 'cdk.context.json': '' },
      /cdk\.context\.json is not a valid JSON document/,
    ],
  ])('%s: a sentence', (_case, files, message) => {
    expect(readProject(directoryWith(files))).toMatch(message);
  });
});
