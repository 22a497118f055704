import { Tokenization } from 'aws-cdk-lib';
import type { StateJson } from '../cdk/definition';

// In JSONPath a path that is not there ends the execution, and no state catches that: the key would stay unfinished.

/**
 * Why the first state of a chain cannot be entered, in words: it reads by a path what the step's input does not have.
 * Empty if it reads existing members, or if the members are unknown at synthesis.
 *
 * `state` is the rendered Parallel state around the chain; of any other one nothing is said.
 */
export function inputProblem({ Arguments: input, Branches = [] }: StateJson): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const members = Object.keys(input);
  const [problem] = Branches.flatMap(branch => firstStates(branch)).flatMap(([name, state]) =>
    pathsIn(state).flatMap(path =>
      membersIn(path)
        .filter(member => !members.includes(member))
        .map(member => inWords(name, { path, member, members })),
    ),
  );
  return problem === undefined ? [] : [problem];
}

interface Missing {
  readonly path: string;
  readonly member: string;
  readonly members: readonly string[];
}

function inWords(name: string, { path, member, members }: Missing): string {
  const instead = members.includes('input') ? `Write $.input.${member}, or pass` : 'Add it, or pass';
  return (
    `state '${name}' of \`step\` reads ${path}, which fails each execution, because the input of the step has ` +
    `${members.join(', ')}, but not ${member}. ${instead} the whole input with \`stepInput\`: '{% $states.input %}'`
  );
}

/** The states that get the input of a definition as it is. */
function firstStates({
  StartAt,
  States,
}: NonNullable<StateJson['Branches']>[number]): [name: string, state: StateJson][] {
  const first = StartAt === undefined ? undefined : States[StartAt];
  if (StartAt === undefined || first === undefined || first.QueryLanguage === 'JSONata') return [];
  const { InputPath, Parameters, Branches = [] } = first;
  const isHandedOn = InputPath === undefined && Parameters === undefined;
  return [[StartAt, first], ...(isHandedOn ? Branches.flatMap(firstStates) : [])];
}

/** The paths over its input that a state evaluates whatever happens. */
function pathsIn(state: StateJson): string[] {
  const { InputPath } = state;
  // All others are over what that gives. A text here: one without a value is a token.
  if (InputPath !== undefined && InputPath !== '$') return [InputPath].filter(isText);
  const { Parameters, ItemSelector, ItemReader } = state;
  const fields = Object.entries(state).flatMap(([name, value]) => (FIELDS.has(name) ? [value] : []));
  return [...fields.filter(isText), ...[Parameters, ItemSelector, ItemReader].flatMap(computedIn)];
}

const FIELDS = new Set([
  'ItemsPath',
  'SecondsPath',
  'TimestampPath',
  'TimeoutSecondsPath',
  'HeartbeatSecondsPath',
  'MaxConcurrencyPath',
]);

/** The values of all names that end in `.$`. */
function computedIn(value: unknown): string[] {
  const isPlain = typeof value === 'object' && value !== null && !Tokenization.isResolvable(value);
  if (!isPlain || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name.endsWith('.$') && isText(member) ? [member] : computedIn(member),
  );
}

/**
 * The members of the input that a path, or an intrinsic function of paths, begins with. Of paths to whatever there is,
 * such as `$.items[*]`, nothing is said.
 */
function membersIn(path: string): string[] {
  const withoutTexts = path.replace(/'(?:\\.|[^'\\])*'/g, "''");
  if (/[*?:]|\.\./.test(withoutTexts)) return [];
  const found = withoutTexts.matchAll(/(?<![$\w.])\$\.([\p{L}_][\p{L}\p{N}_-]*)/gu);
  return [...found].flatMap(([, member]) => member ?? []);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
