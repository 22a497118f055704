import { Reference, Tokenization } from 'aws-cdk-lib';
import { CfnAlias, CfnFunction, CfnVersion } from 'aws-cdk-lib/aws-lambda';
import { QueryLanguage, type State } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';
import { type Definition, definitionsIn, type StateJson } from './definition';
import { historyProblem } from './validate-history';

/** A state of the step by its name, as it is rendered. */
type NamedState = readonly [name: string, json: StateJson];

/**
 * Why a business step cannot be run once, in words; empty where nothing speaks against it, or nobody knows at synth.
 *
 * - A Lambda durable function, alone, as a version or an alias, or called by a chain: it may work on for up to a year
 *   after the request that started it, so that nobody can say when it has ended.
 * - A chain whose work may go on after its states have ended, such as a job, a task token or another state machine,
 *   without a `stepTimeout`: only its author knows for how long.
 * - A state of a chain that is written in JSONPath: Step Functions refuses it in a definition in JSONata.
 * - A chain that is retried so often that the history of its execution has no room for it.
 *
 * `state` is the one that runs the step, in a state machine that has been put together: until then CDK does not know
 * its branches.
 */
export function stepProblems(state: State, hasStepTimeout: boolean): string[] {
  // CDK leaves fields in that have no value.
  const json = withoutAbsent(state.toStateJson(QueryLanguage.JSONATA)) as StateJson;
  const chain = definitionsIn(json).flatMap(statesWithin);
  const problems = [[state.stateId, json] as const, ...chain].flatMap(durableProblem);
  const outliving = hasStepTimeout ? [] : chain.flatMap(outlivingProblem);
  return [...problems, ...outliving, ...chain.flatMap(jsonPathProblem), ...historyProblem(json)];
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (!isObject(value) || Tokenization.isResolvable(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutAbsent(member)]));
}

function statesWithin({ States }: Definition): NamedState[] {
  return Object.entries(States).flatMap(([name, json]) => [
    [name, json] as const,
    ...definitionsIn(json).flatMap(statesWithin),
  ]);
}

function durableProblem([name, { Resource, Arguments }]: NamedState): string[] {
  const durable = [...constructsIn(Resource), ...constructsIn(Arguments)].map(functionBehind).find(isDurable);
  if (!durable) return [];
  return [
    `state '${name}' runs ${durable.node.path}, a Lambda durable function, which may work on for up to a year after ` +
      'the request that started it: nobody could say when the step has ended, and a second run might begin beside it; ' +
      'use a function without `durableConfig`',
  ];
}

/** The constructs that a rendered value refers to. */
function constructsIn(value: unknown): IConstruct[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(constructsIn);
  if (typeof value !== 'string') return [];
  return Tokenization.reverseString(value)
    .tokens.filter(Reference.isReference)
    .map(({ target }) => target);
}

/** The function that a version or an alias runs; any other construct as it is. */
function functionBehind(construct: IConstruct): IConstruct {
  const isName = construct instanceof CfnAlias || construct instanceof CfnVersion;
  const [behind] = isName ? constructsIn(construct.functionName) : [];
  return behind ? functionBehind(behind) : construct;
}

function isDurable(construct: IConstruct): boolean {
  return construct instanceof CfnFunction && construct.durableConfig !== undefined;
}

function outlivingProblem([name, state]: NamedState): string[] {
  const what = outliving(state);
  if (what === undefined) return [];
  return [
    `state '${name}' of \`step\` is ${what}, whose work may go on after the state has ended; set \`stepTimeout\` to ` +
      'how long it may work on at most: until then no other delivery starts it again',
  ];
}

/** What a state is whose work may outlive it; undefined where it ends with its request. */
function outliving({ Type, Resource, Arguments, ItemProcessor }: StateJson): string | undefined {
  if (ItemProcessor?.ProcessorConfig?.Mode === 'DISTRIBUTED') return 'a distributed Map';
  if (Type !== 'Task') return undefined;
  const constructs = constructsIn(Resource);
  if (constructs.some(construct => construct instanceof CfnFunction)) return undefined;
  const resource = String(Resource);
  if (/:function:/.test(resource)) return undefined;
  const [, integration] = /:states:[^:]*:[^:]*:(.+)$/.exec(resource) ?? [];
  if (integration === undefined || integration.startsWith('activity:')) return 'an activity';
  const isAsynchronous = isObject(Arguments) && (Arguments['InvocationType'] ?? SYNCHRONOUS) !== SYNCHRONOUS;
  return REQUESTS.test(integration) && !isAsynchronous ? undefined : `a task of ${integration}`;
}

const SYNCHRONOUS = 'RequestResponse';

/** Integrations that are over with their request: what they ask for is done when it is answered. */
const REQUESTS = new RegExp(
  [
    '^(lambda:invoke|dynamodb:\\w+|sqs:sendMessage|sns:publish|events:putEvents|http:invoke|apigateway:invoke',
    '|aws-sdk:lambda:invoke',
    '|aws-sdk:\\w+:(batchGet|batchWrite|copy|delete|describe|get|head|list|publish|put|query|redrive|scan|send|transact',
    '|update)\\w*)$',
  ].join(''),
);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function jsonPathProblem([name, state]: NamedState): string[] {
  const field = jsonPathField(state);
  if (field === undefined) return [];
  const factory = state.Type === 'Task' ? 'the `jsonata` method of its class' : `${state.Type}.jsonata`;
  return [
    `state '${name}' of \`step\` is written in JSONPath: it has ${field}, which Step Functions refuses in a ` +
      `definition in JSONata; make it with ${factory}`,
  ];
}

/** A field of a state that JSONata states do not have; undefined where there is none. */
function jsonPathField(state: StateJson): string | undefined {
  if ((state as { readonly QueryLanguage?: unknown }).QueryLanguage === 'JSONPath') return '`QueryLanguage`';
  const field = Object.keys(state).find(name => JSON_PATH_FIELDS.has(name));
  if (field !== undefined) return `\`${field}\``;
  const condition = state.Choices?.flatMap(rule => Object.keys(rule)).find(name => CONDITIONS.has(name));
  if (condition !== undefined) return `a rule with \`${condition}\``;
  const assigned = Object.keys(state.Assign ?? {}).find(name => name.endsWith('.$'));
  return assigned === undefined ? undefined : `\`${assigned}\` in \`Assign\``;
}

/** @see https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html */
const JSON_PATH_FIELDS = new Set(
  (
    'InputPath OutputPath ResultPath ResultSelector Parameters Result ItemsPath SecondsPath TimestampPath ' +
    'TimeoutSecondsPath HeartbeatSecondsPath MaxConcurrencyPath ToleratedFailureCountPath ' +
    'ToleratedFailurePercentagePath ErrorPath CausePath'
  ).split(' '),
);

const CONDITIONS = new Set(['Variable', 'And', 'Or', 'Not']);
