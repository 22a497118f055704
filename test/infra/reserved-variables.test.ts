import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  OnInProgress,
  RecordTable,
  Results,
} from '../../infra/index';
import { definitionIn, someFunction, synthesized } from '../support/synthesize';

const ROOT = path.join(__dirname, '../..');

/** The options by which a definition has every state that assigns something. */
function everyOption(stack: Stack) {
  return {
    idempotencyKey: '{% $states.input.id %}',
    payload: '{% $states.input.amount %}',
    keepPayload: true,
    step: someFunction(stack),
    onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)),
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures'), { rejections: true }),
    results: Results.inBucket(new Bucket(stack, 'Bucket')),
  };
}

/** The names of all variables that are assigned somewhere in a value. */
function assignedIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { Assign = {} } = value as { readonly Assign?: object };
  return [...Object.keys(Assign), ...Object.values(value).flatMap(assignedIn)];
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** The names in backticks between two texts of a file. */
function listedIn(file: string, from: string, to: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const start = text.indexOf(from);
  const list = text.slice(start, text.indexOf(to, start));
  return sorted([...list.matchAll(/`([a-zA-Z]+)`/g)].map(([, name = '']) => name));
}

const ofWorkflow = () => {
  const variants = [{}, { delivery: 'at-most-once' as const }].map(options =>
    definitionIn(
      synthesized(stack => {
        new IdempotentWorkflow(stack, 'Pay', { ...everyOption(stack), ...options });
      }),
      /^PayStateMachine/,
    ),
  );
  return sorted(variants.flatMap(assignedIn));
};

const ofFragment = () =>
  sorted(
    assignedIn(
      definitionIn(
        synthesized(stack => {
          const table = new RecordTable(stack, 'Records');
          const fragment = new IdempotentFragment(stack, 'Pay', { ...everyOption(stack), table });
          const orders = new StateMachine(stack, 'Orders', {
            queryLanguage: QueryLanguage.JSONATA,
            definitionBody: DefinitionBody.fromChainable(fragment),
          });
          fragment.grantTo(orders);
        }),
        /^Orders/,
      ),
    ),
  );

describe('the variables that a chain cannot assign', () => {
  test.each([
    ['infra/idempotent-workflow-props.ts', 'The workflow assigns', 'A chain cannot'],
    ['docs/reference/constructs.md', "cannot assign the workflow's variables", '\n\n'],
  ])('%s lists each variable that the definition of a workflow assigns, and no other', (file, from, to) => {
    expect(listedIn(file, from, to)).toEqual(ofWorkflow());
  });

  test('the docstring of a fragment lists each variable that its definition assigns, and no other', () => {
    expect(listedIn('infra/idempotent-fragment-props.ts', 'The fragment assigns', 'A chain cannot')).toEqual(
      ofFragment(),
    );
  });
});
