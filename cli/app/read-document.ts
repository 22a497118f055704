import { readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { usage } from '../program/rejection';

/** An object of a JSON or YAML file. */
export type Document = Readonly<Record<string, unknown>>;

/** CloudFormation's short forms in YAML that are not `Fn::` and their name. */
const SHORT_FORMS: Readonly<Record<string, string>> = { Ref: 'Ref', Condition: 'Condition' };

/** Functions of CloudFormation, as YAML writes them: `!GetAtt Table.Arn`. */
const FUNCTIONS = [
  ...[
    'And',
    'Base64',
    'Cidr',
    'Condition',
    'Equals',
    'FindInMap',
    'GetAtt',
    'GetAZs',
    'If',
    'ImportValue',
    'Join',
  ],
  ...['Not', 'Or', 'Ref', 'Select', 'Split', 'Sub'],
];

const TAGS = FUNCTIONS.flatMap(name => {
  const long = SHORT_FORMS[name] ?? `Fn::${name}`;
  const named = (value: unknown) => ({ [long]: value });
  const plain = (value: { toJSON(): unknown }) => named(value.toJSON());
  return [
    { tag: `!${name}`, resolve: named },
    { tag: `!${name}`, collection: 'seq', resolve: plain },
    { tag: `!${name}`, collection: 'map', resolve: plain },
  ] as const;
});

/**
 * The object in a JSON or YAML file, with the short forms of CloudFormation's functions.
 *
 * @throws Rejection that names the file, if it cannot be read or has something else
 */
export function readDocument(file: string): Document {
  const document = parsed(file, textOf(file));
  if (typeof document === 'object' && document !== null && !Array.isArray(document))
    return document as Document;
  throw usage(`${file} must contain an object in JSON or YAML`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text, { customTags: [...TAGS] });
  } catch (error) {
    // Not the parser's message, because that quotes the file.
    const where =
      error instanceof YAMLParseError && error.linePos ? ` from line ${error.linePos[0].line} on` : '';
    throw usage(`${file} is neither JSON nor YAML${where}`);
  }
}
