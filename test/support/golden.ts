import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Compares a document with the reviewed one in `test/golden`. `UPDATE_GOLDEN=1 npm test` writes it anew, for review.
 */
export function expectGolden(name: string, document: unknown): void {
  expectText(path.join(__dirname, '../golden', name), `${JSON.stringify(document, null, 2)}\n`);
}

/** The same of the definition that readers of the code find beside it: each state says first what it is. */
export function expectExample(document: unknown): void {
  expectText(path.join(__dirname, '../../state-machine/default.asl.json'), `${printed(document, '')}\n`);
}

function expectText(file: string, text: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

const FIRST = ['Type', 'Comment', 'Resource', 'Arguments', 'Choices', 'Output', 'Assign', 'Error', 'Cause'];

/** JSON with what fits on one line in one line. */
function printed(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || `${indent}${line}`.length <= 100) return line;
  const within = `${indent}  `;
  if (Array.isArray(value))
    return block(
      '[',
      ']',
      value.map(item => printed(item, within)),
      indent,
    );
  const placeOf = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const members = Object.entries(value)
    .map(([name, member]) => [placeOf(name), name, member] as const)
    .sort(([a], [b]) => a - b)
    .map(([, name, member]) => `${JSON.stringify(name)}: ${printed(member, within)}`);
  return block('{', '}', members, indent);
}

function block(open: string, close: string, lines: readonly string[], indent: string): string {
  return `${open}\n${lines.map(line => `${indent}  ${line}`).join(',\n')}\n${indent}${close}`;
}

/** All reviewed definitions, by their files' names. */
export function goldenDefinitions(): readonly (readonly [name: string, definition: unknown])[] {
  const directory = path.join(__dirname, '../golden');
  return readdirSync(directory)
    .filter(name => name.endsWith('.asl.json'))
    .map(name => [name, JSON.parse(readFileSync(path.join(directory, name), 'utf8'))]);
}
