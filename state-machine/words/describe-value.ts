/**
 * A given value, in words, for a message. A text is in quotes, so that `'3'` differs from 3. Short lists and objects
 * show their content. All other values show their kind.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return isClass(value) ? `the class ${value.name}` : 'a function; call it';
  if (typeof value !== 'object' || value === null) return String(value);
  const itsClass: unknown = value.constructor?.name;
  if (typeof itsClass === 'string' && itsClass !== 'Object' && itsClass !== 'Array') {
    // aws-cdk-lib numbers the classes of constructs that share a name, as in Bucket2.
    return 'node' in value ? itsClass.replace(/\d+$/, '') : itsClass;
  }
  if (Array.isArray(value)) {
    const items = value.map(one => (Array.isArray(one) ? 'a list' : describeValue(one))).join(', ');
    return items.length <= CHARACTERS_MAX ? `[${items}]` : 'a list';
  }
  const isFlat = Object.values(value).every(one => !['object', 'function', 'bigint'].includes(typeof one));
  const json = isFlat ? JSON.stringify(value) : '';
  return isFlat && json.length <= CHARACTERS_MAX ? json : 'an object';
}

/** What can still be read at a glance. */
const CHARACTERS_MAX = 80;

function isClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}
