import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  type IdempotentWorkflowProps,
  Recovery,
  Results,
  SuccessDestination,
} from '../../infra/index';
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
    ['at least once', 17, everything],
    ['at most once', 17, scope => ({ ...everything(scope), delivery: 'at-most-once' })],
    ['Express', 1, () => ({ type: 'EXPRESS' })],
  ])('all state machines of a workflow with every source, %s: %i', (_, count, props) => {
    const definitions = rendered(props);

    expect(definitions).toHaveLength(count);
    expect(definitions.flatMap(namedTwice)).toEqual([]);
  });
});
