import { readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { isJsonObject, type JsonObject } from '../json/json';

/** CloudFormation's functions with a short form in YAML: `!GetAtt Table.Arn`. */
const FUNCTIONS = [
  ...['And', 'Base64', 'Cidr', 'Condition', 'Equals', 'FindInMap', 'ForEach', 'GetAtt', 'GetAZs', 'If'],
  ...[
    'ImportValue',
    'Join',
    'Length',
    'Not',
    'Or',
    'Ref',
    'Select',
    'Split',
    'Sub',
    'ToJsonString',
    'Transform',
  ],
];
/** Those whose long form is not `Fn::` and the name. */
const OWN_NAMES = ['Ref', 'Condition'];

const TAGS = FUNCTIONS.flatMap(name => {
  const long = OWN_NAMES.includes(name) ? name : `Fn::${name}`;
  const plain = (value: { toJSON(): unknown }) => ({ [long]: value.toJSON() });
  return [
    { tag: `!${name}`, resolve: (value: unknown) => ({ [long]: value }) },
    { tag: `!${name}`, collection: 'seq', resolve: plain },
    { tag: `!${name}`, collection: 'map', resolve: plain },
  ] as const;
});

/**
 * The object in a JSON or YAML file, with the short forms of CloudFormation's functions; or the fault of the file, as
 * the end of a sentence about it. The fault quotes nothing of the file, because a file may hold a password.
 *
 * @param isStrict whether a member that is there twice is a fault; otherwise the last one counts, as in CloudFormation
 */
export function readDocument(file: string, { isStrict = false } = {}): JsonObject | string {
  let value: unknown;
  try {
    const text = readFileSync(file, 'utf8');
    value = parse(text, { customTags: [...TAGS], logLevel: 'error', merge: true, uniqueKeys: isStrict });
    // An alias can lead to itself. Such a value has no JSON.
    JSON.stringify(value);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'does not exist';
    if (code !== undefined && /^E[A-Z]+$/.test(code)) return `cannot be read (${code})`;
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    return `is neither JSON nor YAML${line === undefined ? '' : ` from line ${line} on`}`;
  }
  return isJsonObject(value) ? value : 'must contain an object in JSON or YAML';
}
