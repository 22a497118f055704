import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Compares a document with the reviewed one in `test/golden`. `UPDATE_GOLDEN=1 npm test` writes it anew, for review.
 */
export function expectGolden(name: string, document: unknown): void {
  const file = path.join(__dirname, '../golden', name);
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

/** All reviewed definitions, by their files' names. */
export function goldenDefinitions(): readonly (readonly [name: string, definition: unknown])[] {
  const directory = path.join(__dirname, '../golden');
  return readdirSync(directory)
    .filter(name => name.endsWith('.asl.json'))
    .map(name => [name, JSON.parse(readFileSync(path.join(directory, name), 'utf8'))]);
}
