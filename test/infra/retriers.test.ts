import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  type IdempotentWorkflowProps,
  Recovery,
  Results,
  SuccessDestination,
} from '../../infra/index';
import { PASSES } from '../../state-machine/contract/step-errors';
import { definitionParts } from '../support/definition-parts';
import { everySource } from '../support/every-source';
import { goldenDefinitions } from '../support/golden';
import { synthesized } from '../support/synthesize';

type State = Readonly<Record<string, unknown>>;

/** Every state of a definition, those within Maps and Parallels included, by its name. */
function statesIn(value: unknown): (readonly [string, State])[] {
  if (typeof value !== 'object' || value === null) return [];
  const { States: own = {} } = value as { readonly States?: Readonly<Record<string, State>> };
  return [...Object.entries(own), ...Object.values(value).flatMap(statesIn)];
}

/** Errors that two retriers, or two catchers, of one state name: the first decides, so the second can never act. */
function namedTwice(definition: unknown): string[] {
  return statesIn(definition).flatMap(([name, state]) =>
    ['Retry', 'Catch'].flatMap(field => {
      const rules = (state[field] ?? []) as readonly { readonly ErrorEquals: readonly string[] }[];
      const errors = rules.flatMap(({ ErrorEquals }) => ErrorEquals);
      const twice = errors.filter((error, index) => errors.indexOf(error) < index);
      return twice.map(error => `${name}, ${field}: ${error}`);
    }),
  );
}

/** The definitions of all state machines of an app; references stay as they are, within texts. */
function rendered(props: (scope: Parameters<typeof everySource>[0]) => Partial<IdempotentWorkflowProps>) {
  const template = synthesized(stack => {
    everySource(stack, props(stack));
  });
  return Object.values(template.findResources('AWS::StepFunctions::StateMachine')).map(({ Properties }) => {
    const parts = definitionParts(template.toJSON(), Properties);
    return JSON.parse(parts.map(part => (typeof part === 'string' ? part : 'reference')).join(''));
  });
}

const everything = (scope: Parameters<typeof everySource>[0]): Partial<IdempotentWorkflowProps> => ({
  metrics: true,
  results: Results.inBucket(new Bucket(scope, 'Results')),
  onSuccess: SuccessDestination.queue(new Queue(scope, 'Paid')),
  onFailure: FailureDestination.queue(new Queue(scope, 'Failed')),
  recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } }),
});

describe('an error is named by one retrier and by one catcher of a state', () => {
  test.each(goldenDefinitions())('%s', (_, definition) => {
    expect(statesIn(definition)).not.toEqual([]);
    expect(namedTwice(definition)).toEqual([]);
  });

  test.each<[string, number, Parameters<typeof rendered>[0]]>([
    ['at least once', 16, everything],
    ['at most once', 16, scope => ({ ...everything(scope), delivery: 'at-most-once' })],
    ['Express', 3, () => ({ type: 'EXPRESS' })],
    ['retried after a rejection', 15, () => ({ retry: { errors: PASSES.slice(0, 2) } })],
    ['retried after each rejection', 15, () => ({ retry: { errors: [...PASSES], maxAttempts: 1 } })],
  ])('all state machines of a workflow with every source, %s: %i', (_, count, props) => {
    const definitions = rendered(props);

    expect(definitions).toHaveLength(count);
    expect(definitions.flatMap(namedTwice)).toEqual([]);
  });
});

const SMALL = 'its answer is a few hundred bytes';
const ITSELF = 'its answer has no item';

/** Each call that a state makes: what its answer can be too long by, or why it cannot. */
const ANSWERS: Readonly<Record<string, { readonly tooLongBy: string } | { readonly bounded: string }>> = {
  'dynamodb:getItem': { tooLongBy: 'attributes that a team has added to the record' },
  'aws-sdk:sfn:describeExecution': { tooLongBy: 'the input and the output of the execution' },
  'aws-sdk:sfn:getExecutionHistory': { tooLongBy: 'the events of a page' },
  'aws-sdk:sfn:startSyncExecution': { tooLongBy: 'the input and the output of the execution' },
  'aws-sdk:s3:getObject': { tooLongBy: 'the result' },
  'aws-sdk:s3:putObject': { tooLongBy: 'the result in the request' },
  'lambda:invoke': { tooLongBy: 'what the function answers' },
  'dynamodb:putItem': { bounded: ITSELF },
  'dynamodb:updateItem': { bounded: ITSELF },
  'states:startExecution': { bounded: SMALL },
  'aws-sdk:sfn:startExecution': { bounded: SMALL },
  'aws-sdk:sfn:listExecutions': { bounded: 'a page has 250 executions of at most 900 bytes each' },
  'sqs:sendMessage': { bounded: SMALL },
  'aws-sdk:cloudwatch:putMetricData': { bounded: SMALL },
};

/** Calls of a function of the package, whose answer is small. */
const OWN_FUNCTIONS = /Redrive the owner$/;
/** States of a team's chain, which are the team's. */
const OF_A_TEAM = ['Charge the order', 'Write the order'];

/** What becomes of an answer that is too long, by the retriers and catchers of a state. */
function endOfTooLong({ Retry = [], Catch = [] }: State): 'caught' | 'ends the execution' | 'not said' {
  const isNamed = (rules: unknown, attempts?: number) =>
    (rules as readonly { readonly ErrorEquals: readonly string[]; readonly MaxAttempts?: number }[]).some(
      ({ ErrorEquals, MaxAttempts }) =>
        ErrorEquals.includes('States.DataLimitExceeded') &&
        (attempts === undefined || MaxAttempts === attempts),
    );
  if (isNamed(Catch)) return 'caught';
  return isNamed(Retry, 0) ? 'ends the execution' : 'not said';
}

const CALLS = goldenDefinitions().flatMap(([file, definition]) =>
  statesIn(definition).flatMap(([name, state]) => {
    const isOurs = state['Type'] === 'Task' && !OF_A_TEAM.includes(name) && !OWN_FUNCTIONS.test(name);
    const resource = String(state['Resource']).replace(/^.*:::/, '');
    return isOurs ? [{ file, name, state, resource }] : [];
  }),
);

test('every start has a name: if its answer is lost, the retry starts no other execution', () => {
  const starts = CALLS.filter(({ resource }) => resource.endsWith(':startExecution'));
  const unnamed = starts.filter(({ state }) => typeof argumentsOf(state)['Name'] !== 'string');

  expect(starts.map(({ name }) => name)).toContain('Start without a key');
  expect(unnamed.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

function argumentsOf(state: State): Readonly<Record<string, unknown>> {
  return state['Arguments'] as Readonly<Record<string, unknown>>;
}

// `States.ALL` does not have to cover it: decision 17.
describe('an answer that is longer than a state may read ends by name, and is not asked for again', () => {
  test('every call is known', () => {
    expect([...new Set(CALLS.map(({ resource }) => resource))].sort()).toEqual(Object.keys(ANSWERS).sort());
  });

  test('each state that makes such a call says what becomes of it', () => {
    const wrong = CALLS.flatMap(({ file, name, state, resource }) => {
      const { tooLongBy } = { tooLongBy: undefined, ...ANSWERS[resource] };
      const end = endOfTooLong(state);
      // Without an execution that an operator sees, an event would be lost, or a request would have no answer.
      const isCaught = end === 'caught' || (end !== 'not said' && !/^(?:dispatcher|front-door)/.test(file));
      return tooLongBy === undefined || isCaught ? [] : [`${file}: ${name} (${tooLongBy}) is ${end}`];
    });

    expect(wrong).toEqual([]);
  });
});
