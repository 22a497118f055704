import { Duration } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { State, type StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { timeoutIn } from '../../state-machine/template/function-timeout';
import { constructsIn } from '../../state-machine/template/references';
import { renderedProperties } from '../../state-machine/template/rendered-properties';
import { functionsOf } from '../cdk/called-functions';
import { type NamedState, type StateJson, statesIn } from '../cdk/definition';
import { languageProblems, renderedState } from './query-language';
import { historyProblem } from './step-history';
import { inputProblem } from './step-input';

/**
 * Why a business step cannot be run once, in words; empty if nothing speaks against it, or if that is unknown at
 * synthesis.
 *
 * - A chain whose work may go on after its states have ended, such as a job, a task token or another state machine,
 *   without a `stepTimeout`: only its author knows for how long.
 * - A state of a chain whose query language Step Functions rejects where it is, or would not take for what it is.
 * - A chain in JSONPath that begins with a path which is not there.
 * - A chain that is retried so often that the history of its execution has no room for it.
 *
 * `state` is the one that runs the step, in a state machine that has been put together: until then CDK does not know
 * its branches. `machines` are its state machines, if they are not made for the step.
 */
export function stepProblems(
  state: State,
  hasStepTimeout: boolean,
  machines?: readonly StateMachine[],
): string[] {
  const json = renderedState(state);
  const chain = statesIn(json);
  const outliving = hasStepTimeout ? [] : chain.flatMap(outlivingProblem);
  const input = inputProblem(json);
  return [...outliving, ...languageProblems(chain, machines), ...input, ...historyProblem(json)];
}

/** The state that runs the step, and all states within it. */
export function statesOfStep(state: State): NamedState[] {
  const json = renderedState(state);
  return [[state.stateId, json], ...statesIn(json)];
}

/**
 * Why a step calls a Lambda durable function: alone, as a version or an alias, or by a chain. Such a function may
 * continue for up to a year after the request that started it, so its end is unknown. Only at synthesis: an aspect or
 * an override can make a function durable.
 */
export function durableProblems(state: State): string[] {
  return statesOfStep(state)
    .flatMap(([name, one]) => functionsOf(one, state).flatMap(called => durableProblem(name, called)))
    .slice(0, 1);
}

function durableProblem(name: string, called: CfnFunction): string[] {
  if (renderedProperties(called)['DurableConfig'] === undefined) return [];
  return [
    `state '${name}' runs ${called.node.path}, a Lambda durable function, which can run for up to a year after the ` +
      'request that started it. onceflow cannot know when such a step has ended, so two runs might overlap. Use a ' +
      'function without `durableConfig`',
  ];
}

/**
 * Why two runs of a step might overlap: a function that it calls can run for longer than `stepTimeout`. Only at
 * synthesis, with the timeout that the template has.
 */
export function overlapProblems(state: State, stepTimeout: Duration | undefined): string[] {
  if (!stepTimeout) return [];
  const longer = statesOfStep(state)
    .flatMap(([, one]) => functionsOf(one, state))
    .filter(one => (timeoutIn(renderedProperties(one)) ?? 0) > stepTimeout.toSeconds());
  return longer.slice(0, 1).map(one => {
    const longest = Duration.seconds(timeoutIn(renderedProperties(one)) ?? 0);
    return (
      `\`stepTimeout\` is ${stepTimeout.toHumanString()}, but ${one.node.path.replace(/\/Resource$/, '')} can run for ` +
      `${longest.toHumanString()}, so two runs might overlap. Use a longer \`stepTimeout\`, or leave it out`
    );
  });
}

function outlivingProblem([name, state]: NamedState): string[] {
  const what = outliving(state);
  if (what === undefined) return [];
  return [
    `state '${name}' of \`step\` is ${what}, whose work can continue after the state has ended. Set \`stepTimeout\` to ` +
      'the longest time that it can continue: until then, no other delivery starts it again',
  ];
}

/** What a state is whose work may outlive it; undefined where it ends with its request. */
function outliving({ Type, Resource, Arguments, Parameters, ItemProcessor }: StateJson): string | undefined {
  if (ItemProcessor?.ProcessorConfig?.Mode === 'DISTRIBUTED') return 'a distributed Map';
  if (Type !== 'Task') return undefined;
  const constructs = constructsIn(Resource);
  if (constructs.some(construct => construct instanceof CfnFunction)) return undefined;
  const resource = String(Resource);
  if (/:function:/.test(resource)) return undefined;
  const [, integration] = /:states:[^:]*:[^:]*:(.+)$/.exec(resource) ?? [];
  if (integration === undefined || integration.startsWith('activity:')) return 'an activity';
  const request = Arguments ?? Parameters;
  const isAsynchronous = isObject(request) && invocationTypeOf(request) !== SYNCHRONOUS;
  return REQUESTS.test(integration) && !isAsynchronous ? undefined : `a task of ${integration}`;
}

const SYNCHRONOUS = 'RequestResponse';

function invocationTypeOf(request: Readonly<Record<string, unknown>>): unknown {
  return request['InvocationType'] ?? request['InvocationType.$'] ?? SYNCHRONOUS;
}

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

/** Rejects, at most once, a step whose own retries may run it again. @throws Error with the remedy */
export function validateNoRetries(step: unknown): void {
  const retrying = statesOf(step).find(([, state]) => hasRetries(state));
  if (!retrying) return;
  throw new Error(
    `\`delivery: 'at-most-once'\` needs a step without retries, but state '${retrying[0]}' has retries. ` +
      'Remove them (for Lambda tasks of CDK: retryOnServiceExceptions: false)',
  );
}

function statesOf(step: unknown): NamedState[] {
  const start = (step as { readonly startState?: State }).startState;
  const states = start ? State.findReachableStates(start, { includeErrorHandlers: true }) : [];
  return states.map(state => [state.stateId, state.toStateJson() as StateJson]);
}

/** Whether a state, or one within it, is tried again. */
function hasRetries(state: StateJson): boolean {
  return [state, ...statesIn(state).map(([, inner]) => inner)].some(({ Retry }) => Retry !== undefined);
}
