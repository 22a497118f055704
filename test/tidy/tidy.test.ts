import path from 'node:path';
import { formatViolation, readRepository } from './repository';
import { RULES } from './rules';
import { longFilesWarning } from './sizes';

const files = readRepository(path.join(__dirname, '../..'));

// Printed without failing. Not by console, which adds a stack trace.
afterAll(() => {
  const warning = longFilesWarning(files);
  if (warning) process.stderr.write(`warning: ${warning}\n`);
});

describe('repository', () => {
  test('is read: its own files are among them', () => {
    expect(files.map(file => file.path)).toContain('test/tidy/tidy.test.ts');
  });

  test.each(RULES)('$title', ({ check }) => {
    expect(check(files).map(formatViolation)).toEqual([]);
  });
});
