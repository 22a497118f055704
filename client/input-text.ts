import { StartOnceError } from './errors';

/** What Step Functions takes as an execution's input, in bytes of UTF-8. */
const INPUT_BYTES_MAX = 262_144;
/** Deeper than any document of people; a value that contains itself gets here, too. */
const DEPTH_MAX = 500;

/**
 * A JSON value's one text: members sorted, no white space, numbers as JavaScript writes them, so all their digits.
 *
 * Equal values have equal texts whatever the order of their members: Step Functions answers a start with the execution
 * that is already running only where the name and the input are the same.
 *
 * @throws StartOnceError that names the path of what JSON cannot represent, never its value
 */
export function inputText(input: unknown): string {
  const text = jsonText(input, 'input');
  const bytes = Buffer.byteLength(text);
  if (bytes <= INPUT_BYTES_MAX) return text;
  throw new StartOnceError(
    `\`input\` has ${bytes} bytes, and Step Functions accepts ${INPUT_BYTES_MAX}; store it elsewhere, and pass its place`,
  );
}

/** The same without a bound, of a value that is called `name` in errors. @throws StartOnceError */
export function jsonText(value: unknown, name: string): string {
  return write(value, name, 0);
}

function write(given: unknown, path: string, depth: number): string {
  if (depth > DEPTH_MAX) {
    const [name] = path.split(/[.[]/, 1);
    throw new StartOnceError(`\`${name}\` is nested deeper than ${DEPTH_MAX} levels, or contains itself`);
  }
  const value = hasToJson(given) ? given.toJSON() : given;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, index) => write(item, `${path}[${index}]`, depth + 1)).join(',')}]`;
  }
  // What JSON would make `{}` of without a word.
  const isCollection = value instanceof Map || value instanceof Set;
  if (typeof value === 'object' && !isCollection) return writeObject(value, path, depth);
  throw new StartOnceError(`\`${path}\` is ${nameOf(value)}, which JSON cannot hold`);
}

function writeObject(value: object, path: string, depth: number): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${write(member, `${path}.${name}`, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object' && value !== null) return `a ${value.constructor.name}`;
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}
