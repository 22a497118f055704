import { Composer, Lexer, LineCounter, type Node, Pair, Parser, Scalar, YAMLMap } from 'yaml';
import { tooDeepAt } from '../json/depth';
import { duplicateMemberIn } from '../json/duplicate-member';
import { isJsonObject, type JsonObject, jsonOr } from '../json/json';
import { firstErrorIn } from '../json/syntax';
import { readTextFile } from './text-file';

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
  const tag = `!${name}`;
  // A node, so that the aliases in it are followed with all others.
  const resolve = (value: Node) => {
    const call = new YAMLMap();
    call.add(new Pair(new Scalar(long), value));
    return call;
  };
  return [
    { tag, resolve: (value: string) => ({ [long]: value }) },
    { tag, collection: 'seq', resolve },
    { tag, collection: 'map', resolve },
  ] as const;
});

/** CloudFormation and Step Functions take 1 MB; mocks may have more. YAML takes two seconds for each MiB. */
const [BYTES_MAX, YAML_BYTES_MAX] = [16 * 2 ** 20, 2 * 2 ** 20];
/** The parser of YAML is recursive, and ends the process where it recurses too deep. */
const YAML_DEPTH_MAX = 100;
const ALIASES_MAX = 1000;

/** A fault of a document, as the end of a sentence. */
class Fault extends Error {}

/**
 * The object in a JSON or YAML file, with the short forms of CloudFormation's functions; or the fault of the file, as
 * the end of a sentence about it. The fault quotes nothing of the file but names of members, because a file may hold a
 * password.
 *
 * @param isStrict whether a member that is there twice is a fault; otherwise the last one counts, as in CloudFormation
 */
export function readDocument(file: string, { isStrict = false } = {}): JsonObject | string {
  const read = readTextFile(file, BYTES_MAX);
  if ('fault' in read) return read.fault;
  try {
    const isJson = jsonOr(read.text, undefined) !== undefined;
    const value = isJson ? inJson(read.text, isStrict) : inYaml(read.text, isStrict);
    return isJsonObject(value) ? value : 'must contain an object in JSON or YAML';
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** A definition in a file, as text: of JSON, numbers and the order of members stay as they are written. */
export function definitionText(file: string, document: JsonObject): string {
  const read = file.endsWith('.json') ? readTextFile(file, BYTES_MAX) : undefined;
  return read && 'text' in read ? read.text : JSON.stringify(document);
}

function inJson(text: string, isStrict: boolean): unknown {
  if (tooDeepAt(text) !== undefined) throw new Fault('nests too deep');
  const twice = isStrict ? duplicateMemberIn(text) : undefined;
  if (twice !== undefined) throw new Fault(`has the member ${twice} twice`);
  return JSON.parse(text);
}

function inYaml(text: string, isStrict: boolean): unknown {
  if (Buffer.byteLength(text) > YAML_BYTES_MAX) {
    const fault = `is longer than ${YAML_BYTES_MAX / 2 ** 20} MiB, the most in YAML; write JSON`;
    throw new Fault(/^\s*[{[]/.test(text) ? `is not JSON from ${firstErrorIn(text)} on` : fault);
  }
  const lines = new LineCounter();
  const options = { customTags: [...TAGS], merge: true, stringKeys: true, uniqueKeys: isStrict };
  const [document, another] = new Composer(options).compose(tokensOf(text, lines), true, text.length);
  const [error] = document?.errors ?? [];
  if (error) throw new Fault(`is neither JSON nor YAML from line ${lines.linePos(error.pos[0]).line} on`);
  if (another) throw new Fault('has several documents, and must have one');
  try {
    const value: unknown = document?.toJS();
    // An alias can lead to itself. Such a value has no JSON.
    JSON.stringify(value);
    return value;
  } catch (error) {
    const isRepeated = error instanceof ReferenceError && /^Excessive/.test(error.message);
    throw new Fault(
      isRepeated
        ? 'uses an alias too often, or aliases of aliases; write out what they stand for'
        : 'has an alias without an anchor before it, or one that leads to itself',
    );
  }
}

/** The tokens of YAML. @throws Fault before the recursive part of the parser has them */
function* tokensOf(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let aliases = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('*')) aliases += 1;
    if (aliases > ALIASES_MAX) throw new Fault(`has more than ${ALIASES_MAX} aliases`);
    yield* parser.next(lexeme);
    if (parser.stack.length > YAML_DEPTH_MAX) throw new Fault(`nests deeper than ${YAML_DEPTH_MAX} levels`);
  }
  yield* parser.end();
}
