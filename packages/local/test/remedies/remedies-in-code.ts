import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');
/** The files whose errors stop an app, or a command, before it runs. */
const PLACES = [
  /^assembly\//,
  /^command\//,
  /^mocks\//,
  /^services\/.*cloudformation\.ts$/,
  /^load-assembly\.ts$/,
];

/** Words behind a semicolon that go on with what is wrong. Behind any other it says what to do. */
const FACTS = /^(?:it|the|they|those|got|of)\b/;
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;

/** What the messages in the code say to do: of each text, its file, and the part that begins with the verb. */
export function remediesInCode(): readonly string[] {
  // A build removes and writes `dist` meanwhile.
  const rooms = readdirSync(ROOT, { withFileTypes: true }).filter(({ name }) => name !== 'dist');
  const files = rooms
    .flatMap(room => {
      if (!room.isDirectory()) return room.name;
      const inside = readdirSync(path.join(ROOT, room.name), { recursive: true, encoding: 'utf8' });
      return inside.map(file => path.join(room.name, file));
    })
    .map(file => file.split(path.sep).join('/'))
    .filter(file => file.endsWith('.ts') && PLACES.some(place => place.test(file)));
  const found = files.flatMap(file => {
    const code = readFileSync(path.join(ROOT, file), 'utf8').replace(COMMENT, '');
    const remedies = [...code.matchAll(LITERAL)].flatMap(([, plain, template]) =>
      remedyIn(plain ?? template ?? ''),
    );
    return remedies.map(remedy => `${file.replace(/\.ts$/, '')}: ${remedy}`);
  });
  return [...new Set(found)].sort();
}

function remedyIn(literal: string): readonly string[] {
  const text = literal
    .replaceAll('\\`', '`')
    .replaceAll("\\'", "'")
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…');
  const [, remedy] = /; ([a-z].*)$/.exec(text) ?? /^((?:give|pass) .*)$/.exec(text) ?? [];
  return remedy === undefined || FACTS.test(remedy) ? [] : [remedy];
}
