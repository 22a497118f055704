import path from 'node:path';
import { formatViolation, readRepository } from './repository';
import { RULES } from './rules';

const files = readRepository(path.join(__dirname, '../..'));

describe('repository', () => {
  test('is read: its own files are among them', () => {
    expect(files.map(file => file.path)).toContain('test/tidy/tidy.test.ts');
  });

  test.each(RULES)('$title', ({ check }) => {
    expect(check(files).map(formatViolation)).toEqual([]);
  });
});
