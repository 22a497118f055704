import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
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
 * The object in a JSON or YAML file, with the short forms of CloudFormation's functions; or what is wrong with the
 * file, as the end of a sentence about it.
 */
export function readDocument(file: string): JsonObject | string {
  let value: unknown;
  try {
    const text = readFileSync(file, 'utf8');
    value = parse(text, { customTags: [...TAGS], logLevel: 'error', merge: true, uniqueKeys: false });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'does not exist';
    if (code !== undefined && /^E[A-Z]+$/.test(code)) return `cannot be read (${code})`;
    return `is not valid JSON or YAML (${message.split('\n')[0]?.replace(/:$/, '')})`;
  }
  return isJsonObject(value) ? value : 'is not an object in JSON or YAML';
}
