import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A directory that disappears when the test file ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'assembly-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A stack to write: its template's sections, and what the manifest says about it. */
export interface StackToWrite {
  readonly template: object;
  readonly environment?: string;
  readonly dependencies?: readonly string[];
}

/** Writes a cloud assembly by hand, for templates that CDK itself would never make. */
export function writeAssembly(directory: string, stacks: Readonly<Record<string, StackToWrite>>): string {
  mkdirSync(directory, { recursive: true });
  const artifacts: Record<string, object> = {};
  for (const [name, stack] of Object.entries(stacks)) {
    const { template, environment = 'aws://unknown-account/unknown-region', dependencies = [] } = stack;
    const templateFile = `${name}.template.json`;
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      environment,
      properties: { templateFile },
      dependencies,
    };
    writeFileSync(path.join(directory, templateFile), JSON.stringify(template));
  }
  writeFileSync(path.join(directory, 'manifest.json'), JSON.stringify({ version: '55.0.0', artifacts }));
  return directory;
}
