import { Tokenization } from 'aws-cdk-lib';
import { QueryLanguage, type State, type StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { describeValue } from '../../state-machine/words/describe-value';
import { definitionOf, type NamedState, type StateJson, statesIn } from '../cdk/definition';

// CDK's states are in JSONPath unless they say otherwise, and Step Functions takes a state in JSONata within a
// definition in JSONPath, and not the other way round.

/** The state as it is rendered, without the fields that CDK leaves in though they have no value. */
export function renderedState(state: State): StateJson {
  return withoutAbsent(state.toStateJson(QueryLanguage.JSONATA)) as StateJson;
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (!isPlain(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutAbsent(member)]));
}

/**
 * The query language of a definition that this state runs the step in: JSONPath where a state of the step needs it,
 * and else JSONata.
 */
export function languageFor(step: State): QueryLanguage {
  const needsJsonPath = statesIn(renderedState(step)).some(([, state]) => jsonPathSign(state) !== undefined);
  return needsJsonPath ? QueryLanguage.JSON_PATH : QueryLanguage.JSONATA;
}

/**
 * The faults of the languages that the states of a step are written in, in words. Step Functions would reject them, or
 * would take them for plain text. The faults are a state in JSONPath in a machine in JSONata, one in JSONata that does
 * not say so in a machine in JSONPath, and one with fields of both.
 *
 * `machines` are those that the step is in: undefined for one that is made for the step, see {@link languageFor}. Of a
 * machine whose definition is not known at synth nothing is said.
 */
export function languageProblems(
  chain: readonly NamedState[],
  machines: readonly StateMachine[] | undefined,
): string[] {
  const ofBoth = chain.flatMap(bothProblem);
  if (ofBoth.length > 0) return ofBoth;
  const surroundings = machines ? machines.flatMap(languageOf) : ownLanguage(chain);
  return surroundings.flatMap(around => chain.flatMap(state => problemIn(around, state))).slice(0, 1);
}

/** The language of a definition, and whose choice that is. */
interface Surroundings {
  readonly isJsonPath: boolean;
  readonly because: string;
}

function languageOf(stateMachine: StateMachine): Surroundings[] {
  const definition = definitionOf(stateMachine);
  if (!definition) return [];
  const isJsonPath = definition.QueryLanguage !== 'JSONata';
  return [{ isJsonPath, because: `${stateMachine.node.path} is in ${isJsonPath ? 'JSONPath' : 'JSONata'}` }];
}

function ownLanguage(chain: readonly NamedState[]): Surroundings[] {
  const signs = chain.map(([name, state]) => ({ name, sign: jsonPathSign(state) }));
  const first = signs.find(({ sign }) => sign !== undefined);
  if (!first) return [];
  return [
    { isJsonPath: true, because: `state '${first.name}' is in JSONPath, because it has ${first.sign}` },
  ];
}

function problemIn({ isJsonPath, because }: Surroundings, [name, state]: NamedState): string[] {
  const of = `state '${name}' of \`step\``;
  if (!isJsonPath) {
    const sign = jsonPathSign(state);
    if (sign === undefined) return [];
    return [
      `${of} is written in JSONPath, because it has ${sign}, which Step Functions rejects here: ${because}. Leave out ` +
        `\`queryLanguage\` of the state machine, or create the state with ${factoryOf(state)}`,
    ];
  }
  const sign = isMarked(state) ? undefined : jsonataSign(state);
  if (sign === undefined) return [];
  return [
    `${of} has ${sign}, which is JSONata, but it is not marked as JSONata, so it is JSONPath here: ${because}. Create ` +
      `the state with ${factoryOf(state)}, or give it "QueryLanguage": "JSONata"`,
  ];
}

function bothProblem([name, state]: NamedState): string[] {
  if (!isMarked(state)) return [];
  const field = jsonPathField(state);
  if (field === undefined) return [];
  return [
    `state '${name}' of \`step\` is marked as JSONata, but has ${field}, which Step Functions accepts only in JSONPath ` +
      'states. Use `outputs` or `assign` instead, or create the state without `queryLanguage`',
  ];
}

function isMarked({ QueryLanguage: language }: StateJson): boolean {
  return language === 'JSONata';
}

/** How CDK makes such a state in JSONata. */
function factoryOf({ Type }: StateJson): string {
  return Type === 'Task' ? 'the `jsonata` method of its class' : `${Type}.jsonata`;
}

/** What shows that the state is written in JSONPath; undefined where it is not, or both languages read it alike. */
function jsonPathSign(state: StateJson): string | undefined {
  if (isMarked(state)) return undefined;
  return state.QueryLanguage === 'JSONPath' ? '`QueryLanguage`' : jsonPathField(state);
}

/** A field that states in JSONata do not have; undefined where there is none. */
function jsonPathField(state: StateJson): string | undefined {
  const { ItemReader, ItemBatcher, ResultWriter, Choices = [], Catch = [] } = state;
  const field =
    Object.keys(state).find(name => JSON_PATH_FIELDS.has(name)) ??
    // Not further in: what stands there is named by the app.
    [ItemReader, ItemReader?.ReaderConfig, ItemBatcher, ResultWriter]
      .flatMap(part => Object.keys(part ?? {}))
      .find(name => JSON_PATH_FIELDS.has(name));
  if (field !== undefined) return `\`${field}\``;
  const condition = Choices.flatMap(rule => Object.keys(rule)).find(name => CONDITIONS.has(name));
  if (condition !== undefined) return `a rule with \`${condition}\``;
  if (Catch.some(catcher => 'ResultPath' in catcher)) return 'a catcher with `ResultPath`';
  const { Arguments: _arguments, ...others } = withoutDefinitions(state);
  const computed = isMarked(state) ? undefined : keysIn(others).find(name => name.endsWith('.$'));
  return computed === undefined ? undefined : `\`${computed}\``;
}

/** @see https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html */
const JSON_PATH_FIELDS = new Set(
  (
    'InputPath OutputPath ResultPath ResultSelector Parameters Result Iterator ItemsPath SecondsPath TimestampPath ' +
    'TimeoutSecondsPath HeartbeatSecondsPath MaxConcurrencyPath ToleratedFailureCountPath ' +
    'ToleratedFailurePercentagePath ErrorPath CausePath MaxItemsPath MaxItemsPerBatchPath ' +
    'MaxInputBytesPerBatchPath'
  ).split(' '),
);

const CONDITIONS = new Set(['Variable', 'And', 'Or', 'Not']);

/** What shows that the state is written in JSONata, said by `QueryLanguage` or not; undefined where nothing does. */
function jsonataSign(state: StateJson): string | undefined {
  const { Choices = [], Catch = [], ItemReader, ResultWriter, ...rest } = state;
  const field = Object.keys(rest).find(name => JSONATA_FIELDS.has(name));
  if (field !== undefined) return `\`${field}\``;
  const inner = [...Choices, ...Catch, ItemReader ?? {}, ResultWriter ?? {}].flatMap(one => Object.keys(one));
  const found = inner.find(name => JSONATA_FIELDS.has(name));
  if (found !== undefined) return `\`${found}\``;
  const expression = textsIn([withoutDefinitions(rest), Choices, Catch]).find(text =>
    /^\{%[\s\S]*%\}$/.test(text),
  );
  return expression === undefined ? undefined : describeValue(expression);
}

const JSONATA_FIELDS = new Set(['Arguments', 'Output', 'Items', 'Condition']);

function withoutDefinitions(state: StateJson): Readonly<Record<string, unknown>> {
  const { Branches: _branches, ItemProcessor: _processor, Iterator: _iterator, ...rest } = state;
  return rest;
}

function keysIn(value: unknown): string[] {
  if (!isPlain(value)) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysIn)];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isPlain(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether it is an object as it is rendered: a token's members are CDK's, and lead to all of the app. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Tokenization.isResolvable(value);
}
